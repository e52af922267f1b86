#include <stdio.h>
int host_function(int x);
int main(void) {
  printf("%d\n", host_function(2));
  return 0;
}

/* Stands for a SYCL program: prints which libsycl it runs with, and its arguments. */
#include <stdio.h>

const char *fake_runtime_file(void);

int main(int argc, char **argv) {
  printf("%s\n", fake_runtime_file());
  for (int i = 1; i < argc; i++)
    printf("%s\n", argv[i]);
  return argc;
}

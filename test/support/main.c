/* The main of programs that have none of their own; the linker takes it from the library. */
#include "tests.h"

int main(void) {
  return tests_run(NULL, NULL);
}

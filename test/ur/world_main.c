/* The main of programs that have none of their own; the linker takes it from the library. */
#include "world.h"

int main(int argc, char **argv) {
  world_open(argc, argv);
  return tests_run(NULL, NULL);
}

/* Finds the program specpi-codegen, the code generator (codegen.h). */
#ifndef CODE_CODEGEN_PLACE_H
#define CODE_CODEGEN_PLACE_H

#include <stdbool.h>

enum { CODEGEN_PLACE_SIZE = 4096 };

typedef struct codegen_place {
  char path[CODEGEN_PLACE_SIZE];              /* of the program; "" if none was found */
  char obstacle[2 * CODEGEN_PLACE_SIZE + 64]; /* why none was found, for a message; else "" */
} codegen_place;

/*
 * Finds the generator for the library in this directory, an absolute path. The environment variable
 * SPECPI_CODEGEN, an absolute path or "none", has priority over the generator of the same
 * installation or build. Returns whether a generator was found.
 */
bool codegen_place_find(const char *directory, codegen_place *ret);

#endif

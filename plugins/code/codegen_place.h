/* The place of the code generator, the program specpi-codegen (codegen.h). */
#ifndef CODE_CODEGEN_PLACE_H
#define CODE_CODEGEN_PLACE_H

#include <stdbool.h>

enum { CODEGEN_PLACE_SIZE = 4096 };

/* path: the program found. obstacle: why there is none, as part of a message; else "". */
typedef struct codegen_place {
  char path[CODEGEN_PLACE_SIZE];
  char obstacle[2 * CODEGEN_PLACE_SIZE + 64];
} codegen_place;

/*
 * Looks for the generator of a library in this directory, an absolute path: $SPECPI_CODEGEN, an
 * absolute path or "none", else the one of the same installation, or of the same build. Returns
 * whether there is one.
 */
bool codegen_place_find(const char *directory, codegen_place *ret);

#endif

/* The code generator of the CUDA plugin and the programs of specpi-cc, as specpi doctor sees them.
 */
#ifndef SPECPI_TOOL_CODEGEN_H
#define SPECPI_TOOL_CODEGEN_H

#include "../plugins/code/codegen_place.h"

/* Finds the code generator of the plugin or adapter with this path. Returns whether it has one. */
bool codegen_find(const char *plugin, codegen_place *ret);

/*
 * Prints the code generator of the plugin with this path: where it is or was looked for, its
 * version, and what to do if it is missing or does not run.
 */
void codegen_print(const char *plugin);

/*
 * Prints the programs that specpi-cc runs: where they are, and what to do if one is missing or has
 * another version. Only users who compile kernels need them.
 */
void codegen_print_compilers(void);

#endif

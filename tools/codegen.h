/* The code generator of the CUDA plugin and the programs of specpi-cc, as specpi doctor sees them.
 */
#ifndef SPECPI_TOOL_CODEGEN_H
#define SPECPI_TOOL_CODEGEN_H

#include "../plugins/code/codegen_place.h"

/* The code generator of the plugin or adapter with this path; whether there is one. */
bool codegen_find(const char *plugin, codegen_place *ret);

/*
 * Prints whether the plugin with this path has a code generator, where it was looked for, what it
 * says of itself, and what to do about one that is missing or does not run.
 */
void codegen_print(const char *plugin);

/*
 * Prints the programs that specpi-cc runs, where they were found or not, and what to do about one
 * that is missing or of another version. They are needed by those alone who compile kernels.
 */
void codegen_print_compilers(void);

#endif

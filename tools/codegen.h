/* The code generator of the CUDA plugin, as specpi doctor looks at it. */
#ifndef SPECPI_TOOL_CODEGEN_H
#define SPECPI_TOOL_CODEGEN_H

/*
 * Prints whether the plugin with this path has a code generator, where it was looked for, what it
 * says of itself, and what to do about one that is missing or does not run.
 */
void codegen_print(const char *plugin);

#endif

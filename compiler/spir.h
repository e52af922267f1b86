/* Conversion of SPIR modules to another target. */
#ifndef COMPILER_SPIR_H
#define COMPILER_SPIR_H

#include "context.h"

/*
 * Makes a module for nvptx64 from one for spir64: maps address spaces, calling conventions, the
 * names of OpenCL's functions, triple and data layout (docs/internals/compiler.md). This changes
 * the old module, which the caller still has to dispose of. *ret belongs to the same context.
 * INVALID_TARGET: a part of the module cannot be mapped. OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result spir_map(specpi_compiler compiler, LLVMModuleRef module, LLVMModuleRef *ret);

/*
 * Maps the address spaces in a mangled name, in place. OpenCL's functions have their pointers'
 * address spaces in their names, with other numbers on NVPTX, and none for generic. *length is the
 * name's length, and is changed; a NUL follows the name.
 */
void spir_map_name(char *name, size_t *length);

#endif

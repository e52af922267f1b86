/* SPIR modules for another target. */
#ifndef COMPILER_SPIR_H
#define COMPILER_SPIR_H

#include "context.h"

/*
 * Makes a module for nvptx64 of one for spir64, which is changed meanwhile and is the caller's to
 * dispose of: address spaces, calling conventions, the names of OpenCL's functions, triple and
 * data layout. *ret belongs to the same context. docs/internals/compiler.md says what is mapped to
 * what. INVALID_TARGET: something of it cannot be mapped. OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result spir_map(specpi_compiler compiler, LLVMModuleRef module, LLVMModuleRef *ret);

/*
 * OpenCL's functions have the address spaces of their pointers in their names, which a library
 * for NVPTX calls otherwise: generic is none. *length is that of the name, which is changed; there
 * is a NUL after it.
 */
void spir_map_name(char *name, size_t *length);

#endif

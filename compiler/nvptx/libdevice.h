/* Implements OpenCL's functions with libdevice, NVIDIA's bitcode library. */
#ifndef SPECPI_COMPILER_LIBDEVICE_H
#define SPECPI_COMPILER_LIBDEVICE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/*
 * Defines each declared OpenCL function of float, double and their vectors that has a counterpart
 * in libdevice. The bodies call the counterparts, which are only declared: link libdevice next
 * (library.h). Other functions stay declared, for other libraries. Returns whether any function was
 * defined.
 */
bool libdevice_define(LLVMModuleRef module);

/*
 * Replaces llvm.nvvm.round in libdevice. It is PTX's rounding to nearest, ties to even, but
 * InstCombine would take it for rounding ties away from zero.
 */
void libdevice_mend(LLVMModuleRef module);

#endif

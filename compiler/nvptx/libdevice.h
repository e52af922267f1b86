/* OpenCL's functions by those of libdevice, NVIDIA's library of bitcode for its GPUs. */
#ifndef SPECPI_COMPILER_LIBDEVICE_H
#define SPECPI_COMPILER_LIBDEVICE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/*
 * Defines the functions of OpenCL's library that the module declares and libdevice has a
 * counterpart of, for float, double and their vectors, by calls of those, which are only declared
 * then: it is linked next (library.h). What libdevice lacks stays for another library. Returns
 * whether there are any.
 */
bool libdevice_define(LLVMModuleRef module);

/*
 * Replaces what LLVM's optimiser would misunderstand in libdevice: llvm.nvvm.round, which is PTX's
 * rounding to the nearest even number, and which InstCombine takes for one away from zero.
 */
void libdevice_mend(LLVMModuleRef module);

#endif

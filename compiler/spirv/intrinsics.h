/* LLVM's intrinsics for which SPIR-V has no instruction. */
#ifndef COMPILER_INTRINSICS_H
#define COMPILER_INTRINSICS_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Replaces intrinsics that the translator does not handle, or handles only for some widths, by
 * instructions. LLVM's optimiser makes many of them from integer code. All widths and vectors are
 * supported.
 *
 * INVALID_MODULE: an intrinsic remains that the translator does not handle; the message has the
 * name of the intrinsic and of the function. OUT_OF_MEMORY.
 */
specpi_compiler_result intrinsics_replace(LLVMModuleRef module);

#endif

/* LLVM's intrinsics that SPIR-V has no instruction for. */
#ifndef COMPILER_INTRINSICS_H
#define COMPILER_INTRINSICS_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Replaces intrinsics by instructions, of any width and as vectors, too: those that LLVM's
 * optimiser makes of integer code and the translator does not know, or knows for some widths only.
 *
 * INVALID_MODULE: one remains that the translator does not know; the message has its name and the
 * function's. OUT_OF_MEMORY.
 */
specpi_compiler_result intrinsics_replace(LLVMModuleRef module);

#endif

/* The targets that modules are lowered for. */
#ifndef COMPILER_TARGET_H
#define COMPILER_TARGET_H

#include "error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

#define TARGET_NVPTX "nvptx64"
#define TARGET_NVPTX_TRIPLE "nvptx64-nvidia-cuda"
/*
 * The version of PTX, also for GPUs for which LLVM writes an older one: shuffles, activemask, and
 * the single bytes of an address in a packed structure need it.
 */
#define TARGET_NVPTX_VERSION "+ptx71"

/* The address space of memory that a work-group shares, for SPIR and for NVPTX. */
#define TARGET_LOCAL_SPACE 3

/* Work-items of a sub-group on every NVIDIA GPU. */
#define TARGET_NVPTX_SUB_GROUP 32

/*
 * X(name, triple, layout): every target: what its triples begin with, and the triple and the data
 * layout of a module that has none. A name comes before those that it begins with.
 */
#define COMPILER_TARGETS(X)                                                                        \
  X("spir64", "spir64-unknown-unknown",                                                            \
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024")          \
  X("spir", "spir-unknown-unknown",                                                                \
    "e-p:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024")  \
  X(TARGET_NVPTX, TARGET_NVPTX_TRIPLE, "e-i64:64-i128:128-v16:16-v32:32-n16:32:64")

/*
 * Sees to it that the module has the wanted target, NULL for the module's own, and gives
 * it the target's triple and data layout where it has none.
 * INVALID_TARGET: unknown, not the module's, none at all, or of big-endian data.
 */
specpi_compiler_result target_apply(LLVMModuleRef module, const char *wanted);

/* Returns whether the module's functions have the calling convention of SPIR. */
bool target_is_spir(LLVMModuleRef module);

/* Returns whether the module is for nvptx64. */
bool target_is_nvptx(LLVMModuleRef module);

/* Returns whether a module for spir64 is wanted for nvptx64, which spir_map makes of it. */
bool target_maps(LLVMModuleRef module, const char *wanted);

#endif

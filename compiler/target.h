/* Targets for which modules are lowered. */
#ifndef COMPILER_TARGET_H
#define COMPILER_TARGET_H

#include "error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

#define TARGET_NVPTX "nvptx64"
#define TARGET_NVPTX_TRIPLE "nvptx64-nvidia-cuda"
/*
 * The version of PTX for all GPUs, although LLVM's default for some is older. Shuffles, activemask,
 * and single bytes of an address (in packed structures) need it.
 */
#define TARGET_NVPTX_VERSION "+ptx71"

/* Address space of local memory, for SPIR and for NVPTX. */
#define TARGET_LOCAL_SPACE 3

/* Number of work-items in a warp of every NVIDIA GPU. */
#define TARGET_NVPTX_SUB_GROUP 32

/*
 * X(name, triple, layout): targets. Their triples start with the name; triple and layout are for
 * modules that have none. A name comes before names that are its prefixes.
 */
#define COMPILER_TARGETS(X)                                                                        \
  X("spir64", "spir64-unknown-unknown",                                                            \
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024")          \
  X("spir", "spir-unknown-unknown",                                                                \
    "e-p:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024")  \
  X(TARGET_NVPTX, TARGET_NVPTX_TRIPLE, "e-i64:64-i128:128-v16:16-v32:32-n16:32:64")

/*
 * Checks that the module has the wanted target, or any known one if wanted is NULL. Sets the
 * target's triple and data layout if the module has none. INVALID_TARGET: the target is unknown or
 * is not the module's, there is none at all, or the module is big-endian.
 */
specpi_compiler_result target_apply(LLVMModuleRef module, const char *wanted);

/* Returns whether the module's functions have the calling convention of SPIR. */
bool target_is_spir(LLVMModuleRef module);

/* Returns whether the module is for nvptx64. */
bool target_is_nvptx(LLVMModuleRef module);

/* Returns whether a module is for spir64 and the wanted target is nvptx64, so that it needs
 * spir_map. */
bool target_maps(LLVMModuleRef module, const char *wanted);

#endif

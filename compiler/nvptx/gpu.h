/* The GPUs that NVPTX code is generated for. */
#ifndef COMPILER_GPU_H
#define COMPILER_GPU_H

#include "../error.h"

#include <llvm-c/TargetMachine.h>

/*
 * X(name, version): every GPU, and the version of LLVM from which on it is known; 0 for
 * versions after 19. Each runs the code of those before it.
 */
#define COMPILER_GPUS(X)                                                                           \
  X("sm_50", 15)                                                                                   \
  X("sm_52", 15)                                                                                   \
  X("sm_53", 15)                                                                                   \
  X("sm_60", 15)                                                                                   \
  X("sm_61", 15)                                                                                   \
  X("sm_62", 15)                                                                                   \
  X("sm_70", 15)                                                                                   \
  X("sm_72", 15)                                                                                   \
  X("sm_75", 15)                                                                                   \
  X("sm_80", 15)                                                                                   \
  X("sm_86", 15)                                                                                   \
  X("sm_87", 16)                                                                                   \
  X("sm_89", 16)                                                                                   \
  X("sm_90", 16)                                                                                   \
  X("sm_100", 0)                                                                                   \
  X("sm_101", 0)                                                                                   \
  X("sm_103", 0)                                                                                   \
  X("sm_110", 0)                                                                                   \
  X("sm_120", 0)                                                                                   \
  X("sm_121", 0)

/*
 * A machine that generates code for a GPU, NULL for the default, or for the latest one before it
 * that LLVM knows. The caller disposes of it. INVALID_TARGET: the GPU is not known. INTERNAL.
 */
specpi_compiler_result gpu_machine(const char *gpu, unsigned optimization,
                                   LLVMTargetMachineRef *ret);

#endif

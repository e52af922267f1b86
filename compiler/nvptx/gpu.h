/* GPUs for which NVPTX code can be generated. */
#ifndef COMPILER_GPU_H
#define COMPILER_GPU_H

#include "../error.h"

#include <llvm-c/TargetMachine.h>

/*
 * X(name, version): every GPU, and the first version of LLVM that knows it; 0 for versions after
 * 19. Each GPU runs code for the GPUs before it.
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
 * Creates a target machine for a GPU or, if LLVM does not know that GPU, for the latest one before
 * it that LLVM knows. gpu is NULL for the default. The caller disposes of the machine.
 * INVALID_TARGET: the GPU is unknown. INTERNAL.
 */
specpi_compiler_result gpu_machine(const char *gpu, unsigned optimization,
                                   LLVMTargetMachineRef *ret);

#endif

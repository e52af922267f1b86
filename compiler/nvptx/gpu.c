#include "gpu.h"

#include "../target.h"

#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <string.h>

/* Registers LLVM's NVPTX target, which is global to the process and not thread-safe. */
static void initialize(void) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

const char *specpiCompilerGetKnownGpu(const char *gpu) {
  static const struct {
    const char *name;
    unsigned version;
  } gpus[] = {
#define COMPILER_GPU(name, version) {name, version},
      COMPILER_GPUS(COMPILER_GPU)
#undef COMPILER_GPU
  };
  const char *wanted = gpu != NULL ? gpu : "sm_80";
  const char *latest = NULL;
  for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++) {
    if (gpus[i].version != 0 && gpus[i].version <= LLVM_VERSION_MAJOR)
      latest = gpus[i].name;
    if (strcmp(gpus[i].name, wanted) == 0)
      return latest;
  }
  return NULL;
}

specpi_compiler_result gpu_machine(const char *gpu, unsigned optimization,
                                   LLVMTargetMachineRef *ret) {
  /* The aggressive level would only repeat value numbering, which the pipeline has done. */
  static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                               LLVMCodeGenLevelDefault, LLVMCodeGenLevelDefault};
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
  const char *known = specpiCompilerGetKnownGpu(gpu);
  COMPILER_REQUIRE(known != NULL, SPECPI_COMPILER_ERROR_INVALID_TARGET,
                   "the GPU '%s' is not known; one is called e.g. 'sm_80'", gpu);
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(TARGET_NVPTX_TRIPLE, &target, &message)) {
    compiler_error(SPECPI_COMPILER_ERROR_INTERNAL, "this LLVM cannot generate NVPTX code: %s",
                   message);
    LLVMDisposeMessage(message);
    return SPECPI_COMPILER_ERROR_INTERNAL;
  }
  LLVMTargetMachineRef machine =
      LLVMCreateTargetMachine(target, TARGET_NVPTX_TRIPLE, known, TARGET_NVPTX_VERSION,
                              levels[optimization], LLVMRelocDefault, LLVMCodeModelDefault);
  COMPILER_REQUIRE(machine != NULL, SPECPI_COMPILER_ERROR_INTERNAL,
                   "LLVM has no NVPTX machine for the GPU '%s'", known);
  *ret = machine;
  return SPECPI_COMPILER_SUCCESS;
}

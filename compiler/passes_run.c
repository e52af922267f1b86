#include "passes_run.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

specpi_compiler_result passes_run(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                  const char *passes, const char *purpose) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error == NULL)
    return SPECPI_COMPILER_SUCCESS;
  char *message = LLVMGetErrorMessage(error);
  compiler_error(SPECPI_COMPILER_ERROR_INTERNAL, "LLVM cannot %s: %s", purpose, message);
  LLVMDisposeErrorMessage(message);
  return SPECPI_COMPILER_ERROR_INTERNAL;
}

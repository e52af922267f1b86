/* Runs LLVM's own passes on a module. */
#ifndef SPECPI_COMPILER_PASSES_RUN_H
#define SPECPI_COMPILER_PASSES_RUN_H

#include "error.h"

#include <llvm-c/TargetMachine.h>

/*
 * Runs passes, named as for opt(1), for a target machine, which may be NULL. purpose is the verb of
 * the error message. SPECPI_COMPILER_ERROR_INTERNAL: LLVM fails; the message has its reason.
 */
specpi_compiler_result passes_run(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                  const char *passes, const char *purpose);

#endif

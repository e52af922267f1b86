/* LLVM's own passes over a module. */
#ifndef SPECPI_COMPILER_PASSES_RUN_H
#define SPECPI_COMPILER_PASSES_RUN_H

#include "error.h"

#include <llvm-c/TargetMachine.h>

/*
 * Runs passes, as opt(1) names them, for a machine or, when that is NULL, for none.
 * SPECPI_COMPILER_ERROR_INTERNAL: LLVM cannot, with its reason; purpose is the verb of the
 * message, what they are run for.
 */
specpi_compiler_result passes_run(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                  const char *passes, const char *purpose);

#endif

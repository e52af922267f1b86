/* Functions that reach another one by direct calls, which attributes of this project's mark. */
#ifndef COMPILER_CALLERS_H
#define COMPILER_CALLERS_H

#include "error.h"

#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

bool callers_has_mark(LLVMValueRef function, const char *mark);
void callers_remove_mark(LLVMValueRef function, const char *mark);

/* Marks a function, and all that reach it. OUT_OF_MEMORY. */
specpi_compiler_result callers_mark(LLVMValueRef function, const char *mark);

/* Marks all that reach a function, which itself stays as it is. OUT_OF_MEMORY. */
specpi_compiler_result callers_mark_users(LLVMValueRef function, const char *mark);

/*
 * Inlines the marked functions wherever they are called, even those that forbid it. A call of a
 * function that calls itself stays. INTERNAL: LLVM cannot.
 */
specpi_compiler_result callers_inline(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                      const char *mark);

#endif

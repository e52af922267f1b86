/* Marks functions that reach another one by direct calls, with attributes of this project. */
#ifndef COMPILER_CALLERS_H
#define COMPILER_CALLERS_H

#include "error.h"

#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

bool callers_has_mark(LLVMValueRef function, const char *mark);
void callers_remove_mark(LLVMValueRef function, const char *mark);

/* Marks a function and all functions that reach it. OUT_OF_MEMORY. */
specpi_compiler_result callers_mark(LLVMValueRef function, const char *mark);

/* Marks all functions that reach a function, but not that function itself. OUT_OF_MEMORY. */
specpi_compiler_result callers_mark_users(LLVMValueRef function, const char *mark);

/*
 * Inlines all calls of marked functions, even if the functions forbid it. Calls of recursive
 * functions stay. INTERNAL: LLVM's pass fails.
 */
specpi_compiler_result callers_inline(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                      const char *mark);

#endif

#include "callers.h"

#include "../plugins/base/vector.h"
#include "attributes.h"
#include "calls.h"
#include "passes_run.h"

#include <stdlib.h>
#include <string.h>

/* Marked functions whose callers are still to be marked. */
typedef struct marking {
  const char *mark;
  VECTOR(LLVMValueRef) work;
} marking;

bool callers_has_mark(LLVMValueRef function, const char *mark) {
  return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       mark, (unsigned)strlen(mark)) != NULL;
}

void callers_remove_mark(LLVMValueRef function, const char *mark) {
  LLVMRemoveStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark,
                                   (unsigned)strlen(mark));
}

static specpi_compiler_result mark_function(marking *marking, LLVMValueRef function) {
  if (callers_has_mark(function, marking->mark))
    return SPECPI_COMPILER_SUCCESS;
  if (!VECTOR_RESERVE(&marking->work))
    return compiler_error_memory();
  marking->work.items[marking->work.count++] = function;
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(context, marking->mark, (unsigned)strlen(marking->mark), "", 0));
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result mark_users(marking *marking, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (called_function(user) == function)
      COMPILER_TRY(mark_function(marking, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))));
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Marks callers until no unmarked ones remain, and frees the marking. */
static specpi_compiler_result finish_marking(marking *marking, specpi_compiler_result result) {
  while (result == SPECPI_COMPILER_SUCCESS && marking->work.count > 0)
    result = mark_users(marking, marking->work.items[--marking->work.count]);
  free(marking->work.items);
  return result;
}

specpi_compiler_result callers_mark(LLVMValueRef function, const char *mark) {
  marking marking = {.mark = mark};
  return finish_marking(&marking, mark_function(&marking, function));
}

specpi_compiler_result callers_mark_users(LLVMValueRef function, const char *mark) {
  marking marking = {.mark = mark};
  return finish_marking(&marking, mark_users(&marking, function));
}

specpi_compiler_result callers_inline(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                      const char *mark) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function)) {
    if (!callers_has_mark(function, mark))
      continue;
    attributes_remove_from_calls(function, "noinline");
    attributes_remove_from_calls(function, "optnone");
    attributes_add(function, "alwaysinline");
  }
  return passes_run(module, machine, "always-inline", "inline");
}

#include "inline_calls.h"

#include "../../plugins/base/vector.h"
#include "../attributes.h"
#include "../calls.h"
#include "../passes_run.h"

#include <stdlib.h>

enum {
  ROUNDS = 32, /* each round inlines one level of calls */
  GROWTH = 4,  /* the module may reach this many times its size, plus 20000 instructions */
  ROOM = 20000
};

/* A module before a round of inlining. */
typedef struct survey {
  size_t size;                 /* instructions */
  size_t growth;               /* instructions that the round may add */
  VECTOR(LLVMValueRef) leaves; /* the functions to inline, which call no others */
} survey;

static bool calls_function(LLVMValueRef instruction) {
  LLVMValueRef function = called_function(instruction);
  return function != NULL && !LLVMIsDeclaration(function);
}

static size_t count_instructions(LLVMValueRef function, bool *ret_calls) {
  size_t count = 0;
  *ret_calls = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef value = LLVMGetFirstInstruction(block); value != NULL;
         value = LLVMGetNextInstruction(value), count++)
      *ret_calls |= calls_function(value);
  return count;
}

static size_t count_calls_of(LLVMValueRef function) {
  size_t count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use))
    count += called_function(LLVMGetUser(use)) == function;
  return count;
}

static specpi_compiler_result survey_function(survey *survey, LLVMValueRef function) {
  bool calls;
  const size_t size = count_instructions(function, &calls);
  survey->size += size;
  if (calls || attributes_has(function, "noinline") || attributes_has(function, "alwaysinline"))
    return SPECPI_COMPILER_SUCCESS;
  const size_t count = count_calls_of(function);
  if (count == 0)
    return SPECPI_COMPILER_SUCCESS;
  if (!VECTOR_RESERVE(&survey->leaves))
    return compiler_error_memory();
  survey->leaves.items[survey->leaves.count++] = function;
  survey->growth += size * count;
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result survey_module(survey *survey, LLVMModuleRef module) {
  survey->size = survey->growth = survey->leaves.count = 0;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    if (!LLVMIsDeclaration(function))
      COMPILER_TRY(survey_function(survey, function));
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result inline_leaves(const survey *survey, LLVMModuleRef module,
                                            LLVMTargetMachineRef machine) {
  for (size_t i = 0; i < survey->leaves.count; i++)
    attributes_add(survey->leaves.items[i], "alwaysinline");
  return passes_run(module, machine, "always-inline", "inline");
}

specpi_compiler_result inline_calls(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                    bool *ret_changed) {
  survey survey = {0};
  bool is_changed = false;
  specpi_compiler_result result = survey_module(&survey, module);
  const size_t limit = ROOM + GROWTH * survey.size;
  for (int round = 0; round < ROUNDS && result == SPECPI_COMPILER_SUCCESS; round++) {
    if (survey.leaves.count == 0 || survey.size + survey.growth > limit)
      break;
    is_changed = true;
    result = inline_leaves(&survey, module, machine);
    if (result == SPECPI_COMPILER_SUCCESS)
      result = survey_module(&survey, module);
  }
  free(survey.leaves.items);
  *ret_changed = is_changed;
  return result;
}

#include "kernel_arguments.h"

#include "../attributes.h"
#include "../note.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Replaces uses of an old parameter by the new one, converted if the type changes. */
static specpi_compiler_result move_parameter(LLVMBuilderRef builder, LLVMValueRef from,
                                             LLVMValueRef to, unsigned index,
                                             const argument_change *change) {
  LLVMValueRef old = LLVMGetParam(from, index);
  LLVMValueRef made = LLVMGetParam(to, index);
  size_t length;
  const char *name = LLVMGetValueName2(old, &length);
  LLVMSetValueName2(made, name, length);
  if (change->type_of(old, index, change->data) != NULL) {
    LLVMReplaceAllUsesWith(old, change->value_of(builder, made, LLVMTypeOf(old), change->data));
    return SPECPI_COMPILER_SUCCESS;
  }
  LLVMReplaceAllUsesWith(old, made);
  return attributes_copy(from, to, index + 1, false);
}

static specpi_compiler_result move_body(LLVMValueRef from, LLVMValueRef to,
                                        const argument_change *change) {
  LLVMBasicBlockRef block;
  while ((block = LLVMGetFirstBasicBlock(from)) != NULL) {
    LLVMRemoveBasicBlockFromParent(block);
    LLVMAppendExistingBasicBlock(to, block);
  }
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(to)));
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(to);
  LLVMPositionBuilder(builder, entry, LLVMGetFirstInstruction(entry));
  specpi_compiler_result result =
      attributes_copy(from, to, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, false);
  for (unsigned i = 0; i < LLVMCountParams(to) && result == SPECPI_COMPILER_SUCCESS; i++)
    result = move_parameter(builder, from, to, i, change);
  LLVMDisposeBuilder(builder);
  return result;
}

/* Returns the changed kernel's type, or NULL if no parameter changes. */
static specpi_compiler_result change_type(LLVMValueRef kernel, const argument_change *change,
                                          LLVMTypeRef *ret) {
  const unsigned count = LLVMCountParams(kernel);
  LLVMTypeRef *types = malloc((count + 1u) * sizeof(LLVMTypeRef));
  bool any = false;
  if (types == NULL)
    return compiler_error_memory();
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef parameter = LLVMGetParam(kernel, i);
    LLVMTypeRef changed = change->type_of(parameter, i, change->data);
    types[i] = changed != NULL ? changed : LLVMTypeOf(parameter);
    any |= changed != NULL;
  }
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(kernel));
  *ret = any ? LLVMFunctionType(result, types, count, 0) : NULL;
  free(types);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result kernel_arguments_change(LLVMModuleRef module, LLVMValueRef kernel,
                                               const argument_change *change, LLVMValueRef *ret) {
  *ret = kernel;
  LLVMTypeRef type;
  COMPILER_TRY(change_type(kernel, change, &type));
  if (type == NULL)
    return SPECPI_COMPILER_SUCCESS;
  LLVMValueRef made = LLVMAddFunction(module, "", type);
  LLVMSetFunctionCallConv(made, LLVMGetFunctionCallConv(kernel));
  COMPILER_TRY(move_body(kernel, made, change));
  note_move_all(kernel, made);
  size_t length;
  const char *name = LLVMGetValueName2(kernel, &length);
  char *copy = strndup(name, length);
  if (copy == NULL)
    return compiler_error_memory();
  LLVMReplaceAllUsesWith(kernel, made); /* includes uses in the module's metadata */
  LLVMDeleteFunction(kernel);
  LLVMSetValueName2(made, copy, length);
  free(copy);
  *ret = made;
  return SPECPI_COMPILER_SUCCESS;
}

#include "attributes.h"

#include <stdlib.h>
#include <string.h>

static const LLVMAttributeIndex own = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

specpi_compiler_result attributes_copy(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex index,
                                       bool call) {
  const unsigned count =
      call ? LLVMGetCallSiteAttributeCount(from, index) : LLVMGetAttributeCountAtIndex(from, index);
  if (count == 0)
    return SPECPI_COMPILER_SUCCESS;
  LLVMAttributeRef *list = calloc(count, sizeof *list);
  if (list == NULL)
    return compiler_error_memory();
  if (call)
    LLVMGetCallSiteAttributes(from, index, list);
  else
    LLVMGetAttributesAtIndex(from, index, list);
  for (unsigned i = 0; i < count; i++)
    if (call)
      LLVMAddCallSiteAttribute(to, index, list[i]);
    else
      LLVMAddAttributeAtIndex(to, index, list[i]);
  free(list);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result attributes_copy_all(LLVMValueRef from, LLVMValueRef to, unsigned parameters,
                                           bool call) {
  COMPILER_TRY(attributes_copy(from, to, own, call));
  for (unsigned i = 0; i <= parameters; i++) /* index 0 is the result */
    COMPILER_TRY(attributes_copy(from, to, i, call));
  return SPECPI_COMPILER_SUCCESS;
}

unsigned attributes_kind(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

LLVMAttributeRef attributes_make(LLVMContextRef context, const char *name) {
  return LLVMCreateEnumAttribute(context, attributes_kind(name), 0);
}

bool attributes_has(LLVMValueRef function, const char *name) {
  return LLVMGetEnumAttributeAtIndex(function, own, attributes_kind(name)) != NULL;
}

void attributes_add(LLVMValueRef function, const char *name) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(function, own, attributes_make(context, name));
}

void attributes_remove(LLVMValueRef function, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(function, own, attributes_kind(name));
}

void attributes_remove_from_calls(LLVMValueRef function, const char *name) {
  attributes_remove(function, name);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) != NULL && LLVMGetCalledValue(user) == function)
      LLVMRemoveCallSiteEnumAttribute(user, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                      attributes_kind(name));
  }
}

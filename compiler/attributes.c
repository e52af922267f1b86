#include "attributes.h"

#include <stdlib.h>

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
  COMPILER_TRY(attributes_copy(from, to, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, call));
  for (unsigned i = 0; i <= parameters; i++) /* 0 is the result */
    COMPILER_TRY(attributes_copy(from, to, i, call));
  return SPECPI_COMPILER_SUCCESS;
}

#include "sycl_notes.h"

#include "sycl_unit.h"

#include <stdlib.h>
#include <string.h>

/* The text of a note of one operand, in new memory: "" for a note without one; NULL without memory.
 */
static char *text_of(LLVMValueRef node) {
  LLVMValueRef operand = NULL;
  if (LLVMGetMDNodeNumOperands(node) == 1)
    LLVMGetMDNodeOperands(node, &operand);
  unsigned length = 0;
  const char *text = operand != NULL ? LLVMGetMDString(operand, &length) : NULL;
  return text != NULL ? strndup(text, length) : strdup("");
}

static specpi_compiler_result read_list(LLVMModuleRef module, const char *name, LLVMValueRef **ret,
                                        unsigned *count) {
  *count = LLVMGetNamedMetadataNumOperands(module, name);
  *ret = calloc(*count + 1u, sizeof **ret);
  if (*ret == NULL)
    return compiler_error_memory();
  if (*count > 0)
    LLVMGetNamedMetadataOperands(module, name, *ret);
  return SPECPI_COMPILER_SUCCESS;
}

/* Adds a name, which may be NULL for want of memory. */
static specpi_compiler_result add_name(output_names *list, char *name) {
  if (name == NULL || !VECTOR_RESERVE(list)) {
    free(name);
    return compiler_error_memory();
  }
  list->items[list->count++] = name;
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result read_required(LLVMModuleRef module, specpi_compiler_output output) {
  LLVMValueRef *nodes;
  unsigned count;
  COMPILER_TRY(read_list(module, SYCL_REQUIRED_METADATA, &nodes, &count));
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (unsigned i = 0; i < count && result == SPECPI_COMPILER_SUCCESS; i++)
    result = add_name(&output->required, text_of(nodes[i]));
  free(nodes);
  return result;
}

static bool is_kernel(LLVMValueRef function) {
  const unsigned convention = LLVMGetFunctionCallConv(function);
  return convention == LLVMSPIRKERNELCallConv || convention == LLVMPTXKernelCallConv;
}

/* What is external in a unit's module, and no kernel, is for other images. */
static specpi_compiler_result list_functions(LLVMModuleRef module, specpi_compiler_output output) {
  for (LLVMValueRef at = LLVMGetFirstFunction(module); at != NULL; at = LLVMGetNextFunction(at)) {
    size_t length;
    const char *name = LLVMGetValueName2(at, &length);
    if (LLVMIsDeclaration(at) ? sycl_is_external(at) && LLVMGetFirstUse(at) != NULL
                              : LLVMGetLinkage(at) == LLVMExternalLinkage && !is_kernel(at))
      COMPILER_TRY(add_name(LLVMIsDeclaration(at) ? &output->imported : &output->exported,
                            strndup(name, length)));
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result sycl_notes_read(LLVMModuleRef module, specpi_compiler_output output) {
  LLVMValueRef *nodes;
  unsigned count;
  COMPILER_TRY(read_list(module, SYCL_UNIT_METADATA, &nodes, &count));
  if (count > 0)
    output->unit_id = text_of(nodes[0]);
  free(nodes);
  if (count == 0)
    return SPECPI_COMPILER_SUCCESS;
  if (output->unit_id == NULL)
    return compiler_error_memory();
  COMPILER_TRY(read_required(module, output));
  return list_functions(module, output);
}

#include "sycl_notes.h"

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

static specpi_compiler_result read_required(LLVMModuleRef module, specpi_compiler_output output) {
  LLVMValueRef *nodes;
  unsigned count;
  COMPILER_TRY(read_list(module, SYCL_REQUIRED_METADATA, &nodes, &count));
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (unsigned i = 0; i < count && result == SPECPI_COMPILER_SUCCESS; i++) {
    char *text = text_of(nodes[i]);
    if (text == NULL || !VECTOR_RESERVE(&output->required)) {
      free(text);
      result = compiler_error_memory();
    } else {
      output->required.items[output->required.count++] = text;
    }
  }
  free(nodes);
  return result;
}

specpi_compiler_result sycl_notes_read(LLVMModuleRef module, specpi_compiler_output output) {
  LLVMValueRef *nodes;
  unsigned count;
  COMPILER_TRY(read_list(module, SYCL_UNIT_METADATA, &nodes, &count));
  if (count > 0)
    output->unit_id = text_of(nodes[0]);
  free(nodes);
  if (count > 0 && output->unit_id == NULL)
    return compiler_error_memory();
  return read_required(module, output);
}

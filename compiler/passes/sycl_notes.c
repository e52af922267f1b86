#include "sycl_notes.h"

#include "sycl_unit.h"

#include <stdlib.h>
#include <string.h>

void sycl_notes_add(LLVMModuleRef module, const char *list, const char *name, const char *text) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMMetadataRef parts[] = {LLVMMDStringInContext2(context, name, strlen(name)),
                             LLVMMDStringInContext2(context, text, strlen(text))};
  LLVMAddNamedMetadataOperand(
      module, list, LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, parts, 2)));
}

/* Returns the text of a note's operand, without a NUL; "" if there is none, or the note has more
 * than two operands. */
static const char *peek_text(LLVMValueRef node, unsigned index, unsigned *length) {
  LLVMValueRef operands[2] = {NULL, NULL};
  if (LLVMGetMDNodeNumOperands(node) <= 2)
    LLVMGetMDNodeOperands(node, operands);
  *length = 0;
  const char *text = operands[index] != NULL ? LLVMGetMDString(operands[index], length) : NULL;
  return text != NULL ? text : "";
}

/* Copies the text of a note's operand; NULL when memory is exhausted. */
static char *text_of(LLVMValueRef node, unsigned index) {
  unsigned length;
  const char *text = peek_text(node, index, &length);
  return strndup(text, length);
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

/* Adds the texts of all notes of a name; each note has size texts. */
static specpi_compiler_result read_texts(LLVMModuleRef module, const char *name, unsigned size,
                                         output_names *list) {
  LLVMValueRef *nodes;
  unsigned count;
  COMPILER_TRY(read_list(module, name, &nodes, &count));
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (unsigned i = 0; i < size * count && result == SPECPI_COMPILER_SUCCESS; i++)
    result = output_add(list, text_of(nodes[i / size], i % size));
  free(nodes);
  return result;
}

static bool is_kernel(LLVMValueRef function) {
  const unsigned convention = LLVMGetFunctionCallConv(function);
  return convention == LLVMSPIRKERNELCallConv || convention == LLVMPTXKernelCallConv;
}

/*
 * Returns a copy of the notes' text about calls of a function, or of "" if there is none; NULL when
 * memory is exhausted.
 */
static char *call_of(LLVMValueRef const *notes, unsigned count, const char *function) {
  for (unsigned i = 0; i < count; i++) {
    unsigned length;
    const char *name = peek_text(notes[i], 0, &length);
    if (length == strlen(function) && memcmp(name, function, length) == 0)
      return text_of(notes[i], 1);
  }
  return strdup("");
}

/*
 * Lists the external functions of a unit's module that are not kernels: those that it exports, and
 * those of other images that it calls.
 */
static specpi_compiler_result list_functions(LLVMModuleRef module, LLVMValueRef const *notes,
                                             unsigned count, specpi_compiler_output output) {
  for (LLVMValueRef at = LLVMGetFirstFunction(module); at != NULL; at = LLVMGetNextFunction(at)) {
    size_t length;
    const char *name = LLVMGetValueName2(at, &length);
    if (!LLVMIsDeclaration(at)) {
      if (LLVMGetLinkage(at) == LLVMExternalLinkage && !is_kernel(at))
        COMPILER_TRY(output_add(&output->exported, strndup(name, length)));
    } else if (sycl_is_external(at) && LLVMGetFirstUse(at) != NULL) {
      COMPILER_TRY(output_add(&output->imported, strndup(name, length)));
      COMPILER_TRY(output_add(&output->calls, call_of(notes, count, name)));
    }
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result sycl_notes_read(LLVMModuleRef module, specpi_compiler_output output) {
  LLVMValueRef *nodes;
  unsigned count;
  COMPILER_TRY(read_list(module, SYCL_UNIT_METADATA, &nodes, &count));
  if (count > 0)
    output->unit_id = text_of(nodes[0], 0);
  free(nodes);
  if (count == 0)
    return SPECPI_COMPILER_SUCCESS;
  if (output->unit_id == NULL)
    return compiler_error_memory();
  COMPILER_TRY(read_texts(module, SYCL_REQUIRED_METADATA, 1, &output->required));
  COMPILER_TRY(read_texts(module, SYCL_OBJECTS_METADATA, 2, &output->objects));
  COMPILER_TRY(read_list(module, SYCL_CALLS_METADATA, &nodes, &count));
  const specpi_compiler_result result = list_functions(module, nodes, count, output);
  free(nodes);
  return result;
}

#include "kernels.h"

#include "note.h"

#include <stdlib.h>
#include <string.h>

static bool has_convention(LLVMValueRef function) {
  const unsigned convention = LLVMGetFunctionCallConv(function);
  return convention == LLVMSPIRKERNELCallConv || convention == LLVMPTXKernelCallConv;
}

static void give_name(LLVMValueRef function) {
  size_t length;
  LLVMGetValueName2(function, &length);
  if (length == 0)
    LLVMSetValueName2(function, "unnamed", strlen("unnamed"));
}

/* Returns the function that an annotation marks as a kernel; NULL for other annotations. */
static LLVMValueRef annotated(LLVMValueRef node) {
  LLVMValueRef operands[3] = {NULL};
  if (LLVMGetMDNodeNumOperands(node) != 3)
    return NULL;
  LLVMGetMDNodeOperands(node, operands);
  unsigned length = 0;
  const char *kind = operands[1] != NULL ? LLVMGetMDString(operands[1], &length) : NULL;
  if (kind == NULL || length != 6 || memcmp(kind, "kernel", 6) != 0 || operands[0] == NULL)
    return NULL;
  LLVMValueRef function = LLVMIsAFunction(operands[0]);
  return function != NULL && !LLVMIsDeclaration(function) ? function : NULL;
}

/* Collects the names of the functions that annotations mark as kernels. */
static specpi_compiler_result list_annotated(LLVMModuleRef module, name_map *names) {
  const unsigned count = LLVMGetNamedMetadataNumOperands(module, KERNELS_ANNOTATIONS);
  if (count == 0)
    return SPECPI_COMPILER_SUCCESS;
  LLVMValueRef *nodes = malloc(count * sizeof *nodes);
  if (nodes == NULL)
    return compiler_error_memory();
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  LLVMGetNamedMetadataOperands(module, KERNELS_ANNOTATIONS, nodes);
  for (unsigned i = 0; i < count && result == SPECPI_COMPILER_SUCCESS; i++) {
    LLVMValueRef function = annotated(nodes[i]);
    if (function == NULL)
      continue;
    give_name(function);
    size_t length;
    size_t index;
    const char *name = LLVMGetValueName2(function, &length);
    if (!name_map_find(names, name, &index) && !name_map_add(names, name, i))
      result = compiler_error_memory();
  }
  free(nodes);
  return result;
}

/* Reads a note's numbers, at most count; reads none if it has more, or operands that are no
 * numbers. */
static specpi_compiler_result read_numbers(LLVMValueRef function, const char *kind, unsigned count,
                                           uint32_t *numbers) {
  note note;
  COMPILER_TRY(note_read(function, kind, &note));
  bool good = note.count > 0 && note.count <= count;
  for (unsigned i = 0; i < note.count && good; i++)
    good = note.operands[i] != NULL && LLVMIsAConstantInt(note.operands[i]) != NULL;
  for (unsigned i = 0; i < count && good; i++)
    numbers[i] = i < note.count ? (uint32_t)LLVMConstIntGetZExtValue(note.operands[i]) : 1;
  note_free(&note);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result add_kernel(LLVMValueRef function, specpi_compiler_output output,
                                         name_map *names) {
  size_t length;
  char *name = strdup(LLVMGetValueName2(function, &length));
  if (name == NULL || !VECTOR_RESERVE(&output->kernels)) {
    free(name);
    return compiler_error_memory();
  }
  specpi_compiler_kernel *made = &output->kernels.items[output->kernels.count++];
  *made = (specpi_compiler_kernel){.name = name, .buffer_argument = SPECPI_COMPILER_NO_ARGUMENT};
  COMPILER_TRY(read_numbers(function, "reqd_work_group_size", 3, made->required_size));
  COMPILER_TRY(
      read_numbers(function, "intel_reqd_sub_group_size", 1, &made->required_sub_group_size));
  return name_map_add(names, name, output->kernels.count - 1) ? SPECPI_COMPILER_SUCCESS
                                                              : compiler_error_memory();
}

specpi_compiler_result kernels_list(LLVMModuleRef module, specpi_compiler_output output,
                                    name_map *names) {
  name_map annotated_names = {0};
  specpi_compiler_result result = list_annotated(module, &annotated_names);
  for (LLVMValueRef value = LLVMGetFirstFunction(module);
       value != NULL && result == SPECPI_COMPILER_SUCCESS; value = LLVMGetNextFunction(value)) {
    if (LLVMIsDeclaration(value))
      continue;
    size_t length;
    size_t index;
    if (has_convention(value))
      give_name(value);
    else if (!name_map_find(&annotated_names, LLVMGetValueName2(value, &length), &index))
      continue;
    result = add_kernel(value, output, names);
  }
  name_map_free(&annotated_names);
  return result;
}

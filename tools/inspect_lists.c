#include "inspect.h"

#include "../plugins/code/code_head.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* Orders by name, and equal names by their place in the file. */
static int compare_arguments(const void *left, const void *right) {
  const specpi_property *l = ((const inspect_arguments *)left)->property;
  const specpi_property *r = ((const inspect_arguments *)right)->property;
  const int order = strcmp(l->name, r->name);
  return order ? order : (l > r) - (l < r);
}

static int compare_kernel(const void *kernel, const void *arguments) {
  return strcmp(kernel, ((const inspect_arguments *)arguments)->property->name);
}

/* Sorts the properties about arguments, so that each kernel finds its own by binary search. */
static void list_arguments(inspect_lists *lists) {
  lists->arguments = tool_new_list(lists->property_count, sizeof *lists->arguments);
  size_t count = 0;
  for (size_t i = 0; i < lists->property_count; i++)
    if (strcmp(lists->properties[i].set, PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO) == 0)
      lists->arguments[count++].property = &lists->properties[i];
  qsort(lists->arguments, count, sizeof *lists->arguments, compare_arguments);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || strcmp(lists->arguments[i].property->name,
                         lists->arguments[lists->argument_count - 1].property->name) != 0)
      lists->arguments[lists->argument_count++] = lists->arguments[i];
}

const specpi_property *inspect_arguments_of(const inspect_lists *lists, const char *kernel) {
  inspect_arguments *found = bsearch(kernel, lists->arguments, lists->argument_count,
                                     sizeof *lists->arguments, compare_kernel);
  if (!found || found->is_shown)
    return NULL;
  found->is_shown = true;
  return found->property;
}

bool inspect_is_removed(const specpi_property *removed, uint64_t argument) {
  return ((const unsigned char *)removed->bytes)[argument / 8] >> argument % 8 & 1;
}

/* Returns whether removed leaves exactly count arguments. */
static bool is_whole(const specpi_property *removed, size_t count) {
  uint64_t left = 0;
  for (uint64_t i = 0; i < removed->bits; i++)
    left += !inspect_is_removed(removed, i);
  return left == count;
}

void inspect_signature(const inspect_lists *lists, const char *kernel,
                       const specpi_property *removed,
                       void (*visit)(void *context, uint64_t number,
                                     const specpi_parameter *argument),
                       void *context) {
  const size_t count = signatures_take(lists->signatures, kernel);
  const bool skips = removed && is_whole(removed, count);
  uint64_t number = 0;
  for (size_t i = 0; i < count; i++, number++) {
    specpi_parameter argument;
    while (skips && inspect_is_removed(removed, number))
      number++;
    signatures_describe(lists->signatures, kernel, i, &argument);
    visit(context, number, &argument);
  }
}

inspect_lists inspect_lists_of(specpi_image image) {
  inspect_lists lists = {.kernels = NULL};
  specpiImageGetKernels(image, 0, NULL, &lists.kernel_count);
  lists.kernels = tool_new_list(lists.kernel_count, sizeof *lists.kernels);
  specpiImageGetKernels(image, lists.kernel_count, lists.kernels, &lists.kernel_count);

  specpiImageGetConstants(image, 0, NULL, &lists.constant_count);
  lists.constants = tool_new_list(lists.constant_count, sizeof *lists.constants);
  specpiImageGetConstants(image, lists.constant_count, lists.constants, &lists.constant_count);

  specpiImageGetProperties(image, NULL, 0, NULL, &lists.property_count);
  lists.properties = tool_new_list(lists.property_count, sizeof *lists.properties);
  specpiImageGetProperties(image, NULL, lists.property_count, lists.properties,
                           &lists.property_count);
  list_arguments(&lists);

  if (!signatures_read(image, &lists.signatures))
    tool_no_memory();
  if (lists.constant_count && specpiImageGetFormat(image) == PI_DEVICE_BINARY_TYPE_SPIRV) {
    size_t size;
    const void *module = specpiImageGetBytes(image, &size);
    lists.types = scalar_types_read(module, size);
    if (!lists.types)
      tool_no_memory();
  }
  return lists;
}

void inspect_lists_free(inspect_lists *lists) {
  free(lists->kernels);
  free(lists->constants);
  free(lists->properties);
  free(lists->arguments);
  signatures_free(lists->signatures);
  scalar_types_free(lists->types);
}

bool inspect_is_of_constants(const specpi_property *property) {
  return strcmp(property->set, PI_PROPERTY_SET_SPEC_CONST_MAP) == 0 ||
         strcmp(property->set, PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP) == 0;
}

char *inspect_type(const specpi_constant *constant, const scalar_types *types) {
  size_t scalars = 0;
  bool any = false;
  for (size_t i = 0; i < constant->leaf_count; i++) {
    if (constant->leaves[i].id == PI_SPEC_ID_PADDING)
      continue;
    scalars++;
    any |= scalar_types_find(types, constant->leaves[i].id) != NULL;
  }
  if (!any)
    return NULL;
  /* Each type name has at most 4 characters, and ", " separates two names. */
  char *text = tool_new_list(scalars * 6 + 3, 1);
  char *end = text;
  const char *before = scalars > 1 ? "{" : "";
  for (size_t i = 0; i < constant->leaf_count; i++) {
    if (constant->leaves[i].id == PI_SPEC_ID_PADDING)
      continue;
    const char *name = scalar_types_find(types, constant->leaves[i].id);
    for (const char *c = before; *c; c++)
      *end++ = *c;
    for (const char *c = name ? name : "?"; *c; c++)
      *end++ = *c;
    before = ", ";
  }
  if (scalars > 1)
    *end++ = '}';
  *end = '\0';
  return text;
}

bool inspect_code(specpi_image image, char *text, size_t size, const char **ending) {
  size_t count;
  const void *bytes = specpiImageGetBytes(image, &count);
  const code_head head = code_head_read(bytes, count);
  switch (head.kind) {
  case CODE_IS_PTX:
    *ending = "ptx";
    break;
  case CODE_IS_CUBIN:
    *ending = "cubin";
    break;
  case CODE_IS_FATBIN:
    *ending = "fatbin";
    break;
  default:
    return false;
  }
  code_head_describe(&head, text, size);
  return true;
}

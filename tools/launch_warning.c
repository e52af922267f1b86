#include "launch_warning.h"

#include "tool.h"

#include <stdlib.h>
#include <string.h>

/*
 * Returns the kernel's parameters from the first SPIR-V image that has them, or NULL. The caller
 * frees the list.
 */
static specpi_parameter *find_parameters(const char *kernel, size_t *ret) {
  size_t count;
  specpi_parameter *found = NULL;
  if (specpiImagesGet(0, NULL, &count) != SPECPI_SUCCESS)
    return NULL;
  specpi_image *images = tool_new_list(count, sizeof *images);
  if (specpiImagesGet(count, images, &count) != SPECPI_SUCCESS)
    count = 0;
  for (size_t i = 0; i < count && !found; i++) {
    if (specpiImageGetFormat(images[i]) != PI_DEVICE_BINARY_TYPE_SPIRV ||
        specpiImageGetParameters(images[i], kernel, 0, NULL, ret) != SPECPI_SUCCESS || *ret == 0)
      continue;
    found = tool_new_list(*ret, sizeof *found);
    specpiImageGetParameters(images[i], kernel, *ret, found, ret);
  }
  free(images);
  return found;
}

/* Returns a warning if a buffer's type is not the kernel's; NULL if it is, or is unknown. */
static char *compare_argument(const specpi_parameter *taken, const char *kernel, size_t index,
                              const launch_argument *given) {
  const bool is_known = given->kind == SPECPI_ARGUMENT_BUFFER && given->type &&
                        taken->kind == SPECPI_PARAMETER_POINTER && taken->scalar;
  if (!is_known || strcmp(taken->scalar, "i8") == 0 ||
      strcmp(taken->scalar, given->type->name) == 0)
    return NULL;
  return tool_format(
      "argument %zu of %s is %s, and %s has elements of %s: their bytes are taken as "
      "they are",
      index, kernel, taken->type, given->spec, given->type->name);
}

void launch_warnings_find(const char *kernel, const launch_argument *arguments, size_t count,
                          launch_warnings *ret) {
  size_t there = 0;
  *ret = (launch_warnings){.texts = tool_new_list(count, sizeof *ret->texts)};
  specpi_parameter *parameters = find_parameters(kernel, &there);
  for (size_t i = 0; parameters && i < count && i < there; i++) {
    char *text = compare_argument(&parameters[i], kernel, i, &arguments[i]);
    if (text)
      ret->texts[ret->count++] = text;
  }
  free(parameters);
}

void launch_warnings_free(launch_warnings *warnings) {
  for (size_t i = 0; i < warnings->count; i++)
    free(warnings->texts[i]);
  free(warnings->texts);
  *warnings = (launch_warnings){.texts = NULL};
}

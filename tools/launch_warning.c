#include "launch_warning.h"

#include "signature.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* What tells of the kernel's pointers: the first image of SPIR-V that has it. NULL without one. */
static signatures *find_signatures(const char *kernel, specpi_image *ret) {
  size_t count;
  size_t arguments;
  signatures *found = NULL;
  if (specpiImagesGet(0, NULL, &count) != SPECPI_SUCCESS)
    return NULL;
  specpi_image *images = tool_new_list(count, sizeof *images);
  if (specpiImagesGet(count, images, &count) != SPECPI_SUCCESS)
    count = 0;
  for (size_t i = 0; i < count && !found; i++) {
    if (specpiImageGetFormat(images[i]) != PI_DEVICE_BINARY_TYPE_SPIRV)
      continue;
    *ret = images[i];
    found = signatures_read(images[i]);
    if (!signatures_count(found, kernel, &arguments)) {
      signatures_free(found);
      found = NULL;
    }
  }
  free(images);
  return found;
}

/* NULL when the buffer's numbers are the kernel's, or nobody knows. */
static char *compare_argument(const signature_argument *taken, const char *kernel, size_t index,
                              const launch_argument *given) {
  const bool is_known = given->kind == SPECPI_ARGUMENT_BUFFER && given->type && taken->element;
  if (!is_known || strcmp(taken->element, "i8") == 0 ||
      strcmp(taken->element, given->type->name) == 0)
    return NULL;
  return tool_format(
      "argument %zu of %s is %s, and %s has elements of %s: their bytes are taken as "
      "they are",
      index, kernel, taken->type, given->spec, given->type->name);
}

void launch_warnings_find(const char *kernel, const launch_argument *arguments, size_t count,
                          launch_warnings *ret) {
  specpi_image image = NULL;
  size_t there;
  *ret = (launch_warnings){.texts = tool_new_list(count, sizeof *ret->texts)};
  signatures *signatures = find_signatures(kernel, &image);
  if (!signatures_count(signatures, kernel, &there))
    there = 0;
  for (size_t i = 0, place = 0; i < count && place < there; i++) {
    signature_argument taken;
    if (specpiImageIsArgumentEliminated(image, kernel, i))
      continue;
    signatures_argument(signatures, kernel, place++, &taken);
    char *text = compare_argument(&taken, kernel, i, &arguments[i]);
    if (text)
      ret->texts[ret->count++] = text;
  }
  signatures_free(signatures);
}

void launch_warnings_free(launch_warnings *it) {
  for (size_t i = 0; i < it->count; i++)
    free(it->texts[i]);
  free(it->texts);
  *it = (launch_warnings){.texts = NULL};
}

/* The types of an image's constants, and of its kernels' parameters. */
#include "error.h"
#include "image.h"
#include "kernel.h"
#include "scalar_types.h"
#include "signature.h"

#include <pthread.h>
#include <stdlib.h>

static size_t leaf_count(specpi_image image) {
  size_t count = 0;
  for (size_t i = 0; i < image->constant_count; i++)
    count += image->constants[i].leaf_count;
  return count;
}

/* Lists the types of the first capacity leaves. */
static void list_types(specpi_image image, const scalar_types *known, size_t capacity,
                       const char **types) {
  size_t at = 0;
  for (size_t i = 0; i < image->constant_count; i++)
    for (size_t j = 0; j < image->constants[i].leaf_count && at < capacity; j++) {
      const specpi_leaf *leaf = &image->constants[i].leaves[j];
      types[at++] = leaf->id == PI_SPEC_ID_PADDING ? NULL : scalar_types_find(known, leaf->id);
    }
}

specpi_result specpiImageGetLeafTypes(specpi_image image, size_t capacity, const char **types,
                                      size_t *count) {
  ERROR_REQUIRE(image, "image is NULL");
  ERROR_REQUIRE_LIST(types, capacity, count);
  if (capacity != 0) {
    size_t size;
    const void *bytes = specpiImageGetBytes(image, &size);
    scalar_types *known = scalar_types_read(bytes, size);
    if (!known)
      return error_memory();
    list_types(image, known, capacity, types);
    scalar_types_free(known);
  }
  *count = leaf_count(image);
  return SPECPI_SUCCESS;
}

const char *specpiParameterKindGetName(specpi_parameter_kind kind) {
  static const char *const names[] = {
#define SPECPI_PARAMETER_KIND(NAME, name) #name,
      SPECPI_PARAMETER_KINDS(SPECPI_PARAMETER_KIND)
#undef SPECPI_PARAMETER_KIND
  };
  return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}

static specpi_result list_parameters(specpi_image image, const signatures *known,
                                     const char *kernel, size_t capacity,
                                     specpi_parameter *parameters, size_t *count) {
  size_t in_code;
  uint32_t *places = NULL;
  if (!signatures_count(known, kernel, &in_code)) {
    *count = 0;
    return SPECPI_SUCCESS;
  }
  ERROR_TRY(kernel_place_arguments(image, kernel, (uint32_t)in_code, &places, count));
  for (size_t i = 0; i < *count && i < capacity; i++) {
    if (places[i] == KERNEL_ELIMINATED)
      parameters[i] = (specpi_parameter){.kind = SPECPI_PARAMETER_REMOVED, .type = "removed"};
    else
      signatures_describe(known, kernel, places[i], &parameters[i]);
  }
  free(places);
  return SPECPI_SUCCESS;
}

specpi_result specpiImageGetParameters(specpi_image image, const char *kernel, size_t capacity,
                                       specpi_parameter *parameters, size_t *count) {
  ERROR_REQUIRE(image, "image is NULL");
  ERROR_REQUIRE(kernel, "kernel is NULL");
  ERROR_REQUIRE_LIST(parameters, capacity, count);
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  /* Images are constant to their users, but the signatures are read later. */
  struct specpi_image_object *object = (struct specpi_image_object *)image;
  pthread_mutex_lock(&lock);
  const specpi_result result =
      object->signatures || signatures_read(image, &object->signatures)
          ? list_parameters(image, object->signatures, kernel, capacity, parameters, count)
          : error_memory();
  pthread_mutex_unlock(&lock);
  return result;
}

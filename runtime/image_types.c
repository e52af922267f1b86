/* The types of an image's constants. */
#include "error.h"
#include "image.h"
#include "scalar_types.h"

static size_t leaf_count(specpi_image image) {
  size_t count = 0;
  for (size_t i = 0; i < image->constant_count; i++)
    count += image->constants[i].leaf_count;
  return count;
}

/* The types of the first leaves. */
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

/*
 * The constants of an image: the scalars of each, and the place of its default.
 *
 * One property for each constant lists its scalars. One blob has the defaults of all constants in
 * the order of these properties. The place of a default is the sum of the sizes of all constants
 * before it; SYCL runtimes compute it in the same way.
 */
#include "image.h"

#include "property_set.h"

#include <specpi/ptx_trailer.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The size of a record in bytes: id, offset and size, each a little-endian word. */
enum { RECORD = 12 };

/*
 * The maximum size in bytes of all constants of an image without defaults. Defaults take as many
 * bytes in the image as the constants; without them, a record of twelve bytes could make every
 * bundle allocate gigabytes.
 */
enum { WITHOUT_DEFAULTS = 64 * 1024 * 1024 };

static uint32_t load_word(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static bool is_constant(const specpi_property *property) {
  return strcmp(property->set, PI_PROPERTY_SET_SPEC_CONST_MAP) == 0;
}

static bool has_target(const struct specpi_image_object *image, const char *target) {
  return strcmp(image->binary->DeviceTargetSpec, target) == 0;
}

static bool is_spirv_target(const struct specpi_image_object *image) {
  return has_target(image, PI_DEVICE_BINARY_TARGET_SPIRV64) ||
         has_target(image, PI_DEVICE_BINARY_TARGET_SPIRV32);
}

/* Returns whether the compiler records that constants are in a buffer. The set may be empty. */
static bool has_buffer_set(const struct specpi_image_object *image) {
  for (const pi_device_binary_property_set_struct *set = image->binary->PropertySetsBegin;
       set != image->binary->PropertySetsEnd; set++)
    if (strcmp(set->Name, IMAGE_BUFFER_ARGUMENTS) == 0)
      return true;
  return false;
}

/* Returns whether PTX ends in a line of our compiler's trailer (docs/internals/ptx.md). */
static bool has_trailer(const struct specpi_image_object *image) {
  static const char mark[] = SPECPI_PTX_TRAILER;
  const unsigned char *begin = image->binary->BinaryStart;
  const unsigned char *end = image->binary->BinaryEnd;
  while (end > begin && (end[-1] == '\n' || end[-1] == '\0'))
    end--;
  const unsigned char *line = end;
  while (line > begin && line[-1] != '\n')
    line--;
  return (size_t)(end - line) >= sizeof mark - 1 && memcmp(line, mark, sizeof mark - 1) == 0;
}

/* Finds the place of the constants' values. The plugin for PTX fills a buffer itself, because the
 * PTX describes it. */
static image_values choose_values(const struct specpi_image_object *image) {
  const bool has_set = has_buffer_set(image);
  if (has_target(image, PI_DEVICE_BINARY_TARGET_NVPTX64))
    return !has_set && has_trailer(image) ? IMAGE_VALUES_IN_CODE : IMAGE_VALUES_IN_PLUGIN_BUFFER;
  return !has_set && is_spirv_target(image) ? IMAGE_VALUES_IN_CODE : IMAGE_VALUES_IN_BUFFER;
}

/* Returns whether the compiler put the defaults in place of the constants. */
static bool has_defaults_only(const struct specpi_image_object *image) {
  for (size_t i = 0; i < image->property_count; i++)
    if (strcmp(image->properties[i].set, PI_PROPERTY_SET_SYCL_MISC_PROP) == 0 &&
        strcmp(image->properties[i].name, "specConstsReplacedWithDefault") == 0)
      return true;
  return false;
}

bool specpiImageHasNativeConstants(specpi_image image) {
  return image && image->constant_count && image->values == IMAGE_VALUES_IN_CODE &&
         !has_defaults_only(image);
}

bool image_imports(specpi_image image, const specpi_constant *constant) {
  return image->has_defaults && !constant->default_value;
}

uint32_t image_buffer_argument(specpi_image image, const char *kernel) {
  for (size_t i = 0; i < image->property_count; i++) {
    const specpi_property *one = &image->properties[i];
    if (strcmp(one->set, IMAGE_BUFFER_ARGUMENTS) == 0 && strcmp(one->name, kernel) == 0 &&
        one->type == PI_PROPERTY_TYPE_UINT32)
      return one->number;
  }
  return UINT32_MAX;
}

/* The blob of all defaults; *ret is NULL when the image has none. */
static specpi_result find_defaults(const struct specpi_image_object *image,
                                   const specpi_property **ret) {
  *ret = NULL;
  for (size_t i = 0; i < image->property_count; i++) {
    const specpi_property *one = &image->properties[i];
    if (strcmp(one->set, PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP) != 0)
      continue;
    IMAGE_REQUIRE(strcmp(one->name, "all") == 0 && one->type == PI_PROPERTY_TYPE_BYTE_ARRAY,
                  "the defaults of the constants have a property \"%s\" of type %d, where only the "
                  "byte array \"all\" may be",
                  one->name, (int)one->type);
    IMAGE_REQUIRE(!*ret, "the defaults of the constants are there twice");
    *ret = one;
  }
  return SPECPI_SUCCESS;
}

/* Checks that a property can be a constant; *ret receives the number of its leaves. */
static specpi_result count_leaves(const specpi_property *property, size_t *ret) {
  IMAGE_REQUIRE(property->type == PI_PROPERTY_TYPE_BYTE_ARRAY && property->size > 0 &&
                    property->size % RECORD == 0,
                "the record of constant \"%s\" has type %d and %zu bytes, not a multiple of %d in "
                "a byte array",
                property->name, (int)property->type, property->size, RECORD);
  *ret = property->size / RECORD;
  return SPECPI_SUCCESS;
}

/*
 * Reads the leaves of one constant. *extent receives its size in the blob in bytes, up to the end
 * of the last leaf or padding, and *content the size up to the end of the last leaf.
 */
static specpi_result read_leaves(const specpi_property *property, size_t count, specpi_leaf *leaves,
                                 uint64_t *extent, uint64_t *content) {
  uint64_t end = 0;
  *content = 0;
  for (size_t i = 0; i < count; i++) {
    const unsigned char *record = (const unsigned char *)property->bytes + i * RECORD;
    specpi_leaf *leaf = &leaves[i];
    *leaf = (specpi_leaf){load_word(record), load_word(record + 4), load_word(record + 8)};
    IMAGE_REQUIRE(leaf->offset >= end,
                  "constant \"%s\": entry %zu begins at byte %" PRIu32
                  ", and the one before it ends at %" PRIu64,
                  property->name, i, leaf->offset, end);
    end = (uint64_t)leaf->offset + leaf->size;
    if (leaf->id != PI_SPEC_ID_PADDING)
      *content = end;
  }
  *extent = end;
  return SPECPI_SUCCESS;
}

/* Counts constants and leaves, and allocates them. */
static specpi_result allocate_constants(struct specpi_image_object *image) {
  size_t constants = 0;
  size_t leaves = 0;
  for (size_t i = 0; i < image->property_count; i++) {
    if (!is_constant(&image->properties[i]))
      continue;
    size_t count;
    ERROR_TRY(count_leaves(&image->properties[i], &count));
    constants++;
    leaves += count;
  }
  if (constants == 0)
    return SPECPI_SUCCESS;
  image->constants = calloc(constants, sizeof *image->constants);
  image->leaves = calloc(leaves, sizeof *image->leaves);
  if (!image->constants || !image->leaves)
    return error_memory();
  return SPECPI_SUCCESS;
}

/*
 * Removes the defaults of imported constants, whose bytes in the image have no meaning. The set
 * lists them in the order of the constants.
 */
static specpi_result drop_imported_defaults(struct specpi_image_object *image) {
  size_t next = 0;
  for (size_t i = image_next_property(image, IMAGE_IMPORTED_CONSTANTS, 0);
       i < image->property_count; i = image_next_property(image, IMAGE_IMPORTED_CONSTANTS, i + 1)) {
    const char *name = image->properties[i].name;
    while (next < image->constant_count && strcmp(image->constants[next].name, name) != 0)
      next++;
    IMAGE_REQUIRE(next < image->constant_count,
                  "the imported constant \"%s\" is not among the constants, or not in their order",
                  name);
    image->constants[next++].default_value = NULL;
  }
  return SPECPI_SUCCESS;
}

specpi_result image_decode_constants(struct specpi_image_object *image) {
  const specpi_property *defaults;
  ERROR_TRY(find_defaults(image, &defaults));
  ERROR_TRY(allocate_constants(image));
  image->values = choose_values(image);
  /* Padding at the end of a record belongs to the constant, except for constants in a buffer. */
  const bool padded = image->values == IMAGE_VALUES_IN_CODE;
  uint64_t place = 0; /* offset in the blob */
  specpi_leaf *leaves = image->leaves;
  for (size_t i = 0; i < image->property_count; i++) {
    const specpi_property *property = &image->properties[i];
    if (!is_constant(property))
      continue;
    const size_t count = property->size / RECORD;
    uint64_t extent;
    uint64_t content;
    ERROR_TRY(read_leaves(property, count, leaves, &extent, &content));
    IMAGE_REQUIRE(!defaults || extent <= defaults->size - place,
                  "the defaults have %zu bytes, and the one of constant \"%s\" goes from byte "
                  "%" PRIu64 " to %" PRIu64,
                  defaults->size, property->name, place, place + extent);
    IMAGE_REQUIRE(defaults || extent <= WITHOUT_DEFAULTS - place,
                  "the constants have no defaults, and \"%s\" goes from byte %" PRIu64
                  " to %" PRIu64 ", more than %d",
                  property->name, place, place + extent, WITHOUT_DEFAULTS);
    image->constants[image->constant_count++] = (specpi_constant){
        .name = property->name,
        .size = (size_t)(padded ? extent : content),
        .leaf_count = count,
        .leaves = leaves,
        .default_value = defaults ? (const unsigned char *)defaults->bytes + place : NULL};
    place += extent;
    leaves += count;
  }
  IMAGE_REQUIRE(!defaults || place == defaults->size,
                "the defaults have %zu bytes, and all constants together %" PRIu64, defaults->size,
                place);
  image->has_defaults = defaults;
  return drop_imported_defaults(image);
}

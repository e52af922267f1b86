#include "foreign_image.h"

#include "../plugins/base/error.h"
#include "../plugins/code/constants.h"
#include "../plugins/code/spirv.h"
#include "error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Any content ---- */

static specpi_result own(const pi_device_binary_struct *binary, const foreign_image *from,
                         specpi_image *ret) {
  specpi_image borrowed;
  ERROR_TRY(specpiImageCreate(binary, &borrowed));
  specpi_image owned;
  const specpi_result result = image_own(borrowed, &owned);
  specpiImageRelease(borrowed);
  ERROR_TRY(result);
  /* Nobody else has it yet. */
  struct specpi_image_object *object = (struct specpi_image_object *)owned;
  object->content = from->content;
  object->learns_kernels = from->learns_kernels;
  *ret = owned;
  return SPECPI_SUCCESS;
}

/* With the property sets of another binary, or none. */
static specpi_result create(const foreign_image *from, const pi_device_binary_struct *sets,
                            specpi_image *ret) {
  pi_offload_entry_struct *entries = calloc(from->kernel_count + 1, sizeof *entries);
  if (!entries)
    return error_memory();
  /* PI's type is not const; nobody writes there. */
  for (size_t i = 0; i < from->kernel_count; i++)
    entries[i].name = (char *)(uintptr_t)from->kernels[i];
  const unsigned char *begin = from->bytes;
  pi_device_binary_struct binary = {.Version = 1,
                                    .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                                    .DeviceTargetSpec = from->target,
                                    .CompileOptions = sets ? sets->CompileOptions : "",
                                    .LinkOptions = sets ? sets->LinkOptions : "",
                                    .BinaryStart = begin,
                                    .BinaryEnd = begin + from->size,
                                    .EntriesBegin = entries,
                                    .EntriesEnd = entries + from->kernel_count};
  if (sets) {
    binary.Format = sets->Format;
    binary.PropertySetsBegin = sets->PropertySetsBegin;
    binary.PropertySetsEnd = sets->PropertySetsEnd;
  }
  const specpi_result result = own(&binary, from, ret);
  free(entries);
  return result;
}

specpi_result foreign_image_create(const foreign_image *from, specpi_image *ret) {
  return create(from, NULL, ret);
}

specpi_result foreign_image_name_kernels(specpi_image image, const char *const *kernels,
                                         size_t count, specpi_image *ret) {
  foreign_image from = {.content = image->content,
                        .target = image->binary->DeviceTargetSpec,
                        .kernels = kernels,
                        .kernel_count = count};
  from.bytes = specpiImageGetBytes(image, &from.size);
  return create(&from, image->binary, ret);
}

/* ---- IL ---- */

/* A module is damaged: its reader says how. */
static specpi_result damaged(void) {
  const char *words = "";
  pi_error_last(&words);
  ERROR_FAIL(SPECPI_ERROR_INVALID_IMAGE, "%s", words);
}

static bool is_entry_point(const pi_spirv_instruction *instruction) {
  return instruction->opcode == PI_SPIRV_OP_ENTRY_POINT && instruction->words > 3;
}

/* The text in an instruction, which begins at its fourth word; "" when it does not end. */
static const char *name_of(const pi_spirv_instruction *instruction) {
  const char *name = (const char *)instruction->bytes + (size_t)3 * 4;
  return memchr(name, '\0', ((size_t)instruction->words - 3) * 4) ? name : "";
}

/* The number of entry points; names, which may be NULL, receives them. */
static specpi_result find_entries(const void *il, size_t size, const char **names, size_t *count) {
  pi_spirv module;
  if (pi_spirv_open(il, size, &module) != PI_SUCCESS)
    return damaged();
  *count = 0;
  while (pi_spirv_more(&module)) {
    pi_spirv_instruction instruction;
    if (pi_spirv_next(&module, &instruction) != PI_SUCCESS)
      return damaged();
    if (!is_entry_point(&instruction) || !*name_of(&instruction))
      continue;
    if (names)
      names[*count] = name_of(&instruction);
    ++*count;
  }
  return SPECPI_SUCCESS;
}

enum { RECORD = 8 + 12, NAME = 12 };

/* Everything that describes the constants of a module, in one block. */
typedef struct description {
  pi_device_binary_property_set_struct sets[2];
  pi_device_binary_property_struct *properties; /* the block; the defaults are the last one */
  unsigned char (*records)[RECORD];
  char (*names)[NAME];
  unsigned char *defaults;
} description;

static void store(unsigned char *place, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    place[i] = (unsigned char)(value >> 8 * i);
}

static specpi_result describe(const pi_constant *constants, size_t count, description *ret) {
  const size_t each = sizeof(pi_device_binary_property_struct) + RECORD + NAME + 8;
  ret->properties = calloc(1, (count + 2) * each);
  if (!ret->properties)
    return error_memory();
  ret->records = (unsigned char(*)[RECORD])(ret->properties + count + 1);
  ret->names = (char(*)[NAME])(ret->records + count);
  ret->defaults = (unsigned char *)(ret->names + count);
  size_t used = 0;
  size_t bytes = 8;
  for (size_t i = 0; i < count; i++) {
    const pi_constant *one = &constants[i];
    if (one->size == 0)
      continue; /* cannot be set */
    store(ret->records[used], (RECORD - 8) * 8, 8);
    store(ret->records[used] + 8, one->id, 4);
    store(ret->records[used] + 16, one->size, 4);
    snprintf(ret->names[used], NAME, "%u", (unsigned)one->id);
    ret->properties[used] = (pi_device_binary_property_struct){ret->names[used], ret->records[used],
                                                               PI_PROPERTY_TYPE_BYTE_ARRAY, RECORD};
    memcpy(ret->defaults + bytes, one->default_value, one->size);
    bytes += one->size;
    used++;
  }
  store(ret->defaults, (bytes - 8) * 8, 8);
  static char all[] = "all";
  ret->properties[used] =
      (pi_device_binary_property_struct){all, ret->defaults, PI_PROPERTY_TYPE_BYTE_ARRAY, bytes};
  static char map[] = PI_PROPERTY_SET_SPEC_CONST_MAP;
  static char values[] = PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP;
  ret->sets[0] =
      (pi_device_binary_property_set_struct){map, ret->properties, ret->properties + used};
  ret->sets[1] = (pi_device_binary_property_set_struct){values, ret->properties + used,
                                                        ret->properties + used + 1};
  return SPECPI_SUCCESS;
}

static specpi_result read_constants(const void *il, size_t size, pi_constant **ret, size_t *count) {
  pi_constants *constants;
  pi_result result = pi_constants_read(il, size, &constants);
  if (result == PI_SUCCESS) {
    result = pi_constants_snapshot(constants, ret, count);
    pi_constants_free(constants);
  }
  if (result == PI_ERROR_OUT_OF_HOST_MEMORY)
    return error_memory();
  if (result != PI_SUCCESS)
    return damaged();
  return SPECPI_SUCCESS;
}

static specpi_result create_described(const foreign_image *from, const pi_constant *constants,
                                      size_t count, specpi_image *ret) {
  if (count == 0)
    return create(from, NULL, ret);
  description description;
  ERROR_TRY(describe(constants, count, &description));
  const pi_device_binary_struct sets = {.Format = PI_DEVICE_BINARY_TYPE_SPIRV,
                                        .CompileOptions = "",
                                        .LinkOptions = "",
                                        .PropertySetsBegin = description.sets,
                                        .PropertySetsEnd = description.sets + 2};
  const specpi_result result = create(from, &sets, ret);
  free(description.properties);
  return result;
}

specpi_result foreign_image_create_from_il(const void *il, size_t size, specpi_image *ret) {
  foreign_image from = {
      .content = IMAGE_CODE, .target = PI_DEVICE_BINARY_TARGET_SPIRV64, .bytes = il, .size = size};
  ERROR_TRY(find_entries(il, size, NULL, &from.kernel_count));
  pi_constant *constants = NULL;
  size_t count = 0;
  ERROR_TRY(read_constants(il, size, &constants, &count));
  const char **names = calloc(from.kernel_count + 1, sizeof *names);
  specpi_result result = names ? find_entries(il, size, names, &from.kernel_count) : error_memory();
  from.kernels = names;
  if (result == SPECPI_SUCCESS)
    result = create_described(&from, constants, count, ret);
  free(names);
  free(constants);
  return result;
}

#include "foreign_image.h"

#include "../plugins/base/error.h"
#include "../plugins/code/code_info.h"
#include "../plugins/code/constants.h"
#include "../plugins/code/ptx_image.h"
#include "../plugins/code/spirv.h"
#include "error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Any content ---- */

specpi_result foreign_image_create(const foreign_image *from, specpi_image *ret) {
  pi_offload_entry_struct *entries = calloc(from->kernel_count + 1, sizeof *entries);
  if (!entries)
    return error_memory();
  /* PI's type is not const, but nobody writes to it. */
  for (size_t i = 0; i < from->kernel_count; i++)
    entries[i].name = (char *)(uintptr_t)from->kernels[i];
  const unsigned char *begin = from->bytes;
  const pi_device_binary_struct binary = {.Version = 1,
                                          .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                                          .DeviceTargetSpec = from->target,
                                          .CompileOptions = "",
                                          .LinkOptions = "",
                                          .BinaryStart = begin,
                                          .BinaryEnd = begin + from->size,
                                          .EntriesBegin = entries,
                                          .EntriesEnd = entries + from->kernel_count};
  specpi_image borrowed;
  specpi_result result = specpiImageCreate(&binary, &borrowed);
  if (result == SPECPI_SUCCESS) {
    result = image_own(borrowed, ret);
    specpiImageRelease(borrowed);
  }
  free(entries);
  ERROR_TRY(result);
  /* Nobody else has it yet. */
  struct specpi_image_object *object = (struct specpi_image_object *)*ret;
  object->content = from->content;
  object->learns_kernels = from->learns_kernels;
  return SPECPI_SUCCESS;
}

specpi_result foreign_image_name_kernels(specpi_image image, const char *const *kernels,
                                         size_t count, specpi_image *ret) {
  foreign_image from = {.content = image->content,
                        .target = image->binary->DeviceTargetSpec,
                        .kernels = kernels,
                        .kernel_count = count};
  from.bytes = specpiImageGetBytes(image, &from.size);
  return foreign_image_create(&from, ret);
}

/* ---- IL ---- */

/* Records that a module is damaged, with the message of its reader. */
static specpi_result damaged_module(void) {
  const char *words = "";
  plugin_error_last(&words);
  ERROR_FAIL(SPECPI_ERROR_INVALID_IMAGE, "%s", words);
}

static bool is_entry_point(const spirv_instruction *instruction) {
  return instruction->opcode == SPIRV_OP_ENTRY_POINT && instruction->words > 3;
}

/* The text in an instruction from its fourth word on; "" if it has no end. */
static const char *name_of(const spirv_instruction *instruction) {
  const char *name = (const char *)instruction->bytes + (size_t)3 * 4;
  return memchr(name, '\0', ((size_t)instruction->words - 3) * 4) ? name : "";
}

/* Counts entry points; names receives their names, and may be NULL. */
static specpi_result find_entries(const void *il, size_t size, const char **names, size_t *count) {
  spirv_words module;
  if (spirv_open(il, size, &module) != PI_SUCCESS)
    return damaged_module();
  *count = 0;
  while (spirv_more(&module)) {
    spirv_instruction instruction;
    if (spirv_next(&module, &instruction) != PI_SUCCESS)
      return damaged_module();
    if (!is_entry_point(&instruction) || !*name_of(&instruction))
      continue;
    if (names)
      names[*count] = name_of(&instruction);
    ++*count;
  }
  return SPECPI_SUCCESS;
}

static specpi_result read_constants(const void *il, size_t size, code_constant **ret,
                                    size_t *count) {
  code_constants *constants;
  pi_result result = code_constants_read(il, size, &constants);
  if (result == PI_SUCCESS) {
    result = code_constants_snapshot(constants, ret, count);
    code_constants_free(constants);
  }
  if (result == PI_ERROR_OUT_OF_HOST_MEMORY)
    return error_memory();
  if (result != PI_SUCCESS)
    return damaged_module();
  return SPECPI_SUCCESS;
}

/* The text of a constant's number. */
typedef char number_text[12];

/* Adds the constants. Their names and defaults follow them in the same block. */
static specpi_result add_constants(struct specpi_image_object *image,
                                   const code_constant *constants, size_t count) {
  const size_t value_size = sizeof constants->default_value;
  specpi_constant *made = calloc(count + 1, sizeof *made + sizeof(number_text) + value_size);
  specpi_leaf *leaves = calloc(count + 1, sizeof *leaves);
  image->constants = made;
  image->leaves = leaves;
  if (!made || !leaves)
    return error_memory();
  number_text *names = (number_text *)(made + count);
  unsigned char *defaults = (unsigned char *)(names + count);
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    const code_constant *one = &constants[i];
    if (one->size == 0)
      continue;
    snprintf(names[used], sizeof names[used], "%" PRIu32, one->id);
    memcpy(defaults + used * value_size, one->default_value, one->size);
    leaves[used] = (specpi_leaf){.id = one->id, .offset = 0, .size = one->size};
    made[used] = (specpi_constant){.name = names[used],
                                   .size = one->size,
                                   .leaf_count = 1,
                                   .leaves = &leaves[used],
                                   .default_value = defaults + used * value_size};
    used++;
  }
  image->constant_count = used;
  image->has_defaults = used != 0;
  return SPECPI_SUCCESS;
}

static specpi_result create_with_constants(const foreign_image *from,
                                           const code_constant *constants, size_t count,
                                           specpi_image *ret) {
  specpi_image made;
  ERROR_TRY(foreign_image_create(from, &made));
  /* Nobody else has it yet. */
  const specpi_result result = add_constants((struct specpi_image_object *)made, constants, count);
  if (result == SPECPI_SUCCESS)
    *ret = made;
  else
    specpiImageRelease(made);
  return result;
}

/* Creates an image with the names of its from->kernel_count entry points. */
static specpi_result create_with_kernels(foreign_image *from, const code_constant *constants,
                                         size_t count, specpi_image *ret) {
  const char **names = calloc(from->kernel_count + 1, sizeof *names);
  if (!names)
    return error_memory();
  from->kernels = names;
  specpi_result result = find_entries(from->bytes, from->size, names, &from->kernel_count);
  if (result == SPECPI_SUCCESS)
    result = create_with_constants(from, constants, count, ret);
  free(names);
  return result;
}

specpi_result foreign_image_create_from_il(const void *il, size_t size, specpi_image *ret) {
  foreign_image from = {
      .content = IMAGE_CODE, .target = PI_DEVICE_BINARY_TARGET_SPIRV64, .bytes = il, .size = size};
  ERROR_TRY(find_entries(il, size, NULL, &from.kernel_count));
  code_constant *constants = NULL;
  size_t count = 0;
  ERROR_TRY(read_constants(il, size, &constants, &count));
  const specpi_result result = create_with_kernels(&from, constants, count, ret);
  free(constants);
  return result;
}

/* ---- PTX ---- */

/* Adds the constants. Copies of the defaults and names follow them in the same block. */
static specpi_result add_ptx_constants(struct specpi_image_object *image, const ptx_image *from) {
  size_t names_size = 0;
  for (pi_uint32 i = 0; i < from->constant_count; i++)
    names_size += strlen(from->constants[i].name) + 1;
  specpi_constant *made =
      malloc((from->constant_count + 1) * sizeof *made + from->default_size + names_size);
  specpi_leaf *leaves = calloc((size_t)from->leaf_count + 1, sizeof *leaves);
  image->constants = made;
  image->leaves = leaves;
  if (!made || !leaves)
    return error_memory();
  unsigned char *defaults = (unsigned char *)(made + from->constant_count + 1);
  char *name = (char *)defaults + from->default_size;
  if (from->default_size)
    memcpy(defaults, from->defaults, from->default_size);
  for (pi_uint32 i = 0; i < from->leaf_count; i++)
    leaves[i] = (specpi_leaf){from->leaves[i].id, from->leaves[i].offset, from->leaves[i].size};
  for (pi_uint32 i = 0; i < from->constant_count; i++) {
    const ptx_image_constant *one = &from->constants[i];
    made[i] = (specpi_constant){.name = name,
                                .size = one->size,
                                .leaf_count = one->leaf_count,
                                .leaves = &leaves[one->first_leaf],
                                .default_value = defaults + one->position};
    const size_t length = strlen(one->name) + 1;
    memcpy(name, one->name, length);
    name += length;
  }
  image->constant_count = from->constant_count;
  image->has_defaults = from->constant_count != 0;
  return SPECPI_SUCCESS;
}

/* Creates an image with the kernels' names, without the entries for launches with an offset. */
static specpi_result create_with_names(foreign_image *from, code_info *info, specpi_image *ret) {
  const char **names = calloc(info->count + 1, sizeof *names);
  if (!names)
    return error_memory();
  for (size_t i = 0; i < info->count; i++)
    if (!code_is_offset_variant(info, &info->kernels[i]))
      names[from->kernel_count++] = info->kernels[i].name;
  from->kernels = names;
  const specpi_result result = foreign_image_create(from, ret);
  free(names);
  return result;
}

static specpi_result create_from_text(const void *text, size_t size, const ptx_image *constants,
                                      code_info *info, specpi_image *ret) {
  foreign_image from = {.content = IMAGE_CODE,
                        .target = PI_DEVICE_BINARY_TARGET_NVPTX64,
                        .bytes = text,
                        .size = size};
  if (!info || ptx_read_kernels(text, size, info) != PI_SUCCESS)
    return error_memory();
  code_sort(info);
  specpi_image made;
  ERROR_TRY(create_with_names(&from, info, &made));
  /* Nobody else has it yet. */
  struct specpi_image_object *object = (struct specpi_image_object *)made;
  object->format = PI_DEVICE_BINARY_TYPE_NATIVE;
  const specpi_result result = add_ptx_constants(object, constants);
  if (result == SPECPI_SUCCESS)
    *ret = made;
  else
    specpiImageRelease(made);
  return result;
}

specpi_result foreign_image_create_from_ptx(const void *text, size_t size, specpi_image *ret) {
  ptx_image *constants;
  const pi_result read = ptx_image_read(text, size, &constants);
  if (read == PI_ERROR_OUT_OF_HOST_MEMORY)
    return error_memory();
  if (read != PI_SUCCESS)
    return damaged_module();
  code_info *info = code_new();
  const specpi_result result = create_from_text(text, size, constants, info, ret);
  code_release(info);
  ptx_image_free(constants);
  return result;
}

#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "images.h"

#include "../properties/properties.h"
#include "constants.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the file OUT_INDEX.SUFFIX. */
static specpi_compiler_result write_file(const char *out, size_t index, const char *suffix,
                                         const void *bytes, size_t size) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s_%zu.%s", out, index, suffix);
  FILE *file = fopen(path, "wb");
  const bool done = file != NULL && (size == 0 || fwrite(bytes, 1, size, file) == size);
  const bool closed = file != NULL && fclose(file) == 0;
  COMPILER_REQUIRE(done && closed, SPECPI_COMPILER_ERROR_FILE, "%s: %s", path, strerror(errno));
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Property sets ---- */

static specpi_compiler_result add_set(specpi_compiler_properties to, const jit_set *set) {
  COMPILER_TRY(properties_add_set(to, set->name, strlen(set->name)));
  for (size_t i = 0; i < set->count; i++) {
    const jit_property *property = &set->properties[i];
    const size_t length = strlen(property->name);
    COMPILER_TRY(property->is_number
                     ? properties_add_number(to, property->name, length, property->number)
                     : properties_add_bytes(to, property->name, length, property->bytes.data,
                                            property->bytes.size));
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Adds the property sets of the constants that an image uses. */
static specpi_compiler_result add_constants(specpi_compiler_properties to, const jit_constants *all,
                                            const jit_constants_used *used) {
  size_t size = 0;
  for (size_t i = 0; i < used->count; i++)
    size += all->items.items[used->items[i]].known.size;
  specpi_compiler_constant *list = calloc(used->count + 1, sizeof *list);
  unsigned char *defaults = malloc(size + 1);
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  if (list == NULL || defaults == NULL)
    result = compiler_error_memory();
  size = 0;
  for (size_t i = 0; result == SPECPI_COMPILER_SUCCESS && i < used->count; i++) {
    list[i] = all->items.items[used->items[i]].known;
    memcpy(defaults + size, list[i].default_data, list[i].size);
    size += list[i].size;
  }
  if (result == SPECPI_COMPILER_SUCCESS)
    result = properties_add_constants(to, list, used->count, defaults, size);
  free(list);
  free(defaults);
  return result;
}

static specpi_compiler_result make_text(const jit_image *image, const jit_constants *all,
                                        const jit_constants_used *used,
                                        specpi_compiler_properties sets, property_text *ret) {
  for (size_t i = 0; i < image->set_count; i++)
    COMPILER_TRY(add_set(sets, &image->sets[i]));
  COMPILER_TRY(add_constants(sets, all, used));
  return properties_write_text(sets, ret);
}

static specpi_compiler_result write_sets(const jit_image *image, const jit_constants *all,
                                         const jit_constants_used *used, const char *out,
                                         size_t index) {
  specpi_compiler_properties sets = properties_new();
  property_text text = {0};
  if (sets == NULL)
    return compiler_error_memory();
  specpi_compiler_result result = make_text(image, all, used, sets, &text);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = write_file(out, index, "prop", text.items, text.count);
  free(text.items);
  specpiCompilerPropertiesRelease(sets);
  return result;
}

/* ---- One image, and all ---- */

static specpi_compiler_result write_code(const jit_image *image, jit_constants *all,
                                         jit_constants_used *used, const char *out, size_t index) {
  word_output code = {0};
  specpi_compiler_result result =
      jit_constants_lower(image->code.data, image->code.size, all, used, &code);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = write_file(out, index, "spv", code.bytes, code.size);
  free(code.bytes);
  return result;
}

/* Writes the .sym file, which has a line for each kernel. */
static specpi_compiler_result write_names(const jit_image *image, const char *out, size_t index) {
  property_text text = {0};
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (size_t i = 0; result == SPECPI_COMPILER_SUCCESS && i < image->kernel_count; i++) {
    result = property_text_add(&text, image->kernels[i], strlen(image->kernels[i]));
    if (result == SPECPI_COMPILER_SUCCESS)
      result = property_text_add(&text, "\n", 1);
  }
  if (result == SPECPI_COMPILER_SUCCESS)
    result = write_file(out, index, "sym", text.items, text.count);
  free(text.items);
  return result;
}

static specpi_compiler_result write_parts(const jit_image *image, jit_constants *all,
                                          jit_constants_used *used, const char *out, size_t index) {
  COMPILER_TRY(write_code(image, all, used, out, index));
  COMPILER_TRY(write_sets(image, all, used, out, index));
  return write_names(image, out, index);
}

static specpi_compiler_result write_image(const jit_image *image, jit_constants *all,
                                          const char *out, size_t index) {
  jit_constants_used used = {0};
  const specpi_compiler_result result = write_parts(image, all, &used, out, index);
  free(used.items);
  return result;
}

static specpi_compiler_result write_table(const char *out, size_t count) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s.table", out);
  FILE *file = fopen(path, "w");
  bool done = file != NULL && fputs("[Code|Properties|Symbols]\n", file) >= 0;
  for (size_t i = 0; i < count && done; i++)
    done = fprintf(file, "%s_%zu.spv|%s_%zu.prop|%s_%zu.sym\n", out, i, out, i, out, i) > 0;
  const bool closed = file != NULL && fclose(file) == 0;
  COMPILER_REQUIRE(done && closed, SPECPI_COMPILER_ERROR_FILE, "%s: %s", path, strerror(errno));
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result jit_images_write(const jit_result *made, const char *out) {
  jit_constants all = {0};
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (size_t i = 0; result == SPECPI_COMPILER_SUCCESS && i < made->image_count; i++)
    result = write_image(&made->images[i], &all, out, i);
  jit_constants_free(&all);
  return result == SPECPI_COMPILER_SUCCESS ? write_table(out, made->image_count) : result;
}

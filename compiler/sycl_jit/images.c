#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "images.h"

#include "../properties/properties.h"
#include "constants.h"
#include "names.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writing {
  const char *out;
  const char *suffix; /* of kernels that only this unit has */
} writing;

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

/* Returns what follows a name in an image: a suffix if the name is one of some kernels. */
static const char *end_of(const jit_image *image, const char *name, const char *suffix) {
  for (size_t i = 0; i < image->kernel_count; i++)
    if (strcmp(image->kernels[i], name) == 0)
      return jit_names_end(name, suffix);
  return "";
}

static specpi_compiler_result add_property(specpi_compiler_properties to,
                                           const jit_property *property, const char *end) {
  char *name = malloc(strlen(property->name) + strlen(end) + 1);
  if (name == NULL)
    return compiler_error_memory();
  const size_t length = (size_t)sprintf(name, "%s%s", property->name, end);
  const specpi_compiler_result result =
      property->is_number
          ? properties_add_number(to, name, length, property->number)
          : properties_add_bytes(to, name, length, property->bytes.data, property->bytes.size);
  free(name);
  return result;
}

static specpi_compiler_result add_set(specpi_compiler_properties to, const jit_image *image,
                                      const jit_set *set, const char *suffix) {
  COMPILER_TRY(properties_add_set(to, set->name, strlen(set->name)));
  for (size_t i = 0; i < set->count; i++)
    COMPILER_TRY(
        add_property(to, &set->properties[i], end_of(image, set->properties[i].name, suffix)));
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
                                        const jit_constants_used *used, const writing *writing,
                                        specpi_compiler_properties sets, property_text *ret) {
  for (size_t i = 0; i < image->set_count; i++)
    COMPILER_TRY(add_set(sets, image, &image->sets[i], writing->suffix));
  COMPILER_TRY(add_constants(sets, all, used));
  return properties_write_text(sets, ret);
}

static specpi_compiler_result write_sets(const jit_image *image, const jit_constants *all,
                                         const jit_constants_used *used, const writing *writing,
                                         size_t index) {
  specpi_compiler_properties sets = properties_new();
  property_text text = {0};
  if (sets == NULL)
    return compiler_error_memory();
  specpi_compiler_result result = make_text(image, all, used, writing, sets, &text);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = write_file(writing->out, index, "prop", text.items, text.count);
  free(text.items);
  specpiCompilerPropertiesRelease(sets);
  return result;
}

/* ---- One image, and all ---- */

static specpi_compiler_result make_code(const jit_image *image, jit_constants *all,
                                        jit_constants_used *used, const char *suffix,
                                        word_output *lowered, word_output *ret) {
  COMPILER_TRY(jit_constants_lower(image->code.data, image->code.size, all, used, lowered));
  return jit_names_lower(lowered, suffix, ret);
}

static specpi_compiler_result write_code(const jit_image *image, jit_constants *all,
                                         jit_constants_used *used, const writing *writing,
                                         size_t index) {
  word_output lowered = {0};
  word_output code = {0};
  specpi_compiler_result result = make_code(image, all, used, writing->suffix, &lowered, &code);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = write_file(writing->out, index, "spv", code.bytes, code.size);
  free(lowered.bytes);
  free(code.bytes);
  return result;
}

static specpi_compiler_result add_line(property_text *to, const char *name, const char *end) {
  COMPILER_TRY(property_text_add(to, name, strlen(name)));
  COMPILER_TRY(property_text_add(to, end, strlen(end)));
  return property_text_add(to, "\n", 1);
}

/* Writes the .sym file, which has a line for each kernel. */
static specpi_compiler_result write_names(const jit_image *image, const writing *writing,
                                          size_t index) {
  property_text text = {0};
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (size_t i = 0; result == SPECPI_COMPILER_SUCCESS && i < image->kernel_count; i++)
    result = add_line(&text, image->kernels[i], jit_names_end(image->kernels[i], writing->suffix));
  if (result == SPECPI_COMPILER_SUCCESS)
    result = write_file(writing->out, index, "sym", text.items, text.count);
  free(text.items);
  return result;
}

static specpi_compiler_result write_parts(const jit_image *image, jit_constants *all,
                                          jit_constants_used *used, const writing *writing,
                                          size_t index) {
  COMPILER_TRY(write_code(image, all, used, writing, index));
  COMPILER_TRY(write_sets(image, all, used, writing, index));
  return write_names(image, writing, index);
}

static specpi_compiler_result write_image(const jit_image *image, jit_constants *all,
                                          const writing *writing, size_t index) {
  jit_constants_used used = {0};
  const specpi_compiler_result result = write_parts(image, all, &used, writing, index);
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

specpi_compiler_result jit_images_write(const jit_result *made, const char *suffix,
                                        const char *out) {
  const writing writing = {.out = out, .suffix = suffix};
  jit_constants all = {0};
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (size_t i = 0; result == SPECPI_COMPILER_SUCCESS && i < made->image_count; i++)
    result = write_image(&made->images[i], &all, &writing, i);
  jit_constants_free(&all);
  return result == SPECPI_COMPILER_SUCCESS ? write_table(out, made->image_count) : result;
}

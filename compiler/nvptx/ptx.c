#include "ptx.h"

#include "../../plugins/base/digits.h"

#include <specpi/ptx_trailer.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A place in the text with the digits of a scalar's value. */
typedef struct place {
  uint32_t id;
  uint32_t offset;
  uint32_t size; /* size of the scalar in bytes, each of which has two digits */
} place;

/* A scalar; its id is its index. */
typedef struct scalar {
  const unsigned char *default_data;
  uint32_t size; /* 0: no scalar has the id */
} scalar;

typedef struct image {
  specpi_compiler_output output;
  VECTOR(char) text;
  VECTOR(place) places;
  VECTOR(scalar) scalars;
  size_t entries; /* position of the entries for launches with an offset; 0 if they must stay */
  bool failed;    /* memory was exhausted while text was added */
} image;

/* ---- Text ---- */

static void add_bytes(image *image, const char *bytes, size_t count) {
  for (size_t i = 0; i < count && !image->failed; i++) {
    image->failed = !VECTOR_RESERVE(&image->text);
    if (!image->failed)
      image->text.items[image->text.count++] = bytes[i];
  }
}

static void add_format(image *image, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_format(image *image, const char *format, ...) {
  char line[160]; /* long enough, because lines have only words and numbers */
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  add_bytes(image, line, (size_t)length);
}

/* Adds a name as printable characters; the percent sign and all others become %xx. */
static void add_name(image *image, const char *name) {
  for (; *name != '\0'; name++) {
    const unsigned char c = (unsigned char)*name;
    if (c > ' ' && c < 0x7f && c != '%')
      add_bytes(image, name, 1);
    else
      add_format(image, "%%%02x", c);
  }
}

/* ---- Places ---- */

static specpi_compiler_result list_scalars(image *image) {
  for (size_t i = 0; i < image->output->constants.count; i++) {
    const specpi_compiler_constant *constant = &image->output->constants.items[i];
    const unsigned char *bytes = constant->default_data;
    for (size_t j = 0; j < constant->descriptor_count; j++) {
      const specpi_compiler_descriptor *d = &constant->descriptors[j];
      if (d->id == SPECPI_COMPILER_PADDING)
        continue;
      while (image->scalars.count <= d->id) {
        if (!VECTOR_RESERVE(&image->scalars))
          return compiler_error_memory();
        image->scalars.items[image->scalars.count++] = (scalar){0};
      }
      image->scalars.items[d->id] = (scalar){.default_data = bytes + d->offset, .size = d->size};
    }
  }
  return SPECPI_COMPILER_SUCCESS;
}

static bool are_digits(const char *text, size_t count) {
  return strspn(text, "0123456789abcdef") >= count;
}

/* Records the place before a tag, and writes the scalar's default there. */
static specpi_compiler_result add_place(image *image, const char *tag) {
  static const char head[] = "0x";
  static const char tail[] = "; ";
  const char *digit = tag + strlen(PTX_TAG), *after = digit;
  uint64_t id = 0;
  const bool is_id = digits_read(&after, NULL, UINT32_MAX, &id);
  const size_t length = (size_t)(after - digit);
  const scalar *of = is_id && id < image->scalars.count ? &image->scalars.items[id] : NULL;
  const size_t digits = of != NULL ? 2 * (size_t)of->size : 0;
  const size_t before = digits + strlen(head) + strlen(tail);
  const size_t at = (size_t)(tag - image->text.items);
  COMPILER_REQUIRE(digits != 0 && at >= before && memcmp(tag - before, head, strlen(head)) == 0 &&
                       are_digits(tag - strlen(tail) - digits, digits) &&
                       memcmp(tag - strlen(tail), tail, strlen(tail)) == 0,
                   SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "the assembly has a tag '" PTX_TAG "%.*s' that is at no constant's place",
                   (int)length, digit);
  if (!VECTOR_RESERVE(&image->places))
    return compiler_error_memory();
  const place made = {
      .id = (uint32_t)id, .offset = (uint32_t)(at - strlen(tail) - digits), .size = of->size};
  image->places.items[image->places.count++] = made;
  digits_write_word(of->default_data, of->size, image->text.items + made.offset);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result find_places(image *image) {
  if (image->output->mode != SPECPI_COMPILER_MODE_PATCH)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(list_scalars(image));
  for (const char *tag = image->text.items; (tag = strstr(tag, PTX_TAG)) != NULL;
       tag += strlen(PTX_TAG))
    COMPILER_TRY(add_place(image, tag));
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Entries for launches with an offset ---- */

/*
 * Finds the position of the first entry. Entries are cut off together with everything after them,
 * so they are ignored if debug information follows.
 */
static void find_entries(image *image, const char *first_entry) {
  const char *begin = image->text.items;
  const size_t length = first_entry != NULL ? strlen(first_entry) : 0;
  static const char head[] = "\t// .globl\t";
  for (const char *at = begin; length != 0 && (at = strstr(at, head)) != NULL; at += strlen(head)) {
    const char *name = at + strlen(head);
    if (strncmp(name, first_entry, length) != 0 || !strchr(" \t\n", name[length]))
      continue;
    if (strstr(at, ".section") == NULL)
      image->entries = (size_t)(at - begin);
    return;
  }
}

/* ---- The trailer ---- */

static void add_constants(image *image) {
  for (size_t i = 0; i < image->output->constants.count; i++) {
    const specpi_compiler_constant *constant = &image->output->constants.items[i];
    add_format(image, SPECPI_PTX_CONSTANT " ");
    add_name(image, constant->name);
    add_format(image, "%s %u %u %zu\n",
               constant->kind == SPECPI_COMPILER_KIND_SCALAR ? SPECPI_PTX_SCALAR
                                                             : SPECPI_PTX_COMPOSITE,
               constant->position, constant->size, constant->descriptor_count);
    for (size_t j = 0; j < constant->descriptor_count; j++) {
      const specpi_compiler_descriptor *d = &constant->descriptors[j];
      add_format(image, SPECPI_PTX_LEAF " %u %u %u\n", d->id, d->offset, d->size);
    }
  }
}

static void add_defaults(image *image) {
  for (size_t at = 0; at < image->output->default_size; at += SPECPI_PTX_BYTES_IN_LINE) {
    add_format(image, SPECPI_PTX_BYTES);
    for (size_t i = at; i < image->output->default_size && i < at + SPECPI_PTX_BYTES_IN_LINE; i++)
      add_format(image, "%02x", image->output->defaults[i]);
    add_format(image, "\n");
  }
}

static void add_kernels(image *image) {
  for (size_t i = 0; i < image->output->kernels.count; i++) {
    const specpi_compiler_kernel *kernel = &image->output->kernels.items[i];
    add_format(image, SPECPI_PTX_KERNEL " ");
    add_name(image, kernel->name);
    if (kernel->buffer_argument != SPECPI_COMPILER_NO_ARGUMENT)
      add_format(image, " %u", kernel->buffer_argument);
    else
      add_format(image, SPECPI_PTX_NO_ARGUMENT);
    add_format(image, " %u %u %u", kernel->required_size[0], kernel->required_size[1],
               kernel->required_size[2]);
    if (kernel->required_sub_group_size != 0 || kernel->local_memory != 0)
      add_format(image, " %u", (unsigned)kernel->required_sub_group_size);
    if (kernel->local_memory != 0)
      add_format(image, " %u", kernel->local_memory);
    add_format(image, "\n");
  }
}

/* Returns the 64-bit FNV-1a hash. */
static uint64_t hash_bytes(const char *bytes, size_t count) {
  uint64_t value = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; i++)
    value = (value ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  return value;
}

static void add_trailer(image *image) {
  const size_t start = image->text.count;
  size_t leaves = 0;
  for (size_t i = 0; i < image->output->constants.count; i++)
    leaves += image->output->constants.items[i].descriptor_count;
  add_format(image, SPECPI_PTX_HEAD "%s %zu %zu %zu %zu %zu\n",
             specpiCompilerModeGetName(image->output->mode), image->output->constants.count, leaves,
             image->output->default_size, image->places.count, image->output->kernels.count);
  add_constants(image);
  add_defaults(image);
  for (size_t i = 0; i < image->places.count; i++)
    add_format(image, SPECPI_PTX_PLACE " %u %u %u\n", image->places.items[i].id,
               image->places.items[i].offset, image->places.items[i].size);
  add_kernels(image);
  if (image->entries != 0)
    add_format(image, SPECPI_PTX_OFFSETS " %zu\n", image->entries);
  add_format(image, SPECPI_PTX_END "%010zu %010zu ", start,
             image->text.count - start + SPECPI_PTX_END_SIZE);
  if (!image->failed)
    add_format(image, "%016llx\n",
               (unsigned long long)hash_bytes(image->text.items, image->text.count));
}

static specpi_compiler_result make_image(image *image, const char *assembly, size_t size,
                                         const char *first_entry) {
  COMPILER_REQUIRE(size < UINT32_MAX, SPECPI_COMPILER_ERROR_LIMIT,
                   "the generated text has %zu bytes, and a place of it only 32 bits", size);
  add_bytes(image, assembly, size);
  if (size == 0 || assembly[size - 1] != '\n')
    add_bytes(image, "\n", 1);
  add_bytes(image, "", 1); /* a NUL, for strstr */
  if (image->failed)
    return compiler_error_memory();
  COMPILER_TRY(find_places(image));
  find_entries(image, first_entry);
  image->text.count--;
  add_trailer(image);
  add_bytes(image, "", 1);
  return image->failed ? compiler_error_memory() : SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result write_ptx_image(specpi_compiler_output output, const char *assembly,
                                       size_t size, const char *first_entry, char **ret,
                                       size_t *ret_size) {
  image image = {.output = output};
  const specpi_compiler_result result = make_image(&image, assembly, size, first_entry);
  free(image.places.items);
  free(image.scalars.items);
  if (result != SPECPI_COMPILER_SUCCESS) {
    free(image.text.items);
    return result;
  }
  *ret = image.text.items;
  *ret_size = image.text.count - 1;
  return SPECPI_COMPILER_SUCCESS;
}

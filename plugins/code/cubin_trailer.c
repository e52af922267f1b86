/*
 * Writes and reads the binary that PI_PROGRAM_INFO_BINARIES returns: the linked cubin, then the
 * facts that a cubin cannot hold, in trailers like those of PTX (docs/internals/ptx.md).
 */
#include "program_code.h"

#include "../base/error.h"

#include <specpi/ptx_trailer.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends to a text, or only counts its bytes if text is NULL. */
typedef struct writer {
  char *text;
  size_t size;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *to, const char *format, ...) {
  char line[64];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (to->text)
    memcpy(to->text + to->size, line, (size_t)length);
  to->size += (size_t)length;
}

static void put_name(writer *to, const char *name) {
  for (; *name; name++) {
    const unsigned char c = (unsigned char)*name;
    if (c > ' ' && c < 0x7f && c != '%')
      put(to, "%c", c);
    else
      put(to, "%%%02x", c);
  }
}

/* Limits the time to read a file, because each trailer has a hash of all bytes before it. */
enum { TRAILERS_MAX = 256 };

/*
 * Returns whether the trailer of this block lists a kernel. The first block's trailer also lists
 * the kernels without constants. Variants for launches with an offset are never listed.
 */
static bool belongs(const code_info *info, const code_kernel *kernel, const value_block *block) {
  const size_t at = kernel->buffer_argument == PTX_NONE ? 0 : kernel->values_at;
  return (!block || at == block->at) && !code_is_offset_variant(info, kernel);
}

/* Writes a trailer without its last line. block is NULL if all constants are built in. */
static void put_trailer(writer *to, const code_info *info, const value_block *block,
                        const unsigned char *values) {
  size_t kernels = 0;
  for (size_t i = 0; i < info->count; i++)
    kernels += belongs(info, &info->kernels[i], block);
  put(to, SPECPI_PTX_HEAD "%s 0 0 %zu 0 %zu\n", block ? "emulate" : "default",
      block ? block->size : 0, kernels);
  for (size_t at = 0; block && at < block->size;) {
    put(to, SPECPI_PTX_BYTES);
    for (int i = 0; i < SPECPI_PTX_BYTES_IN_LINE && at < block->size; i++)
      put(to, "%02x", values[block->at + at++]);
    put(to, "\n");
  }
  for (size_t i = 0; i < info->count; i++) {
    const code_kernel *kernel = &info->kernels[i];
    if (!belongs(info, kernel, block))
      continue;
    put(to, SPECPI_PTX_KERNEL " ");
    put_name(to, kernel->name);
    if (kernel->buffer_argument == PTX_NONE)
      put(to, SPECPI_PTX_NO_ARGUMENT);
    else
      put(to, " %" PRIu32, kernel->buffer_argument);
    put(to, " %" PRIu32 " %" PRIu32 " %" PRIu32, kernel->required[0], kernel->required[1],
        kernel->required[2]);
    if (kernel->sub_group != 0 || kernel->local_memory != 0)
      put(to, " %" PRIu32, kernel->sub_group);
    if (kernel->local_memory != 0)
      put(to, " %" PRIu32, kernel->local_memory);
    put(to, "\n");
  }
}

/* Writes the last line of a trailer that begins at text_size. */
static void put_end(writer *to, size_t text_size) {
  const size_t size = to->size + SPECPI_PTX_END_SIZE;
  put(to, SPECPI_PTX_END "%010zu %010zu ", text_size, size - text_size);
  put(to, "%016" PRIx64 "\n", to->text ? ptx_image_hash(to->text, size - SPECPI_PTX_HASH_SIZE) : 0);
}

static void put_trailers(writer *to, const program_code *code, const code_info *info,
                         const unsigned char *values) {
  for (size_t i = 0; i < code->block_count || i == 0; i++) {
    const size_t text_size = to->size;
    put_trailer(to, info, code->block_count != 0 ? &code->blocks[i] : NULL, values);
    put_end(to, text_size);
  }
}

pi_result cubin_write(const unsigned char *cubin, size_t size, const program_code *code,
                      const code_info *info, const unsigned char *values, unsigned char **ret,
                      size_t *ret_size) {
  REQUIRE(code->block_count <= TRAILERS_MAX, PI_ERROR_UNSUPPORTED_FEATURE,
          "the program was linked of %zu images with constants, and its binary can have the "
          "values of up to %d",
          code->block_count, (int)TRAILERS_MAX);
  writer counted = {.size = size};
  put_trailers(&counted, code, info, values);
  writer written = {.text = malloc(counted.size), .size = size};
  REQUIRE_MEMORY(written.text, "a binary of %zu bytes", counted.size);
  memcpy(written.text, cubin, size);
  put_trailers(&written, code, info, values);
  *ret = (unsigned char *)written.text;
  *ret_size = written.size;
  return PI_SUCCESS;
}

/* ---- Reading ---- */

static pi_result add_kernels(program_code *code, const ptx_image *image, size_t values_at) {
  for (pi_uint32 i = 0; i < image->kernel_count; i++) {
    const ptx_image_kernel *image_kernel = &image->kernels[i];
    code_kernel *kernel;
    TRY(code_add_kernel(code->info, image_kernel->name, strlen(image_kernel->name), &kernel));
    memcpy(kernel->required, image_kernel->required_size, sizeof kernel->required);
    kernel->sub_group = image_kernel->sub_group;
    REQUIRE(image_kernel->buffer_argument == PTX_NONE || image->mode == PTX_EMULATE,
            PI_ERROR_INVALID_BINARY,
            "damaged cubin: kernel %s has a buffer of constants, and the trailer none",
            image_kernel->name);
    kernel->local_memory = image_kernel->local_memory;
    kernel->buffer_argument = image_kernel->buffer_argument;
    kernel->values_at = values_at;
  }
  return PI_SUCCESS;
}

static pi_result add_image(program_code *code, const ptx_image *image) {
  size_t at = 0;
  REQUIRE(image->place_count == 0 && image->constant_count == 0, PI_ERROR_INVALID_BINARY,
          "damaged cubin: its trailer is one of PTX, with %u constants that could be set",
          image->constant_count);
  if (image->mode == PTX_EMULATE)
    TRY(code_add_block(code, image->default_size, image->defaults, &at));
  return add_kernels(code, image, at);
}

static pi_result take_trailer(program_code *code, const ptx_image *trailer, int count) {
  REQUIRE(count < TRAILERS_MAX, PI_ERROR_INVALID_BINARY,
          "damaged cubin: more than %d trailers follow it", (int)TRAILERS_MAX);
  return add_image(code, trailer);
}

pi_result cubin_read_trailers(program_code *code) {
  for (int count = 0; code->size != 0; count++) {
    ptx_image *trailer = NULL;
    TRY(ptx_image_read(code->bytes, code->size, &trailer));
    const bool found = trailer->mode != PTX_PLAIN;
    const size_t before = trailer->text_size;
    const pi_result result = found ? take_trailer(code, trailer, count) : PI_SUCCESS;
    ptx_image_free(trailer);
    TRY(result);
    if (!found)
      return PI_SUCCESS;
    code->size = before;
  }
  return PI_SUCCESS;
}

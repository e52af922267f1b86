/*
 * Reads any bytes as a PTX image, and again with a correct hash, to reach the code after that
 * check. An accepted image has its defaults at their places, and no value changes another byte.
 */
#include "fuzz.h"

#include "../../plugins/code/ptx_image.h"

#include <stdio.h>
#include <string.h>

enum { HASH_DIGITS = 16 };

static void check_text(const ptx_image *image, const uint8_t *data) {
  char *text = malloc(image->text_size + 1);
  unsigned char *values = malloc((size_t)image->default_size + 1);
  FUZZ_CHECK(text && values);
  ptx_image_write(image, data, image->defaults, text);
  FUZZ_CHECK(memcmp(text, data, image->text_size) == 0 && text[image->text_size] == '\0');
  memset(values, 0xa5, image->default_size);
  ptx_image_write(image, data, values, text);
  size_t at = 0;
  for (pi_uint32 i = 0; i < image->place_count; i++) {
    const ptx_image_place *place = &image->places[i];
    FUZZ_CHECK(memcmp(text + at, data + at, place->offset - at) == 0);
    at = place->offset + 2 * (size_t)place->size;
  }
  FUZZ_CHECK(memcmp(text + at, data + at, image->text_size - at) == 0);
  free(text);
  free(values);
}

static void check_image(const uint8_t *data, size_t size) {
  ptx_image *image = NULL;
  if (ptx_image_read(data, size, &image) != PI_SUCCESS) {
    FUZZ_CHECK(!image);
    return;
  }
  FUZZ_CHECK(image->text_size <= size);
  for (pi_uint32 i = 0; i < image->leaf_count; i++) {
    const ptx_image_leaf *leaf = &image->leaves[i];
    FUZZ_CHECK(ptx_image_find_leaf(image, leaf->id) == leaf);
    FUZZ_CHECK(leaf->at + leaf->size <= image->default_size);
  }
  size_t names = 0;
  for (pi_uint32 i = 0; i < image->constant_count; i++)
    names += strlen(image->constants[i].name);
  for (pi_uint32 i = 0; i < image->kernel_count; i++)
    names += strlen(image->kernels[i].name);
  FUZZ_CHECK(names <= size);
  check_text(image, data);
  ptx_image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  check_image(data, size);
  if (size <= HASH_DIGITS)
    return 0;
  /* FNV-1a, as docs/internals/ptx.md has it. */
  uint8_t *copy = malloc(size);
  FUZZ_CHECK(copy);
  memcpy(copy, data, size);
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size - HASH_DIGITS - 1; i++)
    hash = (hash ^ copy[i]) * 0x100000001b3u;
  for (size_t i = 0; i < HASH_DIGITS; i++)
    copy[size - HASH_DIGITS - 1 + i] = (uint8_t) "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
  check_image(copy, size);
  free(copy);
  return 0;
}

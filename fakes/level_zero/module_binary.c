/*
 * "Native" binaries of the fake Level Zero driver: the SPIR-V of a module with its flags and its
 * constants' values.
 *
 * A binary consists of little-endian 32-bit words: the magic number, the hash of the rest, and the
 * number of inputs; then for each input the sizes of its SPIR-V and flags, the number of values,
 * the SPIR-V and the flags, each padded to a word, and the values in their layout in memory.
 */
#include "module.h"

#include <stdlib.h>

enum { BINARY_MAGIC = 0x425a4553, HEADER_WORDS = 3, INPUT_WORDS = 3 };

static uint32_t hash_bytes(const unsigned char *bytes, size_t size) {
  uint32_t result = 2166136261U;
  for (size_t i = 0; i < size; i++)
    result = (result ^ bytes[i]) * 16777619U;
  return result;
}

static size_t round_up(size_t size) {
  return (size + 3) / 4 * 4;
}

static unsigned char *put_bytes(unsigned char *at, const void *bytes, size_t size) {
  if (size != 0)
    memcpy(at, bytes, size);
  return at + round_up(size);
}

void *fake_binary_write(const fake_source *source, size_t *size) {
  size_t whole = HEADER_WORDS * 4;
  for (size_t i = 0; i < source->count; i++) {
    const fake_input *input = &source->inputs[i];
    whole += INPUT_WORDS * 4 + round_up(input->size) + round_up(strlen(input->flags)) +
             input->value_count * sizeof(fake_value);
  }
  unsigned char *binary = fake_allocate(whole);
  const uint32_t header[HEADER_WORDS] = {BINARY_MAGIC, 0, (uint32_t)source->count};
  unsigned char *at = put_bytes(binary, header, sizeof header);
  for (size_t i = 0; i < source->count; i++) {
    const fake_input *input = &source->inputs[i];
    const uint32_t sizes[INPUT_WORDS] = {(uint32_t)input->size, (uint32_t)strlen(input->flags),
                                         (uint32_t)input->value_count};
    at = put_bytes(at, sizes, sizeof sizes);
    at = put_bytes(at, input->il, input->size);
    at = put_bytes(at, input->flags, sizes[1]);
    at = put_bytes(at, input->values, input->value_count * sizeof(fake_value));
  }
  const uint32_t sum = hash_bytes(binary + 8, whole - 8);
  memcpy(binary + 4, &sum, 4);
  *size = whole;
  return binary;
}

typedef struct cursor {
  const unsigned char *at;
  size_t left;
} cursor;

/* Returns the next size bytes, and skips them with their padding; NULL if there are too few. */
static const unsigned char *take_bytes(cursor *from, size_t size) {
  if (size > from->left || round_up(size) > from->left)
    return NULL;
  const unsigned char *bytes = from->at;
  from->at += round_up(size);
  from->left -= round_up(size);
  return bytes;
}

static bool read_input(cursor *from, fake_input *ret, fake_text *log) {
  uint32_t sizes[INPUT_WORDS];
  const unsigned char *bytes = take_bytes(from, sizeof sizes);
  if (!bytes)
    return false;
  memcpy(sizes, bytes, sizeof sizes);
  const unsigned char *il = take_bytes(from, sizes[0]);
  const unsigned char *text = il ? take_bytes(from, sizes[1]) : NULL;
  const unsigned char *stored = text ? take_bytes(from, sizes[2] * sizeof(fake_value)) : NULL;
  if (!stored)
    return false;
  const uint32_t count = sizes[2];
  char *flags = fake_allocate((size_t)sizes[1] + 1);
  memcpy(flags, text, sizes[1]);
  fake_value *values = fake_copy(stored, count * sizeof *values);
  uint32_t *ids = fake_allocate(count * sizeof *ids);
  const void **pointers = fake_allocate(count * sizeof *pointers);
  for (uint32_t i = 0; i < count; i++) {
    ids[i] = values[i].id;
    pointers[i] = values[i].bytes;
  }
  const ze_module_constants_t constants = {count, ids, pointers};
  const bool fine = fake_input_make(il, sizes[0], flags, &constants, ret, log);
  free(flags);
  free(values);
  free(ids);
  free(pointers);
  return fine;
}

fake_source *fake_binary_read(const void *binary, size_t size, fake_text *log) {
  uint32_t header[HEADER_WORDS];
  if (size >= sizeof header)
    memcpy(header, binary, sizeof header);
  const unsigned char *bytes = binary;
  if (size < sizeof header || header[0] != BINARY_MAGIC ||
      header[1] != hash_bytes(bytes + 8, size - 8) || header[2] > size) {
    fake_text_add(log, "error: %zu bytes are no binary of this driver\n", size);
    return NULL;
  }
  cursor from = {bytes + sizeof header, size - sizeof header};
  fake_source *source = fake_source_new(header[2]);
  bool fine = true;
  while (fine && source->count < header[2]) {
    fine = read_input(&from, &source->inputs[source->count], log);
    source->count += fine;
  }
  if (fine && from.left == 0)
    return source;
  fake_text_add(log, "error: a binary of this driver that is damaged\n");
  fake_source_release(source);
  return NULL;
}

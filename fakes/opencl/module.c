/*
 * The fake OpenCL's reader of SPIR-V modules: entry points with their parameters, and
 * specialization constants. It checks the instructions' lengths and trusts their operands.
 */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAGIC = 0x07230203,
  HEADER_WORDS = 5,
  OP_ENTRY_POINT = 15,
  OP_TYPE_INT = 21,
  OP_TYPE_FLOAT = 22,
  OP_TYPE_IMAGE = 25,
  OP_TYPE_SAMPLER = 26,
  OP_TYPE_POINTER = 32,
  OP_SPEC_CONSTANT_TRUE = 48,
  OP_SPEC_CONSTANT_FALSE = 49,
  OP_SPEC_CONSTANT = 50,
  OP_FUNCTION = 54,
  OP_FUNCTION_PARAMETER = 55,
  OP_DECORATE = 71,
  DECORATION_SPEC_ID = 1,
  STORAGE_UNIFORM_CONSTANT = 0,
  STORAGE_WORKGROUP = 4,
  STORAGE_CROSS_WORKGROUP = 5,
};

/* A walk over the instructions. words[0] has the instruction's length and opcode. */
typedef struct cursor {
  const uint32_t *words;
  const uint32_t *end;
} cursor;

static uint32_t opcode(cursor at) {
  return at.words[0] & 0xffff;
}

static cursor begin_part(const fake_part *part) {
  const uint32_t *words = (const uint32_t *)(const void *)part->il;
  return (cursor){words + HEADER_WORDS, words + part->length / 4};
}

static bool more(cursor at) {
  return at.words < at.end;
}

static void next(cursor *at) {
  at->words += at->words[0] >> 16;
}

/* Finds the first instruction with an opcode from first to last whose word at index is id. */
static const uint32_t *find_words(const fake_part *part, uint32_t first, uint32_t last,
                                  uint32_t index, uint32_t id) {
  for (cursor at = begin_part(part); more(at); next(&at))
    if (opcode(at) >= first && opcode(at) <= last && at.words[index] == id)
      return at.words;
  return NULL;
}

static uint32_t number_size(const fake_part *part, uint32_t type) {
  const uint32_t *words = find_words(part, OP_TYPE_INT, OP_TYPE_FLOAT, 1, type);
  return words ? words[2] / 8 : 0;
}

static int compare_constants(const void *left, const void *right) {
  const cl_uint a = ((const fake_constant *)left)->id;
  const cl_uint b = ((const fake_constant *)right)->id;
  return (a > b) - (a < b);
}

static void read_constant(fake_part *part, uint32_t target, uint32_t id) {
  const uint32_t *words = find_words(part, OP_SPEC_CONSTANT_TRUE, OP_SPEC_CONSTANT, 2, target);
  if (!words)
    return;
  fake_constant *constant = &part->constants[part->constant_count];
  *constant = (fake_constant){.id = id, .size = 1};
  const uint32_t op = words[0] & 0xffff;
  if (op == OP_SPEC_CONSTANT) {
    constant->size = number_size(part, words[1]);
    constant->value = words[3];
    if (constant->size == 8)
      constant->value |= (uint64_t)words[4] << 32;
  } else {
    constant->value = op == OP_SPEC_CONSTANT_TRUE;
  }
  part->constant_count++;
}

static void read_argument(const fake_part *part, uint32_t type, fake_entry *entry) {
  const cl_uint index = entry->argument_count;
  if (index == FAKE_ARGUMENTS_MAX)
    return;
  entry->argument_count++;
  const uint32_t *pointer = find_words(part, OP_TYPE_POINTER, OP_TYPE_POINTER, 1, type);
  if (find_words(part, OP_TYPE_IMAGE, OP_TYPE_IMAGE, 1, type)) {
    entry->kinds[index] = FAKE_ARGUMENT_IMAGE;
  } else if (find_words(part, OP_TYPE_SAMPLER, OP_TYPE_SAMPLER, 1, type)) {
    entry->kinds[index] = FAKE_ARGUMENT_SAMPLER;
  } else if (pointer && pointer[2] == STORAGE_WORKGROUP) {
    entry->kinds[index] = FAKE_ARGUMENT_LOCAL;
  } else if (pointer &&
             (pointer[2] == STORAGE_CROSS_WORKGROUP || pointer[2] == STORAGE_UNIFORM_CONSTANT)) {
    entry->kinds[index] = FAKE_ARGUMENT_MEM;
  } else {
    entry->kinds[index] = FAKE_ARGUMENT_VALUE;
    entry->sizes[index] = number_size(part, type);
  }
}

static void read_entry(fake_part *part, const uint32_t *entry_point) {
  fake_entry *entry = &part->entries[part->entry_count];
  memset(entry, 0, sizeof *entry);
  strncpy(entry->name, (const char *)&entry_point[3], sizeof entry->name - 1);
  cursor at = begin_part(part);
  while (more(at) && !(opcode(at) == OP_FUNCTION && at.words[2] == entry_point[2]))
    next(&at);
  if (!more(at))
    return;
  for (next(&at); more(at) && opcode(at) == OP_FUNCTION_PARAMETER; next(&at))
    read_argument(part, at.words[1], entry);
  part->entry_count++;
}

static cl_int check_framing(const fake_part *part) {
  FAKE_REQUIRE(part->length % 4 == 0 && part->length >= HEADER_WORDS * 4, CL_INVALID_VALUE);
  FAKE_REQUIRE(*(const uint32_t *)(const void *)part->il == MAGIC, CL_INVALID_VALUE);
  for (cursor at = begin_part(part); more(at); next(&at)) {
    const size_t words = at.words[0] >> 16;
    FAKE_REQUIRE(words != 0 && words <= (size_t)(at.end - at.words), CL_INVALID_VALUE);
  }
  return CL_SUCCESS;
}

cl_int fake_part_read(const void *il, size_t length, fake_part *ret) {
  fake_part part = {.il = malloc(length), .length = length};
  memcpy(part.il, il, length);
  const cl_int code = check_framing(&part);
  if (code != CL_SUCCESS) {
    free(part.il);
    return code;
  }
  size_t decorations = 0;
  size_t entries = 0;
  for (cursor at = begin_part(&part); more(at); next(&at)) {
    decorations += opcode(at) == OP_DECORATE;
    entries += opcode(at) == OP_ENTRY_POINT;
  }
  part.constants = calloc(decorations + 1, sizeof *part.constants);
  part.entries = calloc(entries + 1, sizeof *part.entries);
  for (cursor at = begin_part(&part); more(at); next(&at)) {
    if (opcode(at) == OP_DECORATE && at.words[2] == DECORATION_SPEC_ID)
      read_constant(&part, at.words[1], at.words[3]);
    else if (opcode(at) == OP_ENTRY_POINT)
      read_entry(&part, at.words);
  }
  qsort(part.constants, part.constant_count, sizeof *part.constants, compare_constants);
  *ret = part;
  return CL_SUCCESS;
}

cl_int fake_part_copy(const fake_part *part, fake_part *ret) {
  *ret = *part;
  ret->il = malloc(part->length + 1);
  memcpy(ret->il, part->il, part->length);
  ret->constants = calloc(part->constant_count + 1, sizeof *ret->constants);
  memcpy(ret->constants, part->constants, part->constant_count * sizeof *ret->constants);
  ret->entries = calloc(part->entry_count + 1, sizeof *ret->entries);
  memcpy(ret->entries, part->entries, part->entry_count * sizeof *ret->entries);
  return CL_SUCCESS;
}

cl_int fake_part_scan(const char *source, fake_part *ret) {
  static const char begin_of_kernel[] = "kernel void ";
  fake_part part = {.il = malloc(1)};
  size_t entries = 0;
  for (const char *at = source; (at = strstr(at, begin_of_kernel)); at++)
    entries++;
  part.entries = calloc(entries + 1, sizeof *part.entries);
  part.constants = calloc(1, sizeof *part.constants);
  for (const char *at = source; (at = strstr(at, begin_of_kernel)); at++) {
    fake_entry *entry = &part.entries[part.entry_count++];
    const char *name = at + sizeof begin_of_kernel - 1;
    const size_t length = strcspn(name, "(");
    memcpy(entry->name, name, length < sizeof entry->name ? length : sizeof entry->name - 1);
    const char *list = name + length;
    const char *end = strchr(list, ')');
    for (const char *c = list; end && c < end; c++)
      if ((c == list && end > list + 1) || *c == ',') {
        /* A parameter up to the next comma: a global pointer, or a value of unknown size. */
        const size_t part_length = strcspn(c + 1, ",)");
        const char *star = memchr(c + 1, '*', part_length);
        entry->kinds[entry->argument_count++] = star ? FAKE_ARGUMENT_MEM : FAKE_ARGUMENT_VALUE;
      }
  }
  *ret = part;
  return CL_SUCCESS;
}

void fake_part_free(fake_part *part) {
  free(part->il);
  free(part->constants);
  free(part->entries);
}

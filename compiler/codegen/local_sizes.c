#include "local_sizes.h"

#include "../../plugins/base/find.h"
#include "../../plugins/code/spirv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
  OP_EXECUTION_MODE = 16,
  OP_CONSTANT = 43,
  OP_EXECUTION_MODE_ID = 331,
  MODE_LOCAL_SIZE = 17,
  MODE_LOCAL_SIZE_ID = 38,
  MODE_WORDS = 6, /* of both instructions: opcode, kernel, mode, three sizes */
};

/* A constant that is used as a size. */
typedef struct size_constant {
  uint32_t id;
  uint32_t number;
  bool is_known;
} size_constant;

typedef struct size_constants {
  size_constant *items;
  size_t count;
} size_constants;

static bool is_sized_by_ids(const spirv_instruction *at) {
  return at->opcode == OP_EXECUTION_MODE_ID && at->words == MODE_WORDS &&
         spirv_word(at, 2) == MODE_LOCAL_SIZE_ID;
}

static size_constant *find_constant(const size_constants *in, uint32_t id) {
  return find_id(id, in->items, in->count, sizeof *in->items);
}

/* Counts the sizes, and records their ids if ret->items is not NULL. */
static void collect_ids(spirv_words words, size_constants *ret) {
  spirv_instruction at;
  ret->count = 0;
  while (spirv_more(&words) && spirv_next(&words, &at) == PI_SUCCESS)
    for (uint32_t i = 3; i < MODE_WORDS && is_sized_by_ids(&at); i++, ret->count++)
      if (ret->items != NULL)
        ret->items[ret->count].id = spirv_word(&at, i);
}

/* Stores a constant's number in all sizes that use it. */
static void take_number(size_constants *to, const spirv_instruction *at) {
  size_constant *constant = find_constant(to, spirv_word(at, 2));
  const size_constant *end = to->items + to->count;
  while (constant != NULL && constant > to->items && constant[-1].id == constant->id)
    constant--;
  for (const uint32_t id = constant != NULL ? constant->id : 0;
       constant != NULL && constant < end && constant->id == id; constant++) {
    constant->number = spirv_word(at, 3);
    constant->is_known = true;
  }
}

static void read_numbers(spirv_words words, size_constants *to) {
  spirv_instruction at;
  while (spirv_more(&words) && spirv_next(&words, &at) == PI_SUCCESS)
    if ((at.opcode == OP_CONSTANT || at.opcode == SPIRV_OP_SPEC_CONSTANT) && at.words == 4)
      take_number(to, &at);
}

static specpi_compiler_result write_numbers(unsigned char *module, spirv_words words,
                                            const size_constants *sizes) {
  spirv_instruction at;
  size_t next = words.next;
  while (spirv_more(&words) && spirv_next(&words, &at) == PI_SUCCESS) {
    unsigned char *to = module + 4 * next;
    next = words.next;
    if (!is_sized_by_ids(&at))
      continue;
    uint32_t numbers[3];
    for (uint32_t i = 0; i < 3; i++) {
      const size_constant *constant = find_constant(sizes, spirv_word(&at, 3 + i));
      COMPILER_REQUIRE(constant->is_known, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                       "a kernel's work-group size is %%%u, which is no constant of 32 bits",
                       (unsigned)constant->id);
      numbers[i] = constant->number;
    }
    spirv_store(to, (uint32_t)MODE_WORDS << 16 | OP_EXECUTION_MODE);
    spirv_store(to + 8, MODE_LOCAL_SIZE);
    for (uint32_t i = 0; i < 3; i++)
      spirv_store(to + 12 + 4 * i, numbers[i]);
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result local_sizes_settle(unsigned char *module, size_t size) {
  spirv_words words;
  size_constants sizes = {0};
  if (spirv_open(module, size, &words) != PI_SUCCESS)
    return SPECPI_COMPILER_SUCCESS; /* not SPIR-V: it has no sizes */
  collect_ids(words, &sizes);
  if (sizes.count == 0)
    return SPECPI_COMPILER_SUCCESS;
  sizes.items = calloc(sizes.count, sizeof *sizes.items);
  if (sizes.items == NULL)
    return compiler_error_memory();
  collect_ids(words, &sizes);
  qsort(sizes.items, sizes.count, sizeof *sizes.items, compare_ids);
  read_numbers(words, &sizes);
  const specpi_compiler_result result = write_numbers(module, words, &sizes);
  free(sizes.items);
  return result;
}

#include "words.h"

#include "../../plugins/base/error.h"
#include "../../plugins/code/spirv.h"
#include "../../plugins/code/spirv_code.h"
#include "capabilities.h"
#include "host_names.h"
#include "local_sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OP_NAME = 5,
  OP_EXTENSION = 10,
  OP_CAPABILITY = 17,
  OP_CONTROL_BARRIER = 224,
  OP_MEMORY_BARRIER = 225,
  OP_CONTROL_BARRIER_ARRIVE = 6142,
  OP_CONTROL_BARRIER_WAIT = 6143,
  CAPABILITY_SPLIT_BARRIER = 6141,
  DECORATION_BUILT_IN = 11,
  DECORATION_LINKAGE = 41,
  LINKAGE_IMPORT = 1,
  BUILT_INS_MAX = 64, /* SPIR-V has 25 for kernels */
};

/* A built-in variable. */
typedef struct built_in {
  uint32_t id;
  uint32_t number;
} built_in;

typedef struct built_ins {
  built_in items[BUILT_INS_MAX];
  size_t count;
} built_ins;

/* The copy, as far as it has been written. */
typedef struct output {
  unsigned char *bytes;
  size_t size;
} output;

/* What a reader of the plugins refuses is refused here, with its sentence. */
static specpi_compiler_result adopt_error(pi_result result) {
  const char *message;
  if (result == PI_SUCCESS)
    return SPECPI_COMPILER_SUCCESS;
  plugin_error_last(&message);
  return compiler_error(result == PI_ERROR_OUT_OF_HOST_MEMORY
                            ? SPECPI_COMPILER_ERROR_OUT_OF_MEMORY
                            : SPECPI_COMPILER_ERROR_INVALID_MODULE,
                        "%s", message);
}

/* ---- Built-in variables ---- */

static bool is_built_in(const spirv_instruction *at) {
  return at->opcode == SPIRV_OP_DECORATE && at->words == 4 &&
         spirv_word(at, 2) == DECORATION_BUILT_IN;
}

static const built_in *find_built_in(const built_ins *in, uint32_t id) {
  for (size_t i = 0; i < in->count; i++)
    if (in->items[i].id == id)
      return &in->items[i];
  return NULL;
}

static specpi_compiler_result take_instruction(const spirv_instruction *at, built_ins *ret) {
  if (at->opcode == OP_CAPABILITY && at->words == 2)
    return capability_check(spirv_word(at, 1));
  if (!is_built_in(at) || find_built_in(ret, spirv_word(at, 1)) != NULL)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_REQUIRE(ret->count < BUILT_INS_MAX, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "the SPIR-V module has more than %d built-in variables", BUILT_INS_MAX);
  ret->items[ret->count++] = (built_in){.id = spirv_word(at, 1), .number = spirv_word(at, 3)};
  return SPECPI_COMPILER_SUCCESS;
}

/* Whether it gives a built-in variable a name or a linkage, which it is to lose. */
static bool is_replaced(const spirv_instruction *at, const built_ins *in) {
  const bool names = at->opcode == OP_NAME && at->words > 2;
  const bool links =
      at->opcode == SPIRV_OP_DECORATE && at->words > 3 && spirv_word(at, 2) == DECORATION_LINKAGE;
  return (names || links) && find_built_in(in, spirv_word(at, 1)) != NULL;
}

static void put_word(output *to, uint32_t word) {
  spirv_store(to->bytes + to->size, word);
  to->size += 4;
}

/* What takes the place of the decoration as a built-in variable: a name, and a linkage by it. */
static void put_linkage(output *to, const built_in *it) {
  char name[32] = {0}; /* whole words, the last of which has a NUL */
  const size_t length = (size_t)snprintf(name, sizeof name, WORDS_BUILT_IN "%u", it->number);
  const uint32_t words = (uint32_t)(length / 4 + 1);
  put_word(to, (2 + words) << 16 | OP_NAME);
  put_word(to, it->id);
  memcpy(to->bytes + to->size, name, (size_t)words * 4);
  to->size += (size_t)words * 4;
  put_word(to, (4 + words) << 16 | SPIRV_OP_DECORATE);
  put_word(to, it->id);
  put_word(to, DECORATION_LINKAGE);
  memcpy(to->bytes + to->size, name, (size_t)words * 4);
  to->size += (size_t)words * 4;
  put_word(to, LINKAGE_IMPORT);
}

static void put_copy(output *to, const spirv_instruction *at) {
  memcpy(to->bytes + to->size, at->bytes, (size_t)at->words * 4);
  to->size += (size_t)at->words * 4;
}

/*
 * Copies an instruction, but for the names of extensions, of which the translator refuses those
 * that it does not know, whatever comes of them: capabilities say more. Of a barrier in two halves,
 * which the translator does not know, the first one is about memory alone, and all waiting is in
 * the second one.
 */
static void put_instruction(output *to, const spirv_instruction *at) {
  if (at->opcode == OP_EXTENSION)
    return;
  if (at->opcode == OP_CAPABILITY && at->words == 2 &&
      spirv_word(at, 1) == CAPABILITY_SPLIT_BARRIER)
    return;
  if (at->opcode == OP_CONTROL_BARRIER_ARRIVE && at->words == 4) {
    put_word(to, 3u << 16 | OP_MEMORY_BARRIER);
    put_word(to, spirv_word(at, 2));
    put_word(to, spirv_word(at, 3));
  } else if (at->opcode == OP_CONTROL_BARRIER_WAIT && at->words == 4) {
    put_word(to, 4u << 16 | OP_CONTROL_BARRIER);
    for (uint32_t i = 1; i < 4; i++)
      put_word(to, spirv_word(at, i));
  } else {
    put_copy(to, at);
  }
}

/* More than put_linkage writes. */
#define LINKAGE_BYTES (2 * 32 + 6 * 4)

/* Writes all instructions behind the header. */
static specpi_compiler_result put_instructions(spirv_words words, const built_ins *found,
                                               const host_names *names, output *to) {
  spirv_instruction at;
  built_ins written = {.count = 0};
  while (spirv_more(&words)) {
    COMPILER_TRY(adopt_error(spirv_next(&words, &at)));
    const size_t named = host_names_put(names, &at, to->bytes + to->size);
    to->size += named;
    if (named != 0 || host_names_own(names, &at) || is_replaced(&at, found))
      continue;
    if (!is_built_in(&at)) {
      put_instruction(to, &at);
    } else if (find_built_in(&written, spirv_word(&at, 1)) == NULL) {
      COMPILER_TRY(take_instruction(&at, &written));
      put_linkage(to, &written.items[written.count - 1]);
    }
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result copy_module(const void *module, size_t size, output *to) {
  spirv_words words;
  spirv_instruction at;
  built_ins found = {.count = 0};
  host_names names;
  COMPILER_TRY(adopt_error(spirv_open(module, size, &words)));
  const size_t first = words.next * 4;
  for (spirv_words it = words; spirv_more(&it);) {
    COMPILER_TRY(adopt_error(spirv_next(&it, &at)));
    COMPILER_TRY(take_instruction(&at, &found));
  }
  COMPILER_TRY(adopt_error(host_names_read(words, &names)));
  to->bytes = malloc(size + found.count * LINKAGE_BYTES + names.growth);
  if (to->bytes == NULL) {
    host_names_free(&names);
    return compiler_error_memory();
  }
  memcpy(to->bytes, module, first);
  to->size = first;
  const specpi_compiler_result result = put_instructions(words, &found, &names, to);
  host_names_free(&names);
  return result;
}

/* ---- Values ---- */

static pi_result set_values(spirv_code *code, const codegen_value *values, size_t count,
                            spirv_code **ret) {
  code_constants *constants;
  TRY(code_constants_read(code->bytes, code->size, &constants));
  pi_result result = PI_SUCCESS;
  for (size_t i = 0; i < count && result == PI_SUCCESS; i++)
    result = code_constants_set(constants, values[i].id, values[i].size, values[i].bytes);
  if (result == PI_SUCCESS)
    result = spirv_code_specialise(code, constants, ret);
  code_constants_free(constants);
  return result;
}

specpi_compiler_result words_prepare(const void *module, size_t size, const codegen_value *values,
                                     size_t value_count, unsigned char **ret, size_t *ret_size) {
  spirv_code *code;
  spirv_code *specialised = NULL;
  COMPILER_TRY(adopt_error(spirv_code_create(module, size, &code)));
  specpi_compiler_result result = adopt_error(set_values(code, values, value_count, &specialised));
  spirv_code_release(code);
  if (specialised == NULL)
    return result;
  output made = {0};
  result = copy_module(specialised->bytes, specialised->size, &made);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = local_sizes_settle(made.bytes, made.size);
  spirv_code_release(specialised);
  if (result != SPECPI_COMPILER_SUCCESS) {
    free(made.bytes);
    return result;
  }
  *ret = made.bytes;
  *ret_size = made.size;
  return SPECPI_COMPILER_SUCCESS;
}

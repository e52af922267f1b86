#include "spirv_part.h"

#include "../base/error.h"
#include "../base/find.h"
#include "spirv.h"

#include <stdlib.h>
#include <string.h>

enum {
  OP_NAME = 5,
  OP_LINE = 8,
  OP_EXT_INST = 12,
  OP_EXECUTION_MODE = 16,
  OP_FUNCTION = 54,
  OP_FUNCTION_END = 56,
  OP_FUNCTION_CALL = 57,
  OP_NO_LINE = 317,
  OP_EXECUTION_MODE_ID = 331,
  OP_DECORATE_ID = 332,
  OP_CONSTANT_FUNCTION_POINTER = 5600,
  OP_DECORATE_STRING = 5632,
  EXECUTION_MODEL_KERNEL = 6,
};

typedef struct function {
  pi_uint32 id;
  size_t begin, end; /* its instructions: words [begin, end) of the module */
  bool is_reached;
} function;

typedef struct part {
  spirv_words module;
  const char *kernel;
  pi_uint32 root;      /* id of the kernel's function */
  function *functions; /* in ascending order of ids */
  size_t function_count;
  size_t *waiting; /* indexes of reached functions whose calls have not been read yet */
  size_t waiting_count;
  pi_uint32 *left_out; /* ids that unreached functions define, in ascending order */
  size_t left_out_count;
  unsigned char *bytes; /* the copy; has space for a whole module */
  size_t size;
} part;

/* ---- The functions ---- */

static function *find_function(const part *part, pi_uint32 id) {
  return find_id(id, part->functions, part->function_count, sizeof *part->functions);
}

static bool is_wanted_entry(const part *part, const spirv_instruction *at) {
  if (at->opcode != SPIRV_OP_ENTRY_POINT || at->words < 4 ||
      spirv_word(at, 1) != EXECUTION_MODEL_KERNEL)
    return false;
  const char *name = spirv_text(at, 3);
  return name && strcmp(name, part->kernel) == 0;
}

/* Finds the kernel and counts the functions. Also stores them if part->functions is allocated. */
static pi_result scan_functions(part *part) {
  bool is_there = false;
  part->function_count = 0;
  for (spirv_words module = part->module; spirv_more(&module);) {
    spirv_instruction at;
    TRY(spirv_next(&module, &at));
    if (is_wanted_entry(part, &at)) {
      part->root = spirv_word(&at, 2);
      is_there = true;
    }
    if (at.opcode == OP_FUNCTION && at.words >= 3) {
      if (part->functions)
        part->functions[part->function_count] =
            (function){spirv_word(&at, 2), at.position, part->module.words, false};
      part->function_count++;
    }
    if (at.opcode == OP_FUNCTION_END && part->functions && part->function_count != 0)
      part->functions[part->function_count - 1].end = module.next;
  }
  REQUIRE(is_there, PI_ERROR_INVALID_KERNEL_NAME, "the module has no kernel \"%s\"", part->kernel);
  return PI_SUCCESS;
}

static pi_result read_functions(part *part) {
  TRY(scan_functions(part));
  part->functions = calloc(part->function_count + 1, sizeof *part->functions);
  part->waiting = calloc(part->function_count + 1, sizeof *part->waiting);
  REQUIRE_MEMORY(part->functions && part->waiting, "%zu functions", part->function_count);
  TRY(scan_functions(part));
  qsort(part->functions, part->function_count, sizeof *part->functions, compare_ids);
  return PI_SUCCESS;
}

/* ---- Functions that the kernel reaches ---- */

static void reach(part *part, pi_uint32 id) {
  function *found = find_function(part, id);
  if (!found || found->is_reached)
    return;
  found->is_reached = true;
  part->waiting[part->waiting_count++] = (size_t)(found - part->functions);
}

/* Returns a reader for the instructions of a function. */
static spirv_words body_of(const part *part, const function *of) {
  return (spirv_words){part->module.bytes, of->end, of->begin};
}

/* Reaches all functions whose address a constant holds, because any function may call them. */
static pi_result reach_pointers(part *part) {
  for (spirv_words module = part->module; spirv_more(&module);) {
    spirv_instruction at;
    TRY(spirv_next(&module, &at));
    if (at.opcode == OP_FUNCTION)
      break;
    if (at.opcode == OP_CONSTANT_FUNCTION_POINTER && at.words >= 4)
      reach(part, spirv_word(&at, 3));
  }
  return PI_SUCCESS;
}

static pi_result reach_calls(part *part) {
  reach(part, part->root);
  while (part->waiting_count != 0) {
    const function *of = &part->functions[part->waiting[--part->waiting_count]];
    for (spirv_words body = body_of(part, of); spirv_more(&body);) {
      spirv_instruction at;
      TRY(spirv_next(&body, &at));
      if (at.opcode == OP_FUNCTION_CALL && at.words >= 4)
        reach(part, spirv_word(&at, 3));
    }
  }
  return PI_SUCCESS;
}

/* ---- Ids that are left out ---- */

/*
 * Counts the ids that unreached functions define. Also stores them if part->left_out is allocated.
 */
static pi_result scan_left_out(part *part) {
  part->left_out_count = 0;
  for (size_t i = 0; i < part->function_count; i++)
    for (spirv_words body = body_of(part, &part->functions[i]);
         !part->functions[i].is_reached && spirv_more(&body);) {
      spirv_instruction at;
      TRY(spirv_next(&body, &at));
      const pi_uint32 word = spirv_result_word(at.opcode);
      if (word == 0 || at.words <= word)
        continue;
      if (part->left_out)
        part->left_out[part->left_out_count] = spirv_word(&at, word);
      part->left_out_count++;
    }
  return PI_SUCCESS;
}

static pi_result list_left_out(part *part) {
  TRY(scan_left_out(part));
  part->left_out = calloc(part->left_out_count + 1, sizeof *part->left_out);
  REQUIRE_MEMORY(part->left_out, "%zu ids", part->left_out_count);
  TRY(scan_left_out(part));
  qsort(part->left_out, part->left_out_count, sizeof *part->left_out, compare_ids);
  return PI_SUCCESS;
}

static bool is_left_out(const part *part, pi_uint32 id) {
  return find_id(id, part->left_out, part->left_out_count, sizeof id) != NULL;
}

/* ---- The copy ---- */

static void put_words(part *part, const unsigned char *bytes, size_t words) {
  memcpy(part->bytes + part->size, bytes, words * 4);
  part->size += words * 4;
}

/* Copies an OpGroupDecorate without the targets that are left out. */
static void put_group(part *part, const spirv_instruction *at) {
  unsigned char *first = part->bytes + part->size;
  pi_uint32 words = 2;
  put_words(part, at->bytes, words);
  for (pi_uint32 i = words; i < at->words; i++)
    if (!is_left_out(part, spirv_word(at, i))) {
      put_words(part, at->bytes + (size_t)i * 4, 1);
      words++;
    }
  spirv_store(first, words << 16 | SPIRV_OP_GROUP_DECORATE);
}

/* Returns whether the copy omits an instruction outside of functions. Omits debug information. */
static bool is_dropped(const part *part, const spirv_instruction *at) {
  const pi_uint32 target = at->words > 1 ? spirv_word(at, 1) : 0;
  switch (at->opcode) {
  case SPIRV_OP_ENTRY_POINT:
    return !is_wanted_entry(part, at);
  case OP_EXECUTION_MODE:
  case OP_EXECUTION_MODE_ID:
    return target != part->root;
  case OP_NAME:
  case SPIRV_OP_DECORATE:
  case OP_DECORATE_ID:
  case OP_DECORATE_STRING:
    return is_left_out(part, target);
  case OP_LINE:
  case OP_EXT_INST:
  case OP_NO_LINE:
    return true;
  default:
    return false;
  }
}

static pi_result put_instructions(part *part) {
  put_words(part, part->module.bytes, part->module.next);
  for (spirv_words module = part->module; spirv_more(&module);) {
    spirv_instruction at;
    TRY(spirv_next(&module, &at));
    const function *of =
        at.opcode == OP_FUNCTION && at.words >= 3 ? find_function(part, spirv_word(&at, 2)) : NULL;
    if (of && of->begin == at.position) {
      if (of->is_reached)
        put_words(part, at.bytes, of->end - of->begin);
      module.next = of->end;
    } else if (at.opcode == SPIRV_OP_GROUP_DECORATE && at.words >= 2) {
      put_group(part, &at);
    } else if (!is_dropped(part, &at)) {
      put_words(part, at.bytes, at.words);
    }
  }
  return PI_SUCCESS;
}

static pi_result make_part(part *part, size_t length) {
  TRY(read_functions(part));
  TRY(reach_pointers(part));
  TRY(reach_calls(part));
  TRY(list_left_out(part));
  part->bytes = malloc(length);
  REQUIRE_MEMORY(part->bytes, "%zu bytes of SPIR-V", length);
  return put_instructions(part);
}

pi_result spirv_part(const void *il, size_t length, const char *kernel, void **ret,
                     size_t *ret_length) {
  part part = {.kernel = kernel};
  TRY(spirv_open(il, length, &part.module));
  const pi_result result = make_part(&part, length);
  free(part.functions);
  free(part.waiting);
  free(part.left_out);
  if (result != PI_SUCCESS) {
    free(part.bytes);
    return result;
  }
  *ret = part.bytes;
  *ret_length = part.size;
  return PI_SUCCESS;
}

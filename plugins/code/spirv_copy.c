/*
 * Copies modules for drivers. Some drivers ignore a SpecId of a decoration group: Intel's CPU
 * runtime reports CL_INVALID_SPEC_ID for such a constant. So the copy has the SpecId on each member
 * of the group instead, which means the same. All else is copied unchanged.
 */
#include "spirv_copy.h"

#include "../base/error.h"
#include "../base/find.h"
#include "spirv.h"

#include <stdlib.h>
#include <string.h>

enum {
  OP_DECORATION_GROUP = 73,
  DECORATE_WORDS = 4, /* size of an OpDecorate with SpecId */
};

/* A decoration group with a SpecId. */
typedef struct spec_group {
  pi_uint32 target;
  pi_uint32 spec_id;
  bool is_group; /* target was found to be a group */
} spec_group;

/* SpecIds of decoration groups, sorted by target. Before keep_groups: all SpecIds of a module. */
typedef struct spec_groups {
  spec_group *list;
  size_t count;
} spec_groups;

/* The new module. */
typedef struct output {
  unsigned char *bytes; /* NULL: only count the words */
  size_t words;
} output;

static void put_words(output *out, const unsigned char *bytes, size_t words) {
  if (out->bytes)
    memcpy(out->bytes + out->words * 4, bytes, words * 4);
  out->words += words;
}

static void put_word(output *out, pi_uint32 word) {
  unsigned char bytes[4];
  spirv_store(bytes, word);
  put_words(out, bytes, 1);
}

static bool is_spec_id(const spirv_instruction *instruction) {
  return instruction->opcode == SPIRV_OP_DECORATE && instruction->words == DECORATE_WORDS &&
         spirv_word(instruction, 2) == SPIRV_DECORATION_SPEC_ID;
}

static spec_group *find_group(const spec_groups *groups, pi_uint32 target) {
  return find_id(target, groups->list, groups->count, sizeof *groups->list);
}

/* Counts the OpDecorates with SpecId and the decoration groups of a module. */
static pi_result count_candidates(spirv_words module, size_t *spec_ids, size_t *groups) {
  *spec_ids = *groups = 0;
  while (spirv_more(&module)) {
    spirv_instruction instruction;
    TRY(spirv_next(&module, &instruction));
    *spec_ids += is_spec_id(&instruction);
    *groups += instruction.opcode == OP_DECORATION_GROUP && instruction.words == 2;
  }
  return PI_SUCCESS;
}

/* Sorts the SpecIds by target and keeps those whose target is a group. */
static pi_result keep_groups(spirv_words module, spec_groups *all) {
  qsort(all->list, all->count, sizeof *all->list, compare_ids);
  while (spirv_more(&module)) {
    spirv_instruction instruction;
    TRY(spirv_next(&module, &instruction));
    if (instruction.opcode != OP_DECORATION_GROUP || instruction.words != 2)
      continue;
    spec_group *group = find_group(all, spirv_word(&instruction, 1));
    if (group)
      group->is_group = true;
  }
  size_t kept = 0;
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].is_group)
      all->list[kept++] = all->list[i];
  all->count = kept;
  return PI_SUCCESS;
}

/* Finds the groups with a SpecId. The caller frees ret->list, also after an error. */
static pi_result find_groups(spirv_words module, spec_groups *ret) {
  size_t spec_ids;
  size_t groups;
  TRY(count_candidates(module, &spec_ids, &groups));
  if (spec_ids == 0 || groups == 0)
    return PI_SUCCESS;
  ret->list = calloc(spec_ids, sizeof *ret->list);
  REQUIRE_MEMORY(ret->list, "%zu decorations", spec_ids);
  for (spirv_words at = module; spirv_more(&at);) {
    spirv_instruction instruction;
    TRY(spirv_next(&at, &instruction));
    if (is_spec_id(&instruction))
      ret->list[ret->count++] =
          (spec_group){spirv_word(&instruction, 1), spirv_word(&instruction, 3), false};
  }
  return keep_groups(module, ret);
}

/* Writes the new module. Without groups copies all of it, because find_groups has checked it. */
static pi_result rewrite(spirv_words module, const spec_groups *groups, output *out) {
  if (groups->count == 0) {
    put_words(out, module.bytes, module.words);
    return PI_SUCCESS;
  }
  put_words(out, module.bytes, module.next);
  while (spirv_more(&module)) {
    spirv_instruction instruction;
    TRY(spirv_next(&module, &instruction));
    if (is_spec_id(&instruction) && find_group(groups, spirv_word(&instruction, 1)))
      continue;
    put_words(out, instruction.bytes, instruction.words);
    if (instruction.opcode != SPIRV_OP_GROUP_DECORATE || instruction.words < 2)
      continue;
    const spec_group *group = find_group(groups, spirv_word(&instruction, 1));
    for (pi_uint32 i = 2; group && i < instruction.words; i++) {
      put_word(out, DECORATE_WORDS << 16 | SPIRV_OP_DECORATE);
      put_word(out, spirv_word(&instruction, i));
      put_word(out, SPIRV_DECORATION_SPEC_ID);
      put_word(out, group->spec_id);
    }
  }
  return PI_SUCCESS;
}

static pi_result copy_module(spirv_words module, const spec_groups *groups, void **ret,
                             size_t *ret_length) {
  output out = {0};
  TRY(rewrite(module, groups, &out));
  const size_t length = out.words * 4;
  out = (output){.bytes = malloc(length)};
  REQUIRE_MEMORY(out.bytes, "%zu bytes of IL", length);
  const pi_result result = rewrite(module, groups, &out);
  if (result != PI_SUCCESS) {
    free(out.bytes);
    return result;
  }
  *ret = out.bytes;
  *ret_length = length;
  return PI_SUCCESS;
}

pi_result spirv_copy(const void *il, size_t length, void **ret, size_t *ret_length) {
  spirv_words module;
  TRY(spirv_open(il, length, &module));
  spec_groups groups = {0};
  pi_result result = find_groups(module, &groups);
  if (result == PI_SUCCESS)
    result = copy_module(module, &groups, ret, ret_length);
  free(groups.list);
  return result;
}

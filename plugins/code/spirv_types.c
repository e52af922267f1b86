#include "spirv_types.h"

#include "../base/error.h"
#include "../base/find.h"

#include <stdlib.h>

/* Numbers of the SPIR-V specification that only this file needs. */
enum {
  OP_NAME = 5,
  OP_MEMORY_MODEL = 14,
  OP_TYPE_LAST = 38, /* OpTypePipe; OpTypeForwardPointer, the next one, defines no type */
  OP_CONSTANT = 43,
  OP_DECORATION_GROUP = 73,
  ADDRESSING_PHYSICAL32 = 1,
  DECORATION_PACKED = 10,
};

static int by_id(const void *left, const void *right) {
  const spirv_type *a = left;
  const spirv_type *b = right;
  return a->id != b->id ? (a->id > b->id) - (a->id < b->id)
                        : (a->instruction.position > b->instruction.position) -
                              (a->instruction.position < b->instruction.position);
}

spirv_type *spirv_types_find(const spirv_types *types, pi_uint32 id) {
  return find_id(id, types->all, types->count, sizeof *types->all);
}

/* ---- Collecting ---- */

/* Counts a definition of interest, and stores it if the array is allocated. */
static void take_definition(spirv_types *types, const spirv_instruction *instruction) {
  const bool is_type =
      instruction->opcode >= SPIRV_OP_TYPE_BOOL && instruction->opcode <= OP_TYPE_LAST;
  const bool is_constant = instruction->opcode == OP_CONSTANT && instruction->words >= 4;
  if (instruction->opcode == OP_MEMORY_MODEL && instruction->words >= 3)
    types->pointer_size = spirv_word(instruction, 1) == ADDRESSING_PHYSICAL32 ? 4 : 8;
  if (!is_constant &&
      !((is_type || instruction->opcode == OP_DECORATION_GROUP) && instruction->words >= 2))
    return;
  if (types->all)
    types->all[types->count] = (spirv_type){.id = spirv_word(instruction, is_constant ? 2 : 1),
                                            .instruction = *instruction};
  types->count++;
}

static pi_result walk_definitions(spirv_words module, spirv_types *types) {
  types->count = 0;
  while (spirv_more(&module)) {
    spirv_instruction instruction;
    TRY(spirv_next(&module, &instruction));
    take_definition(types, &instruction);
  }
  return PI_SUCCESS;
}

static void mark_type(spirv_types *types, pi_uint32 id) {
  spirv_type *type = spirv_types_find(types, id);
  if (type)
    type->is_packed = true;
}

/*
 * Marks the structures with the decoration CPacked, which have no gaps between members. In a module
 * a group's decorations come before the instructions that apply the group, so one pass is enough.
 */
static pi_result mark_packed(spirv_words module, spirv_types *types) {
  while (spirv_more(&module)) {
    spirv_instruction instruction;
    TRY(spirv_next(&module, &instruction));
    if (instruction.opcode == SPIRV_OP_DECORATE && instruction.words >= 3 &&
        spirv_word(&instruction, 2) == DECORATION_PACKED)
      mark_type(types, spirv_word(&instruction, 1));
    if (instruction.opcode != SPIRV_OP_GROUP_DECORATE || instruction.words < 2)
      continue;
    const spirv_type *group = spirv_types_find(types, spirv_word(&instruction, 1));
    for (pi_uint32 i = 2; group && group->is_packed && i < instruction.words; i++)
      mark_type(types, spirv_word(&instruction, i));
  }
  return PI_SUCCESS;
}

pi_result spirv_types_read(spirv_words module, spirv_types *ret) {
  *ret = (spirv_types){.pointer_size = 8};
  TRY(walk_definitions(module, ret));
  ret->all = calloc(ret->count + 1, sizeof *ret->all);
  REQUIRE_MEMORY(ret->all, "%zu types of a module", ret->count);
  pi_result result = walk_definitions(module, ret);
  qsort(ret->all, ret->count, sizeof *ret->all, by_id);
  if (result == PI_SUCCESS)
    result = mark_packed(module, ret);
  if (result != PI_SUCCESS)
    spirv_types_free(ret);
  return result;
}

void spirv_types_name(spirv_types *types, spirv_words module) {
  spirv_instruction instruction;
  while (spirv_more(&module) && spirv_next(&module, &instruction) == PI_SUCCESS) {
    spirv_type *type = instruction.opcode == OP_NAME && instruction.words >= 3
                           ? spirv_types_find(types, spirv_word(&instruction, 1))
                           : NULL;
    if (type)
      type->name = spirv_text(&instruction, 2);
  }
}

void spirv_types_free(spirv_types *types) {
  free(types->all);
  *types = (spirv_types){.all = NULL};
}

/* ---- Sizes ---- */

enum { DEPTH_MAX = 64 };

static void measure_type(spirv_types *types, spirv_type *type, int depth);

/* Returns the size and alignment of a type, measured on first use. False if they are unknown. */
static bool get_size(spirv_types *types, pi_uint32 id, int depth, pi_uint32 *size,
                     pi_uint32 *align) {
  spirv_type *type = spirv_types_find(types, id);
  if (!type)
    return false;
  if (!type->is_known) {
    if (depth >= DEPTH_MAX)
      return false;
    measure_type(types, type, depth + 1);
  }
  *size = type->size;
  *align = type->align;
  return type->size != 0;
}

static void set_size(spirv_type *type, uint64_t size, pi_uint32 align) {
  if (size <= UINT32_MAX && align != 0) {
    type->size = (pi_uint32)size;
    type->align = align;
  }
}

static void measure_struct(spirv_types *types, spirv_type *type, int depth) {
  const spirv_instruction *instruction = &type->instruction;
  uint64_t size = 0;
  pi_uint32 align = 1;
  for (pi_uint32 i = 2; i < instruction->words; i++) {
    pi_uint32 member;
    pi_uint32 member_align;
    if (!get_size(types, spirv_word(instruction, i), depth, &member, &member_align) ||
        size > UINT32_MAX)
      return;
    if (type->is_packed)
      member_align = 1;
    size = (size + member_align - 1) / member_align * member_align + member;
    align = align < member_align ? member_align : align;
  }
  set_size(type, (size + align - 1) / align * align, align);
}

pi_uint32 spirv_types_length(const spirv_types *types, const spirv_instruction *array) {
  const spirv_type *length = spirv_types_find(types, spirv_word(array, 3));
  if (!length || length->instruction.opcode != OP_CONSTANT || length->instruction.words > 5 ||
      (length->instruction.words == 5 && spirv_word(&length->instruction, 4) != 0))
    return 0;
  return spirv_word(&length->instruction, 3);
}

static void measure_array(spirv_types *types, spirv_type *type, int depth) {
  const spirv_instruction *instruction = &type->instruction;
  pi_uint32 size;
  pi_uint32 align;
  if (instruction->words < 4 || !get_size(types, spirv_word(instruction, 2), depth, &size, &align))
    return;
  if (instruction->opcode == SPIRV_OP_TYPE_ARRAY) {
    set_size(type, (uint64_t)size * spirv_types_length(types, instruction), align);
    return;
  }
  const pi_uint32 count = spirv_word(instruction, 3);
  /* A vector of three elements has the size of one of four. */
  const uint64_t all = (uint64_t)size * (count == 3 ? 4 : count);
  if (all <= UINT32_MAX)
    set_size(type, all, (pi_uint32)all);
}

static void measure_type(spirv_types *types, spirv_type *type, int depth) {
  const spirv_instruction *instruction = &type->instruction;
  type->is_known = true; /* set first, so that a type that contains itself ends the recursion */
  switch (instruction->opcode) {
  case SPIRV_OP_TYPE_BOOL:
    set_size(type, 1, 1);
    break;
  case SPIRV_OP_TYPE_INT:
  case SPIRV_OP_TYPE_FLOAT: {
    const pi_uint32 width = instruction->words >= 3 ? spirv_word(instruction, 2) : 0;
    if (width == 8 || width == 16 || width == 32 || width == 64)
      set_size(type, width / 8, width / 8);
    break;
  }
  case SPIRV_OP_TYPE_POINTER:
    set_size(type, types->pointer_size, types->pointer_size);
    break;
  case SPIRV_OP_TYPE_VECTOR:
  case SPIRV_OP_TYPE_ARRAY:
    measure_array(types, type, depth);
    break;
  case SPIRV_OP_TYPE_STRUCT:
    measure_struct(types, type, depth);
    break;
  default:
    break;
  }
}

pi_uint32 spirv_types_measure(spirv_types *types, pi_uint32 id) {
  pi_uint32 size;
  pi_uint32 align;
  return get_size(types, id, 0, &size, &align) ? size : 0;
}

#include "definitions.h"

#include "../../plugins/base/find.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *left, const void *right) {
  const definition *a = left;
  const definition *b = right;
  return a->id != b->id ? (a->id > b->id) - (a->id < b->id)
                        : (a->at.position > b->at.position) - (a->at.position < b->at.position);
}

/* Counts the module's results, and stores them if all->items is not NULL. */
static specpi_compiler_result collect_results(spirv_words words, definitions *all) {
  all->count = 0;
  while (spirv_more(&words)) {
    spirv_instruction at;
    COMPILER_REQUIRE(spirv_next(&words, &at) == PI_SUCCESS, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                     "the SPIR-V module is damaged");
    const uint32_t word = spirv_result_word(at.opcode);
    if (word == 0 || at.words <= word)
      continue;
    if (all->items != NULL)
      all->items[all->count] = (definition){.id = spirv_word(&at, word), .at = at};
    all->count++;
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result definitions_read(spirv_words words, definitions *ret) {
  *ret = (definitions){0};
  COMPILER_TRY(collect_results(words, ret));
  ret->items = calloc(ret->count + 1, sizeof *ret->items);
  if (ret->items == NULL)
    return compiler_error_memory();
  COMPILER_TRY(collect_results(words, ret));
  qsort(ret->items, ret->count, sizeof *ret->items, by_id);
  return SPECPI_COMPILER_SUCCESS;
}

void definitions_free(definitions *all) {
  for (size_t i = 0; all->items != NULL && i < all->count; i++)
    free(all->items[i].value);
  free(all->items);
  *all = (definitions){0};
}

definition *definitions_find(const definitions *all, uint32_t id) {
  return find_id(id, all->items, all->count, sizeof *all->items);
}

const definition *definitions_type(const definitions *all, uint32_t id) {
  const definition *definition = definitions_find(all, id);
  return definition != NULL && spirv_result_word(definition->at.opcode) == 2
             ? definitions_find(all, spirv_word(&definition->at, 1))
             : NULL;
}

uint32_t definitions_word(const definition *type, uint32_t opcode, uint32_t word) {
  return type != NULL && type->at.opcode == opcode && type->at.words > word
             ? spirv_word(&type->at, word)
             : 0;
}

const definition *definitions_scalar(const definitions *all, const definition *type) {
  if (type != NULL && type->at.opcode == OP_TYPE_VECTOR)
    type = definitions_find(all, definitions_word(type, OP_TYPE_VECTOR, 2));
  return definitions_width(type) != 0 ? type : NULL;
}

uint32_t definitions_width(const definition *scalar) {
  if (scalar == NULL || scalar->at.opcode == OP_TYPE_BOOL)
    return scalar != NULL;
  const uint32_t width = scalar->at.opcode == OP_TYPE_INT || scalar->at.opcode == OP_TYPE_FLOAT
                             ? definitions_word(scalar, scalar->at.opcode, 2)
                             : 0;
  return width == 8 || width == 16 || width == 32 || width == 64 ? width : 0;
}

/* ---- Constants ---- */

/* Returns the lowest width bits of a literal. */
static uint64_t literal_bits(const spirv_instruction *at, uint32_t width) {
  uint64_t bits = at->words > 3 ? spirv_word(at, 3) : 0;
  if (width == 64 && at->words > 4)
    bits |= (uint64_t)spirv_word(at, 4) << 32;
  return width < 64 ? bits & (((uint64_t)1 << width) - 1) : bits;
}

static bool is_composite(uint32_t opcode) {
  return opcode == OP_CONSTANT_COMPOSITE || opcode == OP_SPEC_CONSTANT_COMPOSITE;
}

/* Returns the value of a constant that is not a composite of other constants. */
static constant_value plain_value(const definitions *all, const definition *of) {
  constant_value made = {0};
  const uint32_t opcode = of->at.opcode;
  const definition *type = definitions_type(all, of->id);
  const definition *scalar = definitions_scalar(all, type);
  if (of->value != NULL)
    return *of->value;
  if (scalar == NULL)
    return made;
  made.component = scalar->id;
  made.is_vector = type != scalar;
  const uint32_t count = made.is_vector ? definitions_word(type, OP_TYPE_VECTOR, 3) : 1;
  const bool is_zero = opcode == OP_CONSTANT_NULL || opcode == OP_UNDEF ||
                       opcode == OP_CONSTANT_FALSE || opcode == SPIRV_OP_SPEC_CONSTANT_FALSE;
  const bool is_true = opcode == OP_CONSTANT_TRUE || opcode == SPIRV_OP_SPEC_CONSTANT_TRUE;
  const bool is_literal = opcode == OP_CONSTANT || opcode == SPIRV_OP_SPEC_CONSTANT;
  if (count > COMPONENTS_MAX || !(is_zero || (!made.is_vector && (is_true || is_literal))))
    return made;
  made.count = count;
  made.bits[0] = is_literal ? literal_bits(&of->at, definitions_width(scalar)) : is_true;
  return made;
}

constant_value definitions_value(const definitions *all, uint32_t id) {
  const definition *of = definitions_find(all, id);
  if (of == NULL || !is_composite(of->at.opcode))
    return of != NULL ? plain_value(all, of) : (constant_value){0};
  const definition *type = definitions_type(all, id);
  const definition *scalar = definitions_scalar(all, type);
  const uint32_t count = of->at.words - 3;
  constant_value made = {.is_vector = true};
  if (scalar == NULL || type == scalar || of->at.words < 3 || count > COMPONENTS_MAX ||
      count != definitions_word(type, OP_TYPE_VECTOR, 3))
    return made;
  made.component = scalar->id;
  for (uint32_t i = 0; i < count; i++) {
    const definition *part = definitions_find(all, spirv_word(&of->at, 3 + i));
    const constant_value value =
        part != NULL ? plain_value(all, part) : (constant_value){.count = 0};
    if (value.count != 1 || value.is_vector)
      return made;
    made.bits[i] = value.bits[0];
  }
  made.count = count;
  return made;
}

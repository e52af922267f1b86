#include "spec_ops.h"

#include "spec_numbers.h"

#include <stdlib.h>
#include <string.h>

enum {
  OP_ACCESS_CHAIN = 65,
  OP_IN_BOUNDS_PTR_ACCESS_CHAIN = 70,
  OP_VECTOR_SHUFFLE = 79,
  OP_COMPOSITE_EXTRACT = 81,
  OP_COMPOSITE_INSERT = 82,
  OP_CONVERT_PTR_TO_U = 117,
  OP_CONVERT_U_TO_PTR = 120,
  OP_PTR_CAST_TO_GENERIC = 121,
  OP_GENERIC_CAST_TO_PTR = 122,
  OP_BITCAST = 124,
  OP_SELECT = 169,
  OPERAND = 4, /* the first word after the operation */
  BYTE = 8,
};

static uint32_t operation(const spirv_instruction *at) {
  return at->words >= OPERAND ? spirv_word(at, 3) : 0;
}

bool spec_ops_is_pointer(const definitions *all, const spirv_instruction *at) {
  const uint32_t opcode = operation(at);
  const definition *type = at->words > OPERAND ? definitions_find(all, spirv_word(at, 1)) : NULL;
  const definition *from =
      at->words > OPERAND ? definitions_type(all, spirv_word(at, OPERAND)) : NULL;
  return (opcode >= OP_ACCESS_CHAIN && opcode <= OP_IN_BOUNDS_PTR_ACCESS_CHAIN) ||
         opcode == OP_CONVERT_PTR_TO_U ||
         (opcode >= OP_CONVERT_U_TO_PTR && opcode <= OP_GENERIC_CAST_TO_PTR) ||
         (type != NULL && type->at.opcode == OP_TYPE_POINTER) ||
         (from != NULL && from->at.opcode == OP_TYPE_POINTER);
}

static specpi_compiler_result refuse_operation(const spirv_instruction *at) {
  return compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE,
                        "there is no PTX for SPIR-V's OpSpecConstantOp %%%u with the operation %u",
                        at->words > 2 ? (unsigned)spirv_word(at, 2) : 0, (unsigned)operation(at));
}

/* ---- Parts of vectors ---- */

/* Returns the part of a constant composite at an instruction's indices; NULL if there is none. */
static const definition *find_part(const definitions *all, const spirv_instruction *at) {
  const definition *part = definitions_find(all, spirv_word(at, OPERAND));
  for (uint32_t i = OPERAND + 1; part != NULL && i < at->words; i++) {
    const uint32_t word = 3 + spirv_word(at, i);
    const bool is_composite =
        part->at.opcode == OP_CONSTANT_COMPOSITE || part->at.opcode == OP_SPEC_CONSTANT_COMPOSITE;
    if (!is_composite || word < 3 || word >= part->at.words)
      return NULL;
    part = definitions_find(all, spirv_word(&part->at, word));
  }
  return part;
}

static bool extract_part(const definitions *all, const spirv_instruction *at, constant_value *ret) {
  const constant_value from = definitions_value(all, spirv_word(at, OPERAND));
  if (from.count == 0 || !from.is_vector) {
    const definition *part = find_part(all, at);
    const constant_value value =
        part != NULL ? definitions_value(all, part->id) : (constant_value){.count = 0};
    const bool fits = value.count == ret->count && value.is_vector == ret->is_vector;
    memcpy(ret->bits, value.bits, sizeof value.bits);
    return fits;
  }
  const uint32_t index = at->words == OPERAND + 2 ? spirv_word(at, OPERAND + 1) : from.count;
  if (index >= from.count || ret->is_vector)
    return false;
  ret->bits[0] = from.bits[index];
  return true;
}

static bool insert_part(const definitions *all, const spirv_instruction *at, constant_value *ret) {
  if (at->words != OPERAND + 3)
    return false;
  const constant_value part = definitions_value(all, spirv_word(at, OPERAND));
  const constant_value into = definitions_value(all, spirv_word(at, OPERAND + 1));
  const uint32_t index = spirv_word(at, OPERAND + 2);
  if (part.count != 1 || into.count != ret->count || index >= into.count)
    return false;
  memcpy(ret->bits, into.bits, sizeof into.bits);
  ret->bits[index] = part.bits[0];
  return true;
}

static bool shuffle_parts(const definitions *all, const spirv_instruction *at,
                          constant_value *ret) {
  if (at->words != OPERAND + 2 + ret->count)
    return false;
  const constant_value a = definitions_value(all, spirv_word(at, OPERAND));
  const constant_value b = definitions_value(all, spirv_word(at, OPERAND + 1));
  if (a.count == 0 || b.count == 0)
    return false;
  for (uint32_t i = 0; i < ret->count; i++) {
    const uint32_t from = spirv_word(at, OPERAND + 2 + i);
    if (from != UINT32_MAX && from >= a.count + b.count)
      return false;
    ret->bits[i] = from == UINT32_MAX ? 0 : from < a.count ? a.bits[from] : b.bits[from - a.count];
  }
  return true;
}

static bool cast_bits(const definitions *all, const spirv_instruction *at, uint32_t width,
                      constant_value *ret) {
  const constant_value from = definitions_value(all, spirv_word(at, OPERAND));
  const uint32_t own = definitions_width(definitions_find(all, from.component));
  unsigned char bytes[COMPONENTS_MAX * sizeof(uint64_t)] = {0};
  if (own < BYTE || width < BYTE || from.count * own != ret->count * width)
    return false;
  for (uint32_t i = 0; i < from.count; i++)
    for (uint32_t k = 0; k < own / BYTE; k++)
      bytes[i * own / BYTE + k] = (unsigned char)(from.bits[i] >> BYTE * k);
  for (uint32_t i = 0; i < ret->count; i++) {
    ret->bits[i] = 0;
    for (uint32_t k = 0; k < width / BYTE; k++)
      ret->bits[i] |= (uint64_t)bytes[i * width / BYTE + k] << BYTE * k;
  }
  return true;
}

/* ---- Components one by one ---- */

static number_kind kind_of(const definition *scalar) {
  return (number_kind){.is_float = scalar != NULL && scalar->at.opcode == OP_TYPE_FLOAT,
                       .width = definitions_width(scalar)};
}

static bool compute_components(const definitions *all, const spirv_instruction *at, number_kind to,
                               constant_value *ret) {
  const uint32_t count = at->words - OPERAND;
  constant_value operands[3];
  if (count < 1 || count > 3)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    operands[i] = definitions_value(all, spirv_word(at, OPERAND + i));
    const bool is_condition = operation(at) == OP_SELECT && i == 0 && operands[i].count == 1;
    if (operands[i].count != ret->count && !is_condition)
      return false;
  }
  const constant_value *last = &operands[count - 1];
  const number_kind from = kind_of(definitions_find(all, last->component));
  for (uint32_t i = 0; i < ret->count; i++) {
    uint64_t bits[3] = {0};
    for (uint32_t k = 0; k < count; k++)
      bits[k] = operands[k].bits[operands[k].count == 1 ? 0 : i];
    if (from.width == 0 || !number_compute(operation(at), from, to, bits, &ret->bits[i]))
      return false;
  }
  return true;
}

/* ---- The whole ---- */

static bool evaluate_operation(const definitions *all, const spirv_instruction *at,
                               constant_value *ret) {
  const definition *type = definitions_find(all, spirv_word(at, 1));
  const definition *scalar = definitions_scalar(all, type);
  if (scalar == NULL || at->words <= OPERAND)
    return false;
  ret->component = scalar->id;
  ret->is_vector = type != scalar;
  ret->count = ret->is_vector ? definitions_word(type, OP_TYPE_VECTOR, 3) : 1;
  if (ret->count == 0 || ret->count > COMPONENTS_MAX)
    return false;
  switch (operation(at)) {
  case OP_COMPOSITE_EXTRACT:
    return extract_part(all, at, ret);
  case OP_COMPOSITE_INSERT:
    return insert_part(all, at, ret);
  case OP_VECTOR_SHUFFLE:
    return shuffle_parts(all, at, ret);
  case OP_BITCAST:
    return cast_bits(all, at, definitions_width(scalar), ret);
  default:
    return compute_components(all, at, kind_of(scalar), ret);
  }
}

specpi_compiler_result spec_ops_evaluate(spirv_words words, definitions *all) {
  spirv_instruction at;
  while (spirv_more(&words) && spirv_next(&words, &at) == PI_SUCCESS) {
    definition *of = at.opcode == OP_SPEC_CONSTANT_OP && at.words > 2
                         ? definitions_find(all, spirv_word(&at, 2))
                         : NULL;
    if (of == NULL || of->value != NULL || of->at.position != at.position ||
        spec_ops_is_pointer(all, &at))
      continue;
    constant_value made = {0};
    if (!evaluate_operation(all, &at, &made))
      return refuse_operation(&at);
    of->value = malloc(sizeof made);
    if (of->value == NULL)
      return compiler_error_memory();
    *of->value = made;
  }
  return SPECPI_COMPILER_SUCCESS;
}

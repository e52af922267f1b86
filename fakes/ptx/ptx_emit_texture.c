/* Emits texture and surface instructions. */
#include "ptx_parse.h"

static bool emit_handle(ptx_parser *parser, const ptx_operand *operand) {
  uint32_t word;
  if (!operand)
    return ptx_fail(parser, "the handle of a texture or surface is missing");
  if (operand->kind == PTX_OPERAND_SYMBOL &&
      (operand->symbol->kind != PTX_SYMBOL_GLOBAL || operand->symbol->global->handle < 0))
    return ptx_fail(parser, "'%s' is no texture or surface", operand->symbol->name);
  return ptx_source(parser, operand, PTX_U64, &word) && ptx_emit_word(parser, word);
}

/* Emits the layer and three coordinates; missing ones are 0. */
static bool emit_coordinates(ptx_parser *parser, const ptx_operand *operand, uint8_t geometry,
                             ptx_type type) {
  const uint32_t dimensions = ptx_dimensions_of(geometry), first = ptx_is_array(geometry);
  if (!operand)
    return ptx_fail(parser, "the coordinates are missing");
  const bool vector = operand->kind == PTX_OPERAND_VECTOR;
  if (vector ? operand->count < dimensions + first : dimensions + first > 1)
    return ptx_fail(parser, "%u coordinates are wanted", dimensions + first);
  uint32_t word;
  for (uint32_t i = 0; i < 4; i++) {
    const bool there = i == 0 ? first : i <= dimensions;
    if (!there) {
      if (!ptx_emit_number(parser, 0))
        return false;
      continue;
    }
    const ptx_operand *one = vector ? ptx_child(parser, operand, i - 1 + first) : operand;
    if (!ptx_source(parser, one, i == 0 ? PTX_U32 : type, &word) || !ptx_emit_word(parser, word))
      return false;
  }
  return true;
}

static bool emit_vector(ptx_parser *parser, const ptx_operand *operand, uint32_t count,
                        ptx_type type, bool target) {
  const bool vector = operand->kind == PTX_OPERAND_VECTOR;
  if ((vector ? operand->count : 1) != count)
    return ptx_fail(parser, "a vector of %u elements is wanted", count);
  for (uint32_t i = 0; i < count; i++) {
    const ptx_operand *one = vector ? ptx_child(parser, operand, i) : operand;
    uint32_t word;
    unsigned bits;
    if (!(target ? ptx_target_wide(parser, one, type, &word, &bits)
                 : ptx_source_wide(parser, one, type, &word)) ||
        !ptx_emit_word(parser, word))
      return false;
  }
  return true;
}

static bool emit_gradient(ptx_parser *parser, ptx_chain *chain, uint32_t dimensions) {
  const ptx_operand *gradient = ptx_take(parser, chain);
  if (!gradient)
    return false;
  if (gradient->kind == PTX_OPERAND_VECTOR ? gradient->count < dimensions : dimensions != 1)
    return ptx_fail(parser, "a gradient of %u elements is wanted", dimensions);
  for (uint32_t i = 0; i < 3; i++) {
    const ptx_operand *one =
        gradient->kind == PTX_OPERAND_VECTOR ? ptx_child(parser, gradient, i) : gradient;
    uint32_t word;
    if (i < dimensions ? !ptx_source(parser, one, PTX_F32, &word) || !ptx_emit_word(parser, word)
                       : !ptx_emit_number(parser, 0))
      return false;
  }
  return true;
}

/* Emits the gradients along x, then along y. */
static bool emit_gradients(ptx_parser *parser, ptx_chain *chain, uint32_t dimensions) {
  for (int i = 0; i < 2; i++)
    if (!emit_gradient(parser, chain, dimensions))
      return false;
  return true;
}

/*
 * Emits the words: 4 destinations, texture, sampler, layer, 3 coordinates, then the level of
 * detail, or 3 and 3 gradients.
 */
static bool emit_texture(ptx_parser *parser, const ptx_words *words, ptx_insn *insn,
                         ptx_chain *chain) {
  const ptx_type coordinate = words->types[1];
  const uint32_t dimensions = ptx_dimensions_of(insn->detail);
  const bool gather = words->op == PTX_OP_TLD4;
  if ((coordinate != PTX_F32 && coordinate != PTX_S32) || (gather && coordinate != PTX_F32))
    return ptx_fail(parser, "coordinates of type .%s", ptx_type_infos[coordinate].word);
  if (insn->count != 4)
    return ptx_fail(parser, "'%s' needs .v4", ptx_op_infos[words->op].mnemonic);
  const ptx_operand *target = ptx_take(parser, chain);
  const ptx_operand *from = target ? ptx_take(parser, chain) : NULL;
  if (!from)
    return false;
  if (target->second != PTX_NO_OPERAND)
    return ptx_fail(parser, "the predicate of a sparse texture is not supported");
  if (from->kind != PTX_OPERAND_ADDRESS || from->count < 2 || from->count > 3)
    return ptx_fail(parser, "a texture and its coordinates are wanted in brackets");
  const bool sampler = from->count == 3;
  insn->flags |= sampler ? PTX_FLAG_SAMPLER : 0;
  if (!emit_vector(parser, target, 4, words->types[0], true) ||
      !emit_handle(parser, ptx_child(parser, from, 0)) ||
      !(sampler ? emit_handle(parser, ptx_child(parser, from, 1)) : ptx_emit_number(parser, 0)) ||
      !emit_coordinates(parser, ptx_child(parser, from, from->count - 1), insn->detail, coordinate))
    return false;
  if (!gather && insn->mode == PTX_M_DETAIL_LEVEL)
    return ptx_emit_source(parser, chain, coordinate);
  if (!gather && insn->mode == PTX_M_DETAIL_GRAD)
    return emit_gradients(parser, chain, dimensions);
  return true;
}

/* Emits the words: elements, surface, layer, 3 coordinates. */
static bool emit_surface(ptx_parser *parser, const ptx_words *words, ptx_insn *insn,
                         ptx_chain *chain) {
  const bool load = words->op == PTX_OP_SULD;
  if (insn->detail == PTX_M_GEOMETRY_CUBE || insn->detail == PTX_M_GEOMETRY_ACUBE)
    return ptx_fail(parser, "a surface is no cube");
  if ((insn->flags & PTX_FLAG_FORMATTED) && (load || words->types[0] != PTX_B32))
    return ptx_fail(parser, "'.p' is for 'sust' with .b32 only");
  if (insn->count * ptx_type_infos[words->types[0]].bits > 128)
    return ptx_fail(parser, "a vector of more than 128 bits");
  const ptx_operand *target = load ? ptx_take(parser, chain) : NULL;
  const ptx_operand *from = load && !target ? NULL : ptx_take(parser, chain);
  const ptx_operand *elements = load ? target : from ? ptx_take(parser, chain) : NULL;
  if (!from || !elements)
    return false;
  if (from->kind != PTX_OPERAND_ADDRESS || from->count != 2)
    return ptx_fail(parser, "a surface and its coordinates are wanted in brackets");
  return emit_vector(parser, elements, insn->count, words->types[0], load) &&
         emit_handle(parser, ptx_child(parser, from, 0)) &&
         emit_coordinates(parser, ptx_child(parser, from, 1), insn->detail, PTX_S32);
}

bool ptx_emit_texture(ptx_parser *parser, const ptx_words *words, char letter, ptx_insn *insn,
                      ptx_chain *chain) {
  if (letter == 't')
    return emit_texture(parser, words, insn, chain);
  if (letter != 'q')
    return emit_surface(parser, words, insn, chain);
  if (!ptx_emit_target(parser, chain, PTX_B32))
    return false;
  const ptx_operand *from = ptx_take(parser, chain);
  if (!from)
    return false;
  if (from->kind != PTX_OPERAND_ADDRESS || from->count != 1)
    return ptx_fail(parser, "a texture or surface is wanted in brackets");
  return emit_handle(parser, ptx_child(parser, from, 0));
}

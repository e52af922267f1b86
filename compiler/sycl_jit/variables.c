#include "variables.h"

#include "../../plugins/base/find.h"

#include <stdlib.h>

/* Numbers of the SPIR-V specification. */
enum { OP_VARIABLE = 59, OP_PTR_CAST_TO_GENERIC = 121 };

static bool is_generic(const spirv_instruction *at) {
  return at->opcode == OP_VARIABLE && at->words > 4 && spirv_word(at, 3) == SPIRV_CLASS_GENERIC;
}

specpi_compiler_result moved_variables_find(const jit_module *module, uint32_t *bound,
                                            moved_variables *ret) {
  *ret = (moved_variables){0};
  for (size_t i = 0; i < module->all.count; i++) { /* in the order of ids */
    const definition *definition = &module->all.items[i];
    if (!is_generic(&definition->at))
      continue;
    if (!VECTOR_RESERVE(&ret->items))
      return compiler_error_memory();
    ret->items.items[ret->items.count++] = (moved_variable){definition->id, (*bound)++};
  }
  return SPECPI_COMPILER_SUCCESS;
}

static uint32_t place_of(const moved_variables *all, uint32_t id) {
  const moved_variable *found =
      find_id(id, all->items.items, all->items.count, sizeof *all->items.items);
  return found != NULL ? found->to : id;
}

/* Copies an instruction, and replaces ids of variables in its words [first, end). */
static void copy_ids(const moved_variables *all, const spirv_instruction *at, uint32_t first,
                     uint32_t end, word_output *to) {
  for (uint32_t i = 0; i < at->words; i++)
    word_output_put(to,
                    i >= first && i < end ? place_of(all, spirv_word(at, i)) : spirv_word(at, i));
}

/* Copies a decoration or an entry point, which name variables; false for other instructions. */
static bool copy_mention(const moved_variables *all, const spirv_instruction *at, word_output *to) {
  uint32_t first = 3;
  switch (at->opcode) {
  case SPIRV_OP_DECORATE:
    copy_ids(all, at, 1, 2, to);
    return true;
  case SPIRV_OP_ENTRY_POINT: /* after its name comes a list of variables */
    while (first < at->words && spirv_word(at, first) >> 24 != 0)
      first++;
    copy_ids(all, at, first + 1, at->words, to);
    return true;
  default:
    return false;
  }
}

bool moved_variables_copy(const moved_variables *all, const jit_module *module,
                          const spirv_instruction *at, uint32_t *bound, word_output *to) {
  if (all->items.count == 0 || !is_generic(at))
    return all->items.count > 0 && copy_mention(all, at, to);
  const uint32_t generic = spirv_word(at, 1);
  const uint32_t pointer = (*bound)++;
  const uint32_t place = place_of(all, spirv_word(at, 2));
  const uint32_t type[] = {
      pointer, SPIRV_CLASS_CROSS_WORKGROUP,
      definitions_word(definitions_find(&module->all, generic), OP_TYPE_POINTER, 3)};
  const uint32_t variable[] = {pointer, place, SPIRV_CLASS_CROSS_WORKGROUP, spirv_word(at, 4)};
  const uint32_t address[] = {generic, spirv_word(at, 2), OP_PTR_CAST_TO_GENERIC, place};
  word_output_instruction(to, OP_TYPE_POINTER, type, 3);
  word_output_instruction(to, OP_VARIABLE, variable, 4);
  word_output_instruction(to, OP_SPEC_CONSTANT_OP, address, 4);
  return true;
}

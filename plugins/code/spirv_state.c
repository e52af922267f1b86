/* Finds variables of a module that keep their values between launches. */
#include "spirv.h"
#include "spirv_code.h"

#include "../base/error.h"

#include <stdlib.h>

enum {
  OP_VARIABLE = 59,
  STORAGE_CROSS_WORKGROUP = 5,
  DECORATION_CONSTANT = 22,
  ID_BITS = 8 /* bits of a byte, one for each id */
};

/* Returns whether the instruction marks a variable as constant. *ret receives the variable's id. */
static bool is_constant_mark(const spirv_instruction *instruction, pi_uint32 *ret) {
  if (instruction->opcode != SPIRV_OP_DECORATE || instruction->words < 3 ||
      spirv_word(instruction, 2) != DECORATION_CONSTANT)
    return false;
  *ret = spirv_word(instruction, 1);
  return true;
}

/* Returns whether the instruction defines a variable in global memory. *ret receives its id. */
static bool is_variable(const spirv_instruction *instruction, pi_uint32 *ret) {
  if (instruction->opcode != OP_VARIABLE || instruction->words < 4 ||
      spirv_word(instruction, 3) != STORAGE_CROSS_WORKGROUP)
    return false;
  *ret = spirv_word(instruction, 2);
  return true;
}

pi_result spirv_code_has_state(const spirv_code *code, bool *ret) {
  spirv_words module;
  spirv_instruction instruction;
  pi_uint32 id;
  /* Defining an id takes at least a word, so only damaged modules have larger ids. */
  const size_t id_count = code->size / 4;
  unsigned char *constants = calloc(id_count / ID_BITS + 1, 1);
  REQUIRE_MEMORY(constants, "marks of %zu ids", id_count);
  bool has_state = spirv_open(code->bytes, code->size, &module) != PI_SUCCESS;
  while (!has_state && spirv_more(&module)) {
    if (spirv_next(&module, &instruction) != PI_SUCCESS)
      has_state = true;
    else if (is_constant_mark(&instruction, &id) && id < id_count)
      constants[id / ID_BITS] |= (unsigned char)(1u << id % ID_BITS);
    else if (is_variable(&instruction, &id))
      has_state = id >= id_count || !(constants[id / ID_BITS] >> id % ID_BITS & 1);
  }
  free(constants);
  *ret = has_state;
  return PI_SUCCESS;
}

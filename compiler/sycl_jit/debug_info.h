/* A module's debug information (NonSemantic.Shader.DebugInfo): lines and types. */
#ifndef SYCL_JIT_DEBUG_INFO_H
#define SYCL_JIT_DEBUG_INFO_H

#include "module.h"

/* Instruction numbers of its specification. Operands are counted as words of OpExtInst. */
enum {
  DEBUG_TYPE_QUALIFIER = 4,
  DEBUG_TYPEDEF = 7,
  DEBUG_TYPE_COMPOSITE = 10,
  DEBUG_TYPE_MEMBER = 11,
  DEBUG_TYPE_TEMPLATE = 14,
  DEBUG_FUNCTION = 20,
  DEBUG_LEXICAL_BLOCK = 21,
  DEBUG_LEXICAL_BLOCK_DISCRIMINATOR = 22,
  DEBUG_SCOPE = 23,
  DEBUG_INLINED_AT = 25,
  DEBUG_LOCAL_VARIABLE = 26,
  DEBUG_SOURCE = 35,
  DEBUG_LINE = 103,
};

/* Returns the id of the instruction set's import; 0 if the module has none. */
uint32_t debug_info_set(const jit_module *module);

/* Returns an instruction's number in the set; -1 if it is not of the set. */
int debug_info_number(uint32_t set, const spirv_instruction *at);

/* Returns the definition of an id if it is an instruction of the set with the number, or NULL. */
const definition *debug_info_find(const jit_module *module, uint32_t set, uint32_t id, int number);

/* Return the operand at a word as an id, a text, or a number; 0 or "" if there is none. */
uint32_t debug_info_id(const spirv_instruction *at, uint32_t word);
const char *debug_info_text(const jit_module *module, const spirv_instruction *at, uint32_t word);
uint32_t debug_info_value(const jit_module *module, const spirv_instruction *at, uint32_t word);

/* Returns whether an instruction is only for debuggers. */
bool debug_info_owns(uint32_t set, const spirv_instruction *at);

#endif

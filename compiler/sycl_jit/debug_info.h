/* NonSemantic.Shader.DebugInfo of a module: lines, and what types consist of. */
#ifndef SYCL_JIT_DEBUG_INFO_H
#define SYCL_JIT_DEBUG_INFO_H

#include "module.h"

/* Numbers of its specification. Those of operands are words of the OpExtInst. */
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

/* The id of its import; 0: the module has none. */
uint32_t debug_info_set(const jit_module *module);

/* The number of an instruction of that set; -1: it is another one. */
int debug_info_number(uint32_t set, const spirv_instruction *at);

/* The same of an id's definition. */
const definition *debug_info_find(const jit_module *module, uint32_t set, uint32_t id, int number);

/* Operands at a word: the id, a text, and a number; 0 and "" where there is none. */
uint32_t debug_info_id(const spirv_instruction *at, uint32_t word);
const char *debug_info_text(const jit_module *module, const spirv_instruction *at, uint32_t word);
uint32_t debug_info_value(const jit_module *module, const spirv_instruction *at, uint32_t word);

/* Returns whether an instruction is for debuggers alone, and nothing else needs it. */
bool debug_info_owns(uint32_t set, const spirv_instruction *at);

#endif

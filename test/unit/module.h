/* Builds SPIR-V modules word by word, valid ones and invalid ones. */
#ifndef SPECPI_TEST_UNIT_MODULE_H
#define SPECPI_TEST_UNIT_MODULE_H

#include <stddef.h>
#include <stdint.h>

/* Opcodes of the instructions that the tests write. */
enum {
  OP_NOP = 0,
  OP_CAPABILITY = 17,
  OP_TYPE_BOOL = 20,
  OP_TYPE_INT = 21,
  OP_TYPE_FLOAT = 22,
  OP_CONSTANT = 43,
  OP_SPEC_CONSTANT_TRUE = 48,
  OP_SPEC_CONSTANT_FALSE = 49,
  OP_SPEC_CONSTANT = 50,
  OP_SPEC_CONSTANT_COMPOSITE = 51,
  OP_SPEC_CONSTANT_OP = 52,
  OP_DECORATE = 71,
  OP_DECORATION_GROUP = 73,
  OP_GROUP_DECORATE = 74,

  SPEC_ID = 1,
};

/* Result ids of the types that module_types declares; ids of tests begin at ID_FREE. */
enum {
  TYPE_BOOL = 1,
  TYPE_U8,
  TYPE_U16,
  TYPE_U32,
  TYPE_U64,
  TYPE_F16,
  TYPE_F32,
  TYPE_F64,
  TYPE_U24,
  ID_FREE = 16
};

typedef struct module {
  uint32_t *words;
  size_t count;
  size_t capacity;
} module;

/* Appends one word. */
void module_word(module *module, uint32_t word);

/* Appends an instruction with count operands. */
void module_emit(module *module, uint32_t opcode, const uint32_t *operands, size_t count);

/* module_op(module, opcode, operands...) */
#define module_op(module, opcode, ...)                                                             \
  module_emit((module), (opcode), (const uint32_t[]){__VA_ARGS__},                                 \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Begins a module with its header. */
void module_begin(module *module);

/* Declares the TYPE_ types. */
void module_types(module *module);

/* Appends a constant of up to 32 bits with the result id ID_FREE + spec_id, and its decoration. */
void module_constant(module *module, uint32_t spec_id, uint32_t type, uint32_t value);

/* Makes a module with count constants of type TYPE_U32, whose ids are first, first + step, ... */
void module_many(module *module, uint32_t count, uint32_t first, uint32_t step);

size_t module_bytes(const module *module);
void module_free(module *module);

#endif

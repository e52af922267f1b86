/*
 * Definitions of a SPIR-V module by result id, and values of its constants. The module may come
 * from anywhere: apart from a sort, time and memory are proportional to its size.
 */
#ifndef SPIRV_DEFINITIONS_H
#define SPIRV_DEFINITIONS_H

#include "../../plugins/code/spirv.h"
#include "../error.h"

#include <stdbool.h>
#include <stdint.h>

/* Numbers of the SPIR-V specification. */
enum {
  OP_UNDEF = 1,
  OP_TYPE_BOOL = 20,
  OP_TYPE_INT = 21,
  OP_TYPE_FLOAT = 22,
  OP_TYPE_VECTOR = 23,
  OP_TYPE_ARRAY = 28,
  OP_TYPE_STRUCT = 30,
  OP_TYPE_POINTER = 32,
  OP_CONSTANT_TRUE = 41,
  OP_CONSTANT_FALSE = 42,
  OP_CONSTANT = 43,
  OP_CONSTANT_COMPOSITE = 44,
  OP_CONSTANT_NULL = 46,
  OP_SPEC_CONSTANT_COMPOSITE = 51,
  OP_SPEC_CONSTANT_OP = 52,
};

enum { COMPONENTS_MAX = 16 };

/* Value of a scalar or vector constant. */
typedef struct constant_value {
  uint32_t component; /* id of the components' type */
  uint32_t count;     /* number of components; 0 if there is no value */
  bool is_vector;
  uint64_t bits[COMPONENTS_MAX];
} constant_value;

/* A result id, and the instruction that defines it. */
typedef struct definition {
  uint32_t id;
  spirv_instruction at;
  constant_value *value; /* value of an evaluated OpSpecConstantOp, or NULL */
} definition;

typedef struct definitions {
  definition *items; /* sorted by id */
  size_t count;
} definitions;

/* Reads a module's definitions, which point to its bytes. INVALID_MODULE: the module is damaged;
 * OUT_OF_MEMORY. */
specpi_compiler_result definitions_read(spirv_words words, definitions *ret);
void definitions_free(definitions *all);

/* Returns an id's definition, or NULL. */
definition *definitions_find(const definitions *all, uint32_t id);

/* Returns the definition of a result's type, or NULL. */
const definition *definitions_type(const definitions *all, uint32_t id);

/* Returns a word of a type's definition; 0 if the type has another opcode or fewer words. */
uint32_t definitions_word(const definition *type, uint32_t opcode, uint32_t word);

/* Returns a scalar type itself, or the type of a vector's components; NULL for others. */
const definition *definitions_scalar(const definitions *all, const definition *type);

/* Returns the number of bits of a scalar type: 1 for a boolean, 0 for other types. */
uint32_t definitions_width(const definition *scalar);

/* Returns a constant's value; count is 0 if the id is not a scalar or vector constant. */
constant_value definitions_value(const definitions *all, uint32_t id);

#endif

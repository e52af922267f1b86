/* Declarations that reflect.c and reflect_type.c share. */
#ifndef SPECPI_TEST_FAKE_ZE_REFLECT_INTERNAL_H
#define SPECPI_TEST_FAKE_ZE_REFLECT_INTERNAL_H

#include "reflect.h"

/* Numbers of the SPIR-V specification. */
enum {
  SPIRV_MAGIC = 0x07230203,
  SPIRV_HEADER_WORDS = 5,
  SPIRV_IDS_MAX = 0x3fffff, /* largest id, section 2.17 */

  OP_UNDEF = 1,
  OP_EXTENSION = 10,
  OP_ENTRY_POINT = 15,
  OP_CAPABILITY = 17,
  OP_TYPE_VOID = 19,
  OP_TYPE_BOOL = 20,
  OP_TYPE_INT = 21,
  OP_TYPE_FLOAT = 22,
  OP_TYPE_VECTOR = 23,
  OP_TYPE_IMAGE = 25,
  OP_TYPE_SAMPLER = 26,
  OP_TYPE_ARRAY = 28,
  OP_TYPE_STRUCT = 30,
  OP_TYPE_POINTER = 32,
  OP_TYPE_PIPE = 38,
  OP_CONSTANT_TRUE = 41,
  OP_CONSTANT = 43,
  OP_CONSTANT_NULL = 46,
  OP_SPEC_CONSTANT_TRUE = 48,
  OP_SPEC_CONSTANT_FALSE = 49,
  OP_SPEC_CONSTANT = 50,
  OP_SPEC_CONSTANT_OP = 52,
  OP_FUNCTION = 54,
  OP_FUNCTION_PARAMETER = 55,
  OP_VARIABLE = 59,
  OP_DECORATE = 71,
  OP_GROUP_DECORATE = 74,

  DECORATION_SPEC_ID = 1,
  DECORATION_CPACKED = 10,
  DECORATION_BUILT_IN = 11,
  DECORATION_LINKAGE = 41,
  DECORATION_REFERENCED_INDIRECTLY = 5602,
  CAPABILITY_FUNCTION_POINTERS = 5603,

  MODEL_KERNEL = 6,
  DIM_3D = 2,
  ACCESS_READ_ONLY = 0,
  STORAGE_UNIFORM_CONSTANT = 0,
  STORAGE_WORKGROUP = 4,
  STORAGE_CROSS_WORKGROUP = 5,
  STORAGE_FUNCTION = 7,
  STORAGE_GENERIC = 8,
};

/* Decorations of an id, as bits. */
enum { ID_PACKED = 1, ID_BUILT_IN = 2 };

typedef struct spirv_reader {
  uint32_t *words; /* aligned copy of the module */
  size_t count;
  uint32_t bound;
  uint32_t *places;     /* by id: index of the defining instruction's first word, or 0 */
  uint32_t *specs;      /* by id: index of the SpecId decoration's first word, or 0 */
  unsigned char *flags; /* by id: decorations */
  size_t steps;         /* remaining limit of steps to measure types */
  size_t parameters;    /* remaining limit of kernels' parameters */
  char *message;
  size_t room;
} spirv_reader;

static inline uint32_t spirv_opcode(const uint32_t *instruction) {
  return instruction[0] & 0xffff;
}
static inline uint32_t spirv_length(const uint32_t *instruction) {
  return instruction[0] >> 16;
}

/* Records the message. Returns false. */
bool spirv_refuse(spirv_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the instruction that defines an id, if it has at least length words; else NULL. */
const uint32_t *spirv_definition(const spirv_reader *reader, uint32_t id, uint32_t length);

/*
 * Finds the kind of argument for a parameter of this type. Returns false with a message if there is
 * none.
 */
bool spirv_argument(spirv_reader *reader, uint32_t type, fake_argument *ret);

/* Returns the bytes of a scalar type: 1, 2, 4 or 8; 0 for other types. */
size_t spirv_scalar_size(const spirv_reader *reader, uint32_t type);

#endif

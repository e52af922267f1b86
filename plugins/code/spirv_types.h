/*
 * Reads the types of a SPIR-V module. The module may be damaged: for any n bytes the memory is O(n)
 * and the time is O(n log n), and the size of a type that is not understood is 0.
 */
#ifndef CODE_SPIRV_TYPES_H
#define CODE_SPIRV_TYPES_H

#include "spirv.h"

/* Numbers of the SPIR-V specification. */
enum {
  SPIRV_OP_TYPE_VECTOR = 23,
  SPIRV_OP_TYPE_IMAGE = 25,
  SPIRV_OP_TYPE_SAMPLER = 26,
  SPIRV_OP_TYPE_SAMPLED_IMAGE = 27,
  SPIRV_OP_TYPE_ARRAY = 28,
  SPIRV_OP_TYPE_STRUCT = 30,
  SPIRV_OP_TYPE_POINTER = 32,
  SPIRV_CLASS_UNIFORM_CONSTANT = 0,
  SPIRV_CLASS_WORKGROUP = 4,
  SPIRV_CLASS_CROSS_WORKGROUP = 5,
  SPIRV_CLASS_FUNCTION = 7,
  SPIRV_CLASS_GENERIC = 8,
};

/* A type, a numeric constant, or a decoration group. */
typedef struct spirv_type {
  pi_uint32 id;
  spirv_instruction instruction;
  const char *name; /* points into the module; NULL: no name, or spirv_types_name was not called */
  bool is_packed;
  bool is_known;         /* measuring has begun */
  pi_uint32 size, align; /* in bytes; 0: unknown, or not measured yet */
} spirv_type;

typedef struct spirv_types {
  spirv_type *all; /* in ascending order of ids */
  size_t count;
  pi_uint32 pointer_size;
} spirv_types;

/*
 * Reads the types of a module. *ret points into the module's bytes, and is freed by
 * spirv_types_free, except after an error. PI_ERROR_INVALID_VALUE: the module is damaged.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result spirv_types_read(spirv_words module, spirv_types *ret);
void spirv_types_free(spirv_types *types);

/* Sets the types' names from the module's OpName instructions. */
void spirv_types_name(spirv_types *types, spirv_words module);

/* Finds a type by id; NULL if there is none. */
spirv_type *spirv_types_find(const spirv_types *types, pi_uint32 id);

/* Returns the size of a type in bytes; 0 if unknown, for example because a constant decides it. */
pi_uint32 spirv_types_measure(spirv_types *types, pi_uint32 id);

/*
 * Returns the length of an array, whose instruction must have at least 4 words. 0 if unknown, for
 * example because the length is a specialization constant.
 */
pi_uint32 spirv_types_length(const spirv_types *types, const spirv_instruction *array);

/*
 * Describes a type in words, truncated to size: `i32`, `f32x4`, `global f32*`, `struct tone_t of 8
 * bytes`, `read_only image2d`, `sampler`, `f32[4]`. Writes "?" for an unknown type.
 */
void spirv_types_describe(spirv_types *types, pi_uint32 id, char *ret, size_t size);

/*
 * Returns the name of the scalar type that an array, a vector or a pointer's target consists of.
 * NULL if it consists of something else, such as a structure.
 */
const char *spirv_types_scalar(const spirv_types *types, pi_uint32 id);

#endif

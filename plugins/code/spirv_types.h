/*
 * The types of a SPIR-V module, by their result ids. Bytes of any origin may come here: time and
 * memory are proportional to the module's size, and a type that cannot be understood has no size.
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

/* A type, a constant that is a number, or a decoration group, by its result id. */
typedef struct spirv_type {
  pi_uint32 id;
  spirv_instruction instruction;
  const char *name; /* in the module; NULL without one, or before spirv_types_name */
  bool is_packed;
  bool is_known; /* size and align are known; until then the type may be recursive */
  pi_uint32 size, align;
} spirv_type;

typedef struct spirv_types {
  spirv_type *all; /* by id */
  size_t count;
  pi_uint32 pointer_size;
} spirv_types;

/*
 * Reads the types of a module, whose bytes must stay. PI_ERROR_INVALID_VALUE: it is damaged;
 * PI_ERROR_OUT_OF_HOST_MEMORY. Then there is nothing to free.
 */
pi_result spirv_types_read(spirv_words module, spirv_types *ret);
void spirv_types_free(spirv_types *types);

/* Sets the types' names, as far as the module has them. */
void spirv_types_name(spirv_types *types, spirv_words module);

/* NULL when there is none with that id. */
spirv_type *spirv_types_find(const spirv_types *types, pi_uint32 id);

/* The bytes of a type; 0 when they are not known, e.g. because a constant decides them. */
pi_uint32 spirv_types_measure(spirv_types *types, pi_uint32 id);

/*
 * The length of an array, whose instruction has at least 4 words; 0 when it is not known, e.g.
 * because it is a specialization constant.
 */
pi_uint32 spirv_types_length(const spirv_types *types, const spirv_instruction *array);

/*
 * Writes a type as words, cut at size: `i32`, `f32x4`, `global f32*`, `struct tone_t of 8 bytes`,
 * `read_only image2d`, `sampler`, `f32[4]`. What is not understood is a question mark.
 */
void spirv_types_describe(spirv_types *types, pi_uint32 id, char *ret, size_t size);

/*
 * The name of the scalar that a type consists of, as an array, a vector, or alone; NULL when it is
 * a structure or another type. For a pointer: that of its target.
 */
const char *spirv_types_scalar(const spirv_types *types, pi_uint32 id);

#endif

/*
 * Reads of specialization constants, which the library leaves as calls of functions that nobody
 * defines, become SPIR-V's own constants.
 */
#ifndef SYCL_JIT_CONSTANTS_H
#define SYCL_JIT_CONSTANTS_H

#include "../spirv/word_output.h"
#include "../vector.h"
#include "module.h"

/* A constant; its names and arrays are its own. */
typedef struct jit_constant {
  specpi_compiler_constant known; /* of which position is not used */
  size_t capacity;                /* of descriptors, of which count were found */
  bool is_complete;
} jit_constant;

/* The constants of all images of a unit, whose ids they share. */
typedef struct jit_constants {
  VECTOR(jit_constant) items;
  uint32_t next_id;
} jit_constants;

void jit_constants_free(jit_constants *all);

/* The constants that an image has, as indices in those of the unit; the owner frees items. */
typedef VECTOR(size_t) jit_constants_used;

/*
 * Writes a module with its reads rewritten: each scalar of a constant is an OpSpecConstant with an
 * id of the unit's and its default. Constants that are new are added to all; used receives those of
 * this module. The owner frees ret->bytes.
 *
 * INVALID_MODULE: it is damaged. INVALID_CALL, INVALID_NAME, INVALID_DEFAULT: the name, or the
 * variable, of what is read cannot be seen, or another unit defines it. UNSUPPORTED_TYPE, LIMIT: of
 * the constant's type. CONFLICT: a name has two types or defaults. OUT_OF_MEMORY. The message has
 * the function, its line if the module has lines, and the constant.
 */
specpi_compiler_result jit_constants_lower(const void *il, size_t size, jit_constants *all,
                                           jit_constants_used *used, word_output *ret);

#endif

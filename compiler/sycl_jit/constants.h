/*
 * Specialization constants. The library leaves reads of them as calls of undefined functions, which
 * become SPIR-V specialization constants here.
 */
#ifndef SYCL_JIT_CONSTANTS_H
#define SYCL_JIT_CONSTANTS_H

#include "../../plugins/base/vector.h"
#include "../spirv/word_output.h"
#include "module.h"

/* A constant, which owns its name and arrays. */
typedef struct jit_constant {
  specpi_compiler_constant known; /* position is not used */
  size_t capacity;                /* capacity of known.descriptors */
  bool is_complete;               /* all of its descriptors are known */
} jit_constant;

/* The constants of all images of a unit; the images share their ids. */
typedef struct jit_constants {
  VECTOR(jit_constant) items;
  uint32_t next_id;
} jit_constants;

void jit_constants_free(jit_constants *all);

/* The constants of an image, as indices in the unit's list; the owner frees items. */
typedef VECTOR(size_t) jit_constants_used;

/*
 * Writes a module with its reads replaced: each scalar of a constant becomes an OpSpecConstant with
 * its default and an id that is unique in the unit. New constants are added to all; used receives
 * the constants of this module. The owner frees ret->bytes.
 *
 * INVALID_MODULE: the module is damaged. INVALID_CALL, INVALID_NAME, INVALID_DEFAULT: the
 * constant's name or default variable is not known here, or another unit defines it.
 * UNSUPPORTED_TYPE, LIMIT: the constant cannot have its type. CONFLICT: a name has two types or
 * defaults. OUT_OF_MEMORY. The message has the function, its line if the module has lines, and the
 * constant.
 */
specpi_compiler_result jit_constants_lower(const void *il, size_t size, jit_constants *all,
                                           jit_constants_used *used, word_output *ret);

#endif

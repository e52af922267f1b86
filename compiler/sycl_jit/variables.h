/*
 * Variables of an invalid storage class. The library writes the names of constants as variables of
 * the class Generic, which SPIR-V forbids. They become variables of global memory.
 */
#ifndef SYCL_JIT_VARIABLES_H
#define SYCL_JIT_VARIABLES_H

#include "../../plugins/base/vector.h"
#include "../spirv/word_output.h"
#include "module.h"

/* The id of such a variable, and the id of its replacement. */
typedef struct moved_variable {
  uint32_t from, to;
} moved_variable;

typedef struct moved_variables {
  VECTOR(moved_variable) items; /* sorted by from */
} moved_variables;

/* Finds such variables, and takes an id from *bound for each. The owner frees items. OUT_OF_MEMORY.
 */
specpi_compiler_result moved_variables_find(const jit_module *module, uint32_t *bound,
                                            moved_variables *ret);

/*
 * Writes the replacement of a variable, a decoration or an entry point; false if the instruction
 * stays as it is. The variable's old id becomes its address as a generic pointer.
 */
bool moved_variables_copy(const moved_variables *all, const jit_module *module,
                          const spirv_instruction *at, uint32_t *bound, word_output *to);

#endif

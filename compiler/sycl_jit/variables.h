/*
 * Variables that lie nowhere. The library writes the names of constants as variables of the generic
 * storage class, which no variable may have: they become variables of global memory.
 */
#ifndef SYCL_JIT_VARIABLES_H
#define SYCL_JIT_VARIABLES_H

#include "../spirv/word_output.h"
#include "../vector.h"
#include "module.h"

/* The id of such a variable, and that of the one which takes its place. */
typedef struct moved_variable {
  uint32_t from, to;
} moved_variable;

typedef struct moved_variables {
  VECTOR(moved_variable) items; /* by from */
} moved_variables;

/* Finds them; *bound grows by as many. OUT_OF_MEMORY. The owner frees items. */
specpi_compiler_result moved_variables_find(const jit_module *module, uint32_t *bound,
                                            moved_variables *ret);

/*
 * Writes what an instruction becomes, a variable's or an entry point's; false: it stays as it is.
 * The variable's id is now that of its address, as a generic pointer.
 */
bool moved_variables_copy(const moved_variables *all, const jit_module *module,
                          const spirv_instruction *at, uint32_t *bound, word_output *to);

#endif

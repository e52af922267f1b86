/* The values of a module's OpSpecConstantOp, which are constant when a kernel is built. */
#ifndef CODEGEN_SPEC_OPS_H
#define CODEGEN_SPEC_OPS_H

#include "../spirv/definitions.h"

/*
 * Evaluates those of scalars and vectors, in their order, into the definitions. What is left has no
 * value: pointers, and parts of arrays and structures. INVALID_MODULE: an operand has no value, or
 * the operation is none that kernels may have; OUT_OF_MEMORY.
 */
specpi_compiler_result spec_ops_evaluate(spirv_words words, definitions *all);

/* Returns whether an operation is one over pointers, which is left to the translator. */
bool spec_ops_is_pointer(const definitions *all, const spirv_instruction *at);

#endif

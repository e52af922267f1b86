/* Values of a module's OpSpecConstantOp, which are known when a kernel is built. */
#ifndef CODEGEN_SPEC_OPS_H
#define CODEGEN_SPEC_OPS_H

#include "../spirv/definitions.h"

/*
 * Evaluates each OpSpecConstantOp with a scalar or vector result, in order, and stores its value in
 * the definitions. Operations on pointers are left out. INVALID_MODULE: an operand has no value, or
 * kernels may not have the operation; OUT_OF_MEMORY.
 */
specpi_compiler_result spec_ops_evaluate(spirv_words words, definitions *all);

/* Returns whether an operation has pointers as operands or result; the translator handles those. */
bool spec_ops_is_pointer(const definitions *all, const spirv_instruction *at);

#endif

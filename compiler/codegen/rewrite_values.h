/* Replacements of instructions that compute values; rewrite.c chooses among them. */
#ifndef CODEGEN_REWRITE_VALUES_H
#define CODEGEN_REWRITE_VALUES_H

#include "rewrite.h"

/* Returns the id of the constant with the scope Subgroup. */
uint32_t rewrite_sub_group(rewriting *r);

/* The functions that return bool return false if the instruction stays as it is. */

/* Writes a null constant or an evaluated OpSpecConstantOp as a plain constant. */
bool rewrite_constant(rewriting *r, const spirv_instruction *at);

/* Writes OpBitcast, OpCopyObject or a conversion as another instruction. */
bool rewrite_cast(rewriting *r, const spirv_instruction *at);

/* Splits OpCompositeExtract or OpCompositeInsert of a component of a vector in a composite. */
bool rewrite_part(rewriting *r, const spirv_instruction *at);

/* The functions below return INVALID_MODULE if the instruction is damaged, or an operand's type is
 * unknown. */

/*
 * Writes OpControlBarrier or, if it does not wait, OpMemoryBarrier, which ignores the first of the
 * three operands. The translator needs a constant memory scope and semantics, so values that are
 * known only at launch become those of the strictest barrier.
 */
specpi_compiler_result rewrite_barrier(rewriting *r, bool waits, const uint32_t *operands);

/* Writes OpCopyMemory and OpCopyMemorySized as OpCopyMemorySized, or as a load and a store, with
 * one set of memory access operands for both sides. */
specpi_compiler_result rewrite_copy_memory(rewriting *r, const spirv_instruction *at);

/* Writes OpCompositeConstruct and OpVectorShuffle as insertions of parts. */
specpi_compiler_result rewrite_composite(rewriting *r, const spirv_instruction *at);

/* Writes OpCopyLogical as insertions of parts. */
specpi_compiler_result rewrite_copy_logical(rewriting *r, const spirv_instruction *at);

/* Writes OpIAddCarry, OpISubBorrow, OpUMulExtended and OpSMulExtended with plain arithmetic. */
specpi_compiler_result rewrite_extended(rewriting *r, const spirv_instruction *at);

/* Writes OpSizeOf, OpPtrEqual, OpPtrNotEqual and OpPtrDiff as arithmetic on addresses. */
specpi_compiler_result rewrite_pointers(rewriting *r, const spirv_instruction *at);

#endif

/* Replacements of instructions that compute values; rewrite.c chooses among them. */
#ifndef CODEGEN_REWRITE_VALUES_H
#define CODEGEN_REWRITE_VALUES_H

#include "rewrite.h"

/* Returns the id of the constant that is the scope of a sub-group. */
uint32_t rewrite_sub_group(rewriting *r);

/* Writes a constant with its value as a plain one; false: it has none, and stays. */
bool rewrite_constant(rewriting *r, const spirv_instruction *at);

/* Writes OpBitcast, OpCopyObject, or a conversion as another cast; false: it stays. */
bool rewrite_cast(rewriting *r, const spirv_instruction *at);

/* Writes OpCompositeExtract or OpCompositeInsert of a vector in a composite; false: it stays. */
bool rewrite_part(rewriting *r, const spirv_instruction *at);

/* INVALID_MODULE from here on: the instruction is damaged, or has operands of unknown types. */

/*
 * Writes OpControlBarrier, or OpMemoryBarrier for which the first of three operands does not count.
 * Scope of memory and semantics are constants then: those of the widest barrier in the place of
 * values that only a launch knows.
 */
specpi_compiler_result rewrite_barrier(rewriting *r, bool waits, const uint32_t *operands);

/* Writes OpCopyMemory and OpCopyMemorySized as the latter with operands for both sides. */
specpi_compiler_result rewrite_copy_memory(rewriting *r, const spirv_instruction *at);

/* Writes OpCompositeConstruct and OpVectorShuffle as insertions of parts. */
specpi_compiler_result rewrite_composite(rewriting *r, const spirv_instruction *at);

/* Writes OpCopyLogical as insertions of parts. */
specpi_compiler_result rewrite_copy_logical(rewriting *r, const spirv_instruction *at);

/* Writes additions with a carry, and products of twice the width. */
specpi_compiler_result rewrite_extended(rewriting *r, const spirv_instruction *at);

/* Writes OpSizeOf, and comparisons and differences of pointers, over their addresses. */
specpi_compiler_result rewrite_pointers(rewriting *r, const spirv_instruction *at);

#endif

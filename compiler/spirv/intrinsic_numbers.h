/* Replacements of intrinsics that compute with numbers; intrinsics.c finds the calls. */
#ifndef COMPILER_INTRINSIC_NUMBERS_H
#define COMPILER_INTRINSIC_NUMBERS_H

#include <llvm-c/Core.h>

/* A call of an intrinsic. */
typedef struct call_parts {
  LLVMModuleRef module;
  LLVMBuilderRef b;
  LLVMValueRef call;
  LLVMTypeRef type;  /* type of the first argument */
  LLVMValueRef a[4]; /* the first arguments */
  unsigned width;    /* width of the type's integers in bits; 0 if it has none */
} call_parts;

/*
 * Builds a call's replacement. Returns the call itself if it stays, because the translator handles
 * it, or NULL if the call has no used result.
 */
typedef LLVMValueRef intrinsic_replacement(const call_parts *p);

/* X(name, function) */
#define INTRINSIC_NUMBERS(X)                                                                       \
  X("llvm.sadd.with.overflow", intrinsic_sadd_overflow)                                            \
  X("llvm.uadd.with.overflow", intrinsic_uadd_overflow)                                            \
  X("llvm.ssub.with.overflow", intrinsic_ssub_overflow)                                            \
  X("llvm.usub.with.overflow", intrinsic_usub_overflow)                                            \
  X("llvm.smul.with.overflow", intrinsic_smul_overflow)                                            \
  X("llvm.umul.with.overflow", intrinsic_umul_overflow)                                            \
  X("llvm.sadd.sat", intrinsic_sadd_saturated)                                                     \
  X("llvm.uadd.sat", intrinsic_uadd_saturated)                                                     \
  X("llvm.ssub.sat", intrinsic_ssub_saturated)                                                     \
  X("llvm.usub.sat", intrinsic_usub_saturated)                                                     \
  X("llvm.sshl.sat", intrinsic_sshl_saturated)                                                     \
  X("llvm.ushl.sat", intrinsic_ushl_saturated)                                                     \
  X("llvm.smul.fix", intrinsic_smul_fixed)                                                         \
  X("llvm.umul.fix", intrinsic_umul_fixed)                                                         \
  X("llvm.smul.fix.sat", intrinsic_smul_fixed_saturated)                                           \
  X("llvm.umul.fix.sat", intrinsic_umul_fixed_saturated)                                           \
  X("llvm.smax", intrinsic_smax_number)                                                            \
  X("llvm.smin", intrinsic_smin_number)                                                            \
  X("llvm.umax", intrinsic_umax_number)                                                            \
  X("llvm.umin", intrinsic_umin_number)                                                            \
  X("llvm.abs", intrinsic_absolute_number)                                                         \
  X("llvm.bitreverse", intrinsic_reverse_bits)                                                     \
  X("llvm.bswap", intrinsic_reverse_bytes)                                                         \
  X("llvm.fshl", intrinsic_shift_funnel_left)                                                      \
  X("llvm.fshr", intrinsic_shift_funnel_right)                                                     \
  X("llvm.ctpop", intrinsic_population_count)                                                      \
  X("llvm.ctlz", intrinsic_leading_zeros)                                                          \
  X("llvm.cttz", intrinsic_trailing_zeros)                                                         \
  X("llvm.vector.reduce.add", intrinsic_reduce_add)                                                \
  X("llvm.vector.reduce.mul", intrinsic_reduce_mul)                                                \
  X("llvm.vector.reduce.and", intrinsic_reduce_and)                                                \
  X("llvm.vector.reduce.or", intrinsic_reduce_or)                                                  \
  X("llvm.vector.reduce.xor", intrinsic_reduce_xor)                                                \
  X("llvm.vector.reduce.smax", intrinsic_reduce_smax)                                              \
  X("llvm.vector.reduce.smin", intrinsic_reduce_smin)                                              \
  X("llvm.vector.reduce.umax", intrinsic_reduce_umax)                                              \
  X("llvm.vector.reduce.umin", intrinsic_reduce_umin)                                              \
  X("llvm.vector.reduce.fadd", intrinsic_reduce_fadd)                                              \
  X("llvm.vector.reduce.fmul", intrinsic_reduce_fmul)                                              \
  X("llvm.vector.reduce.fmax", intrinsic_reduce_fmax)                                              \
  X("llvm.vector.reduce.fmin", intrinsic_reduce_fmin)                                              \
  X("llvm.fptosi.sat", intrinsic_convert_to_signed)                                                \
  X("llvm.fptoui.sat", intrinsic_convert_to_unsigned)                                              \
  X("llvm.lrint", intrinsic_round_to_even)                                                         \
  X("llvm.llrint", intrinsic_round_to_even)                                                        \
  X("llvm.lround", intrinsic_round_from_zero)                                                      \
  X("llvm.llround", intrinsic_round_from_zero)                                                     \
  X("llvm.canonicalize", intrinsic_canonical_number)

/* Returns the width of a type's integers in bits; 0 if it has none. */
unsigned intrinsic_width(LLVMTypeRef type);

#define INTRINSIC_NUMBER(name, function) intrinsic_replacement function;
INTRINSIC_NUMBERS(INTRINSIC_NUMBER)
#undef INTRINSIC_NUMBER

#endif

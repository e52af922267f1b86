/*
 * Integers of any width as limbs, which have widths that SPIR-V supports. An integer of up to 64
 * bits is one limb of 8, 16, 32 or 64 bits. A wider one is several limbs of 64 bits, the lowest
 * first. Unused bits of the last limb are 0.
 */
#ifndef COMPILER_LIMBS_H
#define COMPILER_LIMBS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

enum { LIMBS_MAX = 4 };

/* Form of a scalar. Scalars other than integers, and i1, are one limb of their own type. */
typedef struct limb_form {
  LLVMTypeRef limb;
  unsigned width; /* width of the integer in bits; 0 if it is no integer */
  unsigned bits;  /* width of a limb in bits */
  unsigned count; /* number of limbs, at most LIMBS_MAX if limbs_fit returns true */
} limb_form;

limb_form limbs_form(LLVMTypeRef scalar);

/* Returns whether integers of this form have at most LIMBS_MAX limbs. */
static inline bool limbs_fit(const limb_form *form) {
  return form->count <= LIMBS_MAX;
}

/* Limbs of one integer. */
typedef struct limbs {
  LLVMValueRef items[LIMBS_MAX];
} limbs;

/* Builds a binary operation on integers; the opcode is one of LLVM's 13 for integers. */
limbs limbs_binary(LLVMBuilderRef b, const limb_form *form, LLVMOpcode opcode, const limbs *left,
                   const limbs *right);

/* Builds a comparison, an i1. */
LLVMValueRef limbs_compare(LLVMBuilderRef b, const limb_form *form, LLVMIntPredicate predicate,
                           const limbs *left, const limbs *right);

/* Converts an integer to another form: truncates it, or extends it with zeros or its sign. */
limbs limbs_resize(LLVMBuilderRef b, const limb_form *from, const limbs *value, const limb_form *to,
                   bool is_signed);

/* Sign-extends the last limb into its unused bits. limbs_trim restores the normal form. */
limbs limbs_signed(LLVMBuilderRef b, const limb_form *form, const limbs *value);

/* Clears the unused bits of the last limb. */
void limbs_trim(LLVMBuilderRef b, const limb_form *form, limbs *value);

/* Converts the integer part of a floating-point number to several limbs. */
limbs limbs_from_float(LLVMBuilderRef b, const limb_form *form, LLVMValueRef value, bool is_signed);

/* Converts two limbs to a floating-point type, rounded once to the nearest. */
LLVMValueRef limbs_to_float(LLVMBuilderRef b, const limb_form *form, const limbs *value,
                            LLVMTypeRef type, bool is_signed);

/* Splits a constant into limbs. */
limbs limbs_constant(LLVMBuilderRef b, const limb_form *form, LLVMValueRef constant);

#endif

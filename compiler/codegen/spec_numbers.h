/* SPIR-V's arithmetic on numbers that are stored as bits. */
#ifndef CODEGEN_SPEC_NUMBERS_H
#define CODEGEN_SPEC_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Kind of a scalar. */
typedef struct number_kind {
  bool is_float;
  uint32_t width;
} number_kind;

/* Returns the lowest width bits. */
uint64_t number_cut(uint64_t bits, uint32_t width);

/* Sign-extends an integer. */
int64_t number_signed(uint64_t bits, uint32_t width);

/* Converts from and to the bits of a half, float or double; rounds to nearest, ties to even. */
double number_read(uint64_t bits, uint32_t width);
uint64_t number_write(double value, uint32_t width);

/*
 * Computes one of SPIR-V's operations on up to three scalars; from is the kind of the last operand,
 * to the kind of the result. Booleans have a kind, too. Returns false if the operation is unknown.
 * Division by 0 returns 0.
 */
bool number_compute(uint32_t opcode, number_kind from, number_kind to, const uint64_t *operands,
                    uint64_t *ret);

#endif

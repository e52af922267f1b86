/* Numbers as their bits, with the arithmetic of SPIR-V. */
#ifndef CODEGEN_SPEC_NUMBERS_H
#define CODEGEN_SPEC_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Kind of a scalar. */
typedef struct number_kind {
  bool is_float;
  uint32_t width;
} number_kind;

/* Keeps the lowest bits. */
uint64_t number_cut(uint64_t bits, uint32_t width);

/* Reads an integer with its sign. */
int64_t number_signed(uint64_t bits, uint32_t width);

/* Converts from and to the bits of a half, float or double; to the nearest, ties to even. */
double number_read(uint64_t bits, uint32_t width);
uint64_t number_write(double value, uint32_t width);

/*
 * Computes an operation of SPIR-V on components of one kind, which may be booleans; the third is
 * the third operand. false: it is no such operation. A division by 0 gives 0.
 */
bool number_compute(uint32_t opcode, number_kind from, number_kind to, const uint64_t *operands,
                    uint64_t *ret);

#endif

/* Exact conversions of numbers of all formats: unpacks, rounds and packs them. */
#ifndef SPECPI_TEST_PTX_NUMBER_H
#define SPECPI_TEST_PTX_NUMBER_H

#include "ptx_types.h"

#include <stdbool.h>

/* (-1)^negative * significand / 2^63 * 2^exponent; the significand's highest bit is set. */
typedef struct ptx_number {
  enum { PTX_NUMBER_ZERO, PTX_NUMBER_FINITE, PTX_NUMBER_INFINITE, PTX_NUMBER_NAN } kind;
  bool negative;
  int exponent;
  uint64_t significand;
} ptx_number;

/* Unpacks the bits of an F16, BF16, F32, F64 or TF32, or of an element of a packed 8-bit type. */
ptx_number ptx_unpack(ptx_type type, uint64_t bits);

/*
 * Packs a number, rounded by PTX_M_ROUND_*; round 0 is to nearest even. A too large number becomes
 * infinite, or the largest number with finite or in a format without infinity. NaN becomes the
 * canonical NaN.
 */
uint64_t ptx_pack(ptx_type type, ptx_number number, uint8_t round, bool finite);

ptx_number ptx_from_integer(uint64_t value, bool is_signed);

/* Rounds to an integer of this width by PTX_M_WHOLE_*. Numbers out of range are clamped. */
uint64_t ptx_to_integer(ptx_number number, uint8_t whole, unsigned bits, bool is_signed);

/* Rounds to a whole number. */
ptx_number ptx_to_whole(ptx_number number, uint8_t whole);

double ptx_half_value(ptx_type type, uint16_t bits);
uint16_t ptx_half_bits(ptx_type type, double value);

/* Returns a + b, rounded to odd, so that rounding the result to a half is correct. */
double ptx_add_odd(double a, double b);

#endif

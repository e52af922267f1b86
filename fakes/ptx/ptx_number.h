/* Numbers of all formats, exactly: taken apart, rounded, put together. */
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

/* Bits of F16, BF16, F32, F64, TF32, or of one element of the packed 8-bit types. */
ptx_number ptx_unpack(ptx_type type, uint64_t bits);

/*
 * The nearest value of the type; round is PTX_M_ROUND_, 0 is to nearest even. Beyond the largest
 * one it is infinite or, with finite or in a format without infinity, the largest. NaN is the
 * canonical one.
 */
uint64_t ptx_pack(ptx_type type, ptx_number number, uint8_t round, bool finite);

ptx_number ptx_from_integer(uint64_t value, bool is_signed);

/* The integer of so many bits; whole is PTX_M_WHOLE_. What is beyond becomes the nearest one. */
uint64_t ptx_to_integer(ptx_number number, uint8_t whole, unsigned bits, bool is_signed);

/* Rounded to a whole number. */
ptx_number ptx_to_whole(ptx_number number, uint8_t whole);

double ptx_half_value(ptx_type type, uint16_t bits);
uint16_t ptx_half_bits(ptx_type type, double value);

/* a + b, with the last bit set where it is not exact: rounding that to a half rounds once. */
double ptx_add_odd(double a, double b);

#endif

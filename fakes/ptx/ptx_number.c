#include "ptx_number.h"

#include <math.h>
#include <string.h>

typedef struct format {
  int exponent_bits, fraction_bits;
  int unused; /* number of a word's low bits that the format does not use */
} format;

static format format_of(ptx_type type) {
  switch (type) {
  case PTX_F16:
  case PTX_F16X2:
    return (format){5, 10, 0};
  case PTX_BF16:
  case PTX_BF16X2:
    return (format){8, 7, 0};
  case PTX_TF32:
    return (format){8, 10, 13};
  case PTX_E4M3X2:
    return (format){4, 3, 0};
  case PTX_E5M2X2:
    return (format){5, 2, 0};
  case PTX_F64:
    return (format){11, 52, 0};
  default:
    return (format){8, 23, 0};
  }
}

static ptx_number normal(bool negative, int exponent, uint64_t significand) {
  if (significand == 0)
    return (ptx_number){.kind = PTX_NUMBER_ZERO, .negative = negative};
  const int shift = __builtin_clzll(significand);
  return (ptx_number){PTX_NUMBER_FINITE, negative, exponent - shift, significand << shift};
}

ptx_number ptx_unpack(ptx_type type, uint64_t bits) {
  const format f = format_of(type);
  bits >>= f.unused;
  const int top = (1 << f.exponent_bits) - 1, bias = top >> 1;
  const uint64_t fraction = bits & ((UINT64_C(1) << f.fraction_bits) - 1);
  const int exponent = (int)(bits >> f.fraction_bits) & top;
  const bool negative = bits >> (f.fraction_bits + f.exponent_bits) & 1;
  const bool e4m3 = type == PTX_E4M3X2;
  if (exponent == top && (!e4m3 || fraction == 7))
    return (ptx_number){.kind = fraction ? PTX_NUMBER_NAN : PTX_NUMBER_INFINITE,
                        .negative = negative};
  const uint64_t leading = exponent ? UINT64_C(1) << f.fraction_bits : 0;
  return normal(negative, (exponent ? exponent : 1) - bias + 63 - f.fraction_bits,
                fraction | leading);
}

static bool rounds_up(uint8_t round, bool negative, bool odd, int against_half, bool exact) {
  switch (round) {
  case PTX_M_ROUND_RZ:
    return false;
  case PTX_M_ROUND_RM:
    return negative && !exact;
  case PTX_M_ROUND_RP:
    return !negative && !exact;
  case PTX_M_ROUND_RNA:
    return against_half >= 0;
  default:
    return against_half > 0 || (against_half == 0 && odd);
  }
}

/* Returns value >> drop, rounded. */
static uint64_t shift_rounded(uint64_t value, int drop, uint8_t round, bool negative) {
  if (drop <= 0)
    return value;
  const uint64_t kept = drop > 63 ? 0 : value >> drop;
  int against_half = -1;
  bool exact = value == 0;
  if (drop <= 64) {
    const uint64_t rest = drop == 64 ? value : value & ((UINT64_C(1) << drop) - 1);
    const uint64_t half = UINT64_C(1) << (drop - 1);
    exact = rest == 0;
    against_half = rest > half ? 1 : rest == half ? 0 : -1;
  }
  return kept + rounds_up(round, negative, kept & 1, against_half, exact);
}

static uint64_t beyond(ptx_type type, uint8_t round, bool negative, bool finite) {
  const format f = format_of(type);
  const uint64_t infinite = ((UINT64_C(1) << f.exponent_bits) - 1) << f.fraction_bits;
  const bool toward_zero = round == PTX_M_ROUND_RZ || (round == PTX_M_ROUND_RM && !negative) ||
                           (round == PTX_M_ROUND_RP && negative);
  if (type == PTX_E4M3X2)
    return 0x7e;
  return finite || toward_zero ? infinite - 1 : infinite;
}

static uint64_t not_a_number(ptx_type type) {
  switch (type) {
  case PTX_F64:
    return UINT64_C(0x7ff8000000000000);
  case PTX_F32:
  case PTX_TF32:
    return 0x7fffffff;
  case PTX_E4M3X2:
  case PTX_E5M2X2:
    return 0x7f;
  default:
    return 0x7fff;
  }
}

uint64_t ptx_pack(ptx_type type, ptx_number number, uint8_t round, bool finite) {
  const format f = format_of(type);
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const uint64_t sign = (uint64_t)number.negative << (f.exponent_bits + f.fraction_bits);
  uint64_t bits;
  if (number.kind == PTX_NUMBER_NAN)
    return not_a_number(type);
  if (number.kind == PTX_NUMBER_ZERO)
    bits = 0;
  else if (number.kind == PTX_NUMBER_INFINITE)
    bits =
        finite || type == PTX_E4M3X2 ? beyond(type, 0, false, true) : beyond(type, 0, false, false);
  else {
    const int least = 1 - bias;
    const bool subnormal = number.exponent < least;
    int drop = 63 - f.fraction_bits + (subnormal ? least - number.exponent : 0);
    drop = drop > 100 ? 100 : drop;
    const uint64_t kept = shift_rounded(number.significand, drop, round, number.negative);
    /* Adds, because a carry out of the fraction must increment the exponent's field. */
    bits = kept + (subnormal ? 0 : (uint64_t)(number.exponent + bias - 1) << f.fraction_bits);
    const uint64_t infinite = ((UINT64_C(1) << f.exponent_bits) - 1) << f.fraction_bits;
    const uint64_t most = type == PTX_E4M3X2 ? 0x7e : infinite - 1;
    if (number.exponent > bias + 1 || bits > most)
      bits = beyond(type, round, number.negative, finite);
  }
  return (bits | sign) << f.unused;
}

ptx_number ptx_from_integer(uint64_t value, bool is_signed) {
  const bool negative = is_signed && (int64_t)value < 0;
  return normal(negative, 63, negative ? 0 - value : value);
}

static uint8_t round_of(uint8_t whole) {
  switch (whole) {
  case PTX_M_WHOLE_RZI:
    return PTX_M_ROUND_RZ;
  case PTX_M_WHOLE_RMI:
    return PTX_M_ROUND_RM;
  case PTX_M_WHOLE_RPI:
    return PTX_M_ROUND_RP;
  default:
    return PTX_M_ROUND_RN;
  }
}

uint64_t ptx_to_integer(ptx_number number, uint8_t whole, unsigned bits, bool is_signed) {
  const uint64_t all = UINT64_MAX >> (64 - bits);
  const uint64_t most = is_signed ? all >> 1 : all;
  const uint64_t least = is_signed ? most + 1 : 0; /* magnitude of the lowest integer */
  uint64_t magnitude;
  if (number.kind == PTX_NUMBER_NAN || number.kind == PTX_NUMBER_ZERO)
    return 0;
  if (number.kind == PTX_NUMBER_INFINITE || number.exponent > 63)
    magnitude = UINT64_MAX;
  else
    magnitude = shift_rounded(number.significand, number.exponent < -2 ? 65 : 63 - number.exponent,
                              round_of(whole), number.negative);
  if (number.negative)
    return 0 - (magnitude < least ? magnitude : least);
  return magnitude < most ? magnitude : most;
}

ptx_number ptx_to_whole(ptx_number number, uint8_t whole) {
  if (number.kind != PTX_NUMBER_FINITE || number.exponent >= 63)
    return number;
  const uint64_t magnitude =
      shift_rounded(number.significand, number.exponent < -2 ? 65 : 63 - number.exponent,
                    round_of(whole), number.negative);
  return normal(number.negative, 63, magnitude);
}

double ptx_half_value(ptx_type type, uint16_t bits) {
  const uint64_t wide = ptx_pack(PTX_F64, ptx_unpack(type, bits), 0, false);
  double value;
  memcpy(&value, &wide, sizeof(value));
  return value;
}

uint16_t ptx_half_bits(ptx_type type, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return (uint16_t)ptx_pack(type, ptx_unpack(PTX_F64, bits), 0, false);
}

double ptx_add_odd(double a, double b) {
  const double sum = a + b;
  if (!isfinite(sum) || sum == 0)
    return sum;
  const double back = sum - a;
  const double rest = (a - (sum - back)) + (b - back);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof(bits));
  if (rest != 0 && !(bits & 1))
    bits += (rest > 0) == (sum > 0) ? 1 : UINT64_MAX;
  double odd;
  memcpy(&odd, &bits, sizeof(odd));
  return odd;
}

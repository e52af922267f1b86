#include "spec_numbers.h"

#include <math.h>
#include <string.h>

enum { HALF = 16, SINGLE = 32, HALF_DIGITS = 10, HALF_LEAST = -24, HALF_END = 16 };

uint64_t number_cut(uint64_t bits, uint32_t width) {
  return width < 64 ? bits & (((uint64_t)1 << width) - 1) : bits;
}

int64_t number_signed(uint64_t bits, uint32_t width) {
  const uint64_t sign = (uint64_t)1 << (width - 1);
  return (int64_t)((number_cut(bits, width) ^ sign) - sign);
}

/* ---- Floating-point numbers ---- */

static double read_half(uint64_t bits) {
  const int exponent = (int)(bits >> HALF_DIGITS & 31);
  const double digits = (double)(bits & 1023);
  double value =
      exponent == 0 ? ldexp(digits, HALF_LEAST) : ldexp(digits + 1024, exponent - 1 + HALF_LEAST);
  if (exponent == 31)
    value = digits == 0 ? (double)INFINITY : (double)NAN;
  return bits >> 15 & 1 ? -value : value;
}

static uint64_t write_half(double value) {
  const uint64_t sign = signbit(value) ? 0x8000u : 0;
  const double size = fabs(value);
  if (isnan(value))
    return sign | 0x7e00u;
  if (size >= 65520)
    return sign | 0x7c00u;
  int exponent;
  (void)frexp(size, &exponent);
  /* The exponent of the last digit, which is the same for all denormals. */
  int last = exponent - 1 - HALF_DIGITS;
  last = last < HALF_LEAST || size == 0 ? HALF_LEAST : last;
  const uint64_t digits = (uint64_t)rint(ldexp(size, -last));
  /* A carry out of the digits goes into the exponent. */
  return sign | (((uint64_t)(last - HALF_LEAST) << HALF_DIGITS) + digits);
}

double number_read(uint64_t bits, uint32_t width) {
  double value;
  if (width == HALF)
    return read_half(bits);
  if (width == SINGLE) {
    const uint32_t word = (uint32_t)bits;
    float single;
    memcpy(&single, &word, sizeof single);
    return (double)single;
  }
  memcpy(&value, &bits, sizeof value);
  return value;
}

uint64_t number_write(double value, uint32_t width) {
  uint64_t bits;
  if (width == HALF)
    return write_half(value);
  if (width == SINGLE) {
    const float single = (float)value;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    return word;
  }
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Returns the remainder with the sign of the divisor. */
static double floored_remainder(double a, double b) {
  const double rest = fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static bool compute_floats(uint32_t opcode, uint32_t width, const uint64_t *operands,
                           uint64_t *ret) {
  const double a = number_read(operands[0], width);
  const double b = number_read(operands[1], width);
  switch (opcode) {
  case 127: /* FNegate */
    *ret = operands[0] ^ (uint64_t)1 << (width - 1);
    return true;
  case 129:
    *ret = number_write(a + b, width);
    return true;
  case 131:
    *ret = number_write(a - b, width);
    return true;
  case 133:
    *ret = number_write(a * b, width);
    return true;
  case 136:
    *ret = number_write(a / b, width);
    return true;
  case 140: /* FRem */
    *ret = number_write(fmod(a, b), width);
    return true;
  case 141: /* FMod */
    *ret = number_write(floored_remainder(a, b), width);
    return true;
  default:
    return false;
  }
}

/* ---- Conversions ---- */

/* Returns the integer part; 0 for NaN and for values that do not fit, which SPIR-V leaves
 * undefined. */
static uint64_t convert_to_integer(double value, uint32_t width, bool is_signed) {
  const double whole = trunc(value);
  const double end = ldexp(1.0, (int)(is_signed ? width - 1 : width));
  if (!(whole >= (is_signed ? -end : 0.0) && whole < end))
    return 0;
  return number_cut(is_signed ? (uint64_t)(int64_t)whole : (uint64_t)whole, width);
}

/* Converts an integer to a float of the width. It converts to float directly, not through double,
 * so that it rounds once. */
static uint64_t convert_from_integer(uint64_t bits, uint32_t from, uint32_t to, bool is_signed) {
  const int64_t value = number_signed(bits, from);
  if (to == SINGLE) {
    const float single = is_signed ? (float)value : (float)number_cut(bits, from);
    return number_write((double)single, to);
  }
  return number_write(is_signed ? (double)value : (double)number_cut(bits, from), to);
}

static bool convert_number(uint32_t opcode, number_kind from, number_kind to, uint64_t bits,
                           uint64_t *ret) {
  switch (opcode) {
  case 109: /* ConvertFToU */
  case 110: /* ConvertFToS */
    *ret = convert_to_integer(number_read(bits, from.width), to.width, opcode == 110);
    return true;
  case 111: /* ConvertSToF */
  case 112: /* ConvertUToF */
    *ret = convert_from_integer(bits, from.width, to.width, opcode == 111);
    return true;
  case 113: /* UConvert */
    *ret = number_cut(number_cut(bits, from.width), to.width);
    return true;
  case 114: /* SConvert */
    *ret = number_cut((uint64_t)number_signed(bits, from.width), to.width);
    return true;
  case 115: /* FConvert */
    *ret = number_write(number_read(bits, from.width), to.width);
    return true;
  case 116: { /* QuantizeToF16 */
    const double rounded = read_half(write_half(number_read(bits, from.width)));
    const bool is_normal = fabs(rounded) >= ldexp(1.0, HALF_LEAST + HALF_DIGITS);
    *ret = number_write(is_normal || isnan(rounded) ? rounded : copysign(0.0, rounded), to.width);
    return true;
  }
  default:
    return false;
  }
}

/* ---- Integers ---- */

static int64_t divide_signed(int64_t a, int64_t b, int64_t *rest) {
  *rest = 0;
  if (b == 0)
    return 0;
  if (b == -1) /* the smallest number cannot be negated */
    return (int64_t)(0 - (uint64_t)a);
  *rest = a % b;
  return a / b;
}

static bool divide_integers(uint32_t opcode, uint32_t width, const uint64_t *operands,
                            uint64_t *ret) {
  const uint64_t a = number_cut(operands[0], width);
  const uint64_t b = number_cut(operands[1], width);
  int64_t rest;
  const int64_t divisor = number_signed(b, width);
  const int64_t quotient = divide_signed(number_signed(a, width), divisor, &rest);
  switch (opcode) {
  case 134: /* UDiv */
    *ret = b == 0 ? 0 : a / b;
    return true;
  case 135: /* SDiv */
    *ret = number_cut((uint64_t)quotient, width);
    return true;
  case 137: /* UMod */
    *ret = b == 0 ? 0 : a % b;
    return true;
  case 138: /* SRem */
    *ret = number_cut((uint64_t)rest, width);
    return true;
  case 139: /* SMod */
    if (rest != 0 && (rest < 0) != (divisor < 0))
      rest += divisor;
    *ret = number_cut((uint64_t)rest, width);
    return true;
  default:
    return false;
  }
}

static bool compare_integers(uint32_t opcode, uint32_t width, const uint64_t *operands,
                             uint64_t *ret) {
  const uint64_t a = number_cut(operands[0], width);
  const uint64_t b = number_cut(operands[1], width);
  const int64_t c = number_signed(a, width);
  const int64_t d = number_signed(b, width);
  switch (opcode) {
  case 170: /* IEqual */
    *ret = a == b;
    return true;
  case 171:
    *ret = a != b;
    return true;
  case 172: /* UGreaterThan */
    *ret = a > b;
    return true;
  case 173:
    *ret = c > d;
    return true;
  case 174:
    *ret = a >= b;
    return true;
  case 175:
    *ret = c >= d;
    return true;
  case 176: /* ULessThan */
    *ret = a < b;
    return true;
  case 177:
    *ret = c < d;
    return true;
  case 178:
    *ret = a <= b;
    return true;
  case 179:
    *ret = c <= d;
    return true;
  default:
    return false;
  }
}

/* Shifts a number. Shifts by its width or more leave 0, or only the sign. */
static uint64_t shift_bits(uint32_t opcode, uint32_t width, uint64_t value, uint64_t places) {
  const uint64_t bits = number_cut(value, width);
  const int64_t number = number_signed(value, width);
  if (opcode == 195) /* ShiftRightArithmetic */
    return number_cut((uint64_t)(number >> (places < width ? places : width - 1)), width);
  if (places >= width)
    return 0;
  return opcode == 194 ? bits >> places : number_cut(bits << places, width);
}

static bool compute_bits(uint32_t opcode, uint32_t width, const uint64_t *operands, uint64_t *ret) {
  const uint64_t a = operands[0];
  const uint64_t b = operands[1];
  switch (opcode) {
  case 126: /* SNegate */
    *ret = number_cut(0 - a, width);
    return true;
  case 128:
    *ret = number_cut(a + b, width);
    return true;
  case 130:
    *ret = number_cut(a - b, width);
    return true;
  case 132:
    *ret = number_cut(a * b, width);
    return true;
  case 194:
  case 195:
  case 196:
    *ret = shift_bits(opcode, width, a, b);
    return true;
  case 166: /* LogicalOr */
  case 197:
    *ret = a | b;
    return true;
  case 165: /* LogicalNotEqual */
  case 198:
    *ret = a ^ b;
    return true;
  case 167: /* LogicalAnd */
  case 199:
    *ret = a & b;
    return true;
  case 164: /* LogicalEqual */
    *ret = a == b;
    return true;
  case 168: /* LogicalNot */
    *ret = !a;
    return true;
  case 200: /* Not */
    *ret = number_cut(~a, width);
    return true;
  case 169: /* Select */
    *ret = a != 0 ? b : operands[2];
    return true;
  default:
    return false;
  }
}

bool number_compute(uint32_t opcode, number_kind from, number_kind to, const uint64_t *operands,
                    uint64_t *ret) {
  if (convert_number(opcode, from, to, operands[0], ret))
    return true;
  if (from.is_float && compute_floats(opcode, from.width, operands, ret))
    return true;
  return divide_integers(opcode, from.width, operands, ret) ||
         compare_integers(opcode, from.width, operands, ret) ||
         compute_bits(opcode, from.width, operands, ret);
}

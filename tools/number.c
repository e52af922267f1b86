#include "number.h"

#include "../plugins/base/digits.h"
#include "json.h"
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const number_type types[] = {
#define NUMBER_TYPE(NAME, name, bytes, kind) {name, bytes, NUMBER_##kind},
    NUMBER_TYPES(NUMBER_TYPE)
#undef NUMBER_TYPE
};

const number_type *number_type_find(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strlen(types[i].name) == length && strncmp(types[i].name, name, length) == 0)
      return &types[i];
  return NULL;
}

static char *not_a_number(const number_type *type, const char *text) {
  return tool_format("\"%s\" is not a number of type %s", text, type->name);
}

static char *out_of_range(const number_type *type, const char *text) {
  return tool_format("%s does not fit into %s", text, type->name);
}

/* ---- Integers ---- */

/* Stores the low bytes of a word in the machine's byte order, which is also the device's. */
static void store_word(const number_type *type, uint64_t word, void *bytes) {
  const uint8_t byte = (uint8_t)word;
  const uint16_t half = (uint16_t)word;
  const uint32_t single = (uint32_t)word;
  switch (type->size) {
  case 1:
    memcpy(bytes, &byte, sizeof byte);
    return;
  case 2:
    memcpy(bytes, &half, sizeof half);
    return;
  case 4:
    memcpy(bytes, &single, sizeof single);
    return;
  default:
    memcpy(bytes, &word, sizeof word);
  }
}

static uint64_t load_word(const number_type *type, const void *bytes) {
  uint8_t byte;
  uint16_t half;
  uint32_t single;
  uint64_t word;
  switch (type->size) {
  case 1:
    memcpy(&byte, bytes, sizeof byte);
    return byte;
  case 2:
    memcpy(&half, bytes, sizeof half);
    return half;
  case 4:
    memcpy(&single, bytes, sizeof single);
    return single;
  default:
    memcpy(&word, bytes, sizeof word);
    return word;
  }
}

/* Loads an integer of the type's width, with sign extension. */
static int64_t load_signed(const number_type *type, const void *bytes) {
  const uint64_t word = load_word(type, bytes);
  const uint64_t sign = UINT64_C(1) << (type->size * 8 - 1);
  return (int64_t)((word ^ sign) - sign);
}

static char *parse_integer(const number_type *type, const char *text, void *bytes) {
  const bool negative = *text == '-';
  const char *digits = text + (*text == '-' || *text == '+');
  const bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  digits += hexadecimal ? 2 : 0;
  if (hexadecimal ? !isxdigit((unsigned char)*digits) : !isdigit((unsigned char)*digits))
    return not_a_number(type, text);
  char *end;
  errno = 0;
  const uintmax_t magnitude = strtoumax(digits, &end, hexadecimal ? 16 : 10);
  if (*end)
    return not_a_number(type, text);
  const uint64_t sign = UINT64_C(1) << (type->size * 8 - 1);
  const uint64_t most = negative ? sign : sign - 1 + sign;
  if (errno == ERANGE || magnitude > most)
    return out_of_range(type, text);
  store_word(type, negative ? UINT64_C(0) - magnitude : magnitude, bytes);
  return NULL;
}

/* ---- Floating point ---- */

/* Half precision: 1 bit of sign, 5 of the exponent (bias 15), 10 of the fraction. */
enum { HALF_FRACTION = 10, HALF_LEAST_EXPONENT = -14, HALF_INFINITY = 0x7c00, HALF_NAN = 0x7e00 };
/* Values from here on round to infinity: halfway between 65504, the largest half, and 65536. */
#define HALF_OVERFLOW 65520.0

/* Rounds to the nearest half, ties to even. A finite |value| must be below HALF_OVERFLOW. */
static uint16_t half_of(double value) {
  const unsigned sign = signbit(value) ? 0x8000u : 0;
  if (isnan(value))
    return (uint16_t)(sign | HALF_NAN);
  if (isinf(value))
    return (uint16_t)(sign | HALF_INFINITY);
  int exponent;
  frexp(value, &exponent);
  exponent -= 1; /* frexp's fraction is in [1/2, 1), a half's in [1, 2) */
  if (exponent < HALF_LEAST_EXPONENT || value == 0)
    exponent = HALF_LEAST_EXPONENT;
  /* The fraction in units of the last place. If it overflows, the sum carries into the exponent. */
  const double units = nearbyint(ldexp(fabs(value), HALF_FRACTION - exponent));
  const unsigned field = (unsigned)(exponent - HALF_LEAST_EXPONENT) << HALF_FRACTION;
  return (uint16_t)(sign | (field + (unsigned)units));
}

static double half_value(uint16_t half) {
  const int field = half >> HALF_FRACTION & 0x1f;
  const int fraction = half & 0x3ff;
  double value;
  if (field == 0x1f)
    value = fraction ? NAN : INFINITY;
  else if (field == 0)
    value = ldexp(fraction, HALF_LEAST_EXPONENT - HALF_FRACTION);
  else
    value = ldexp(fraction + 0x400, field - 1 + HALF_LEAST_EXPONENT - HALF_FRACTION);
  return half & 0x8000 ? -value : value;
}

static double strtod_rounding(const char *text, char **end, int direction) {
  const int before = fegetround();
  fesetround(direction);
  const double value = strtod(text, end);
  fesetround(before);
  return value;
}

/*
 * Returns a double that rounds to the same half as the text's exact value. A double rounded to the
 * nearest could end up on a tie between two halves. So this one is truncated, and its last bit is
 * set if the truncation was inexact, which keeps it off every tie.
 */
static double strtod_sticky(const char *text, char **end) {
  const double below = strtod_rounding(text, end, FE_DOWNWARD);
  const double above = strtod_rounding(text, end, FE_UPWARD);
  if (isnan(below) || below == above)
    return below;
  double cut = strtod_rounding(text, end, FE_TOWARDZERO);
  uint64_t bits;
  memcpy(&bits, &cut, sizeof bits);
  bits |= 1;
  memcpy(&cut, &bits, sizeof bits);
  return cut;
}

/* Returns whether the text is an infinity. An infinite result of another text is an overflow. */
static bool says_infinity(const char *text) {
  text += *text == '-' || *text == '+';
  return strncasecmp(text, "inf", 3) == 0;
}

static char *parse_float(const number_type *type, const char *text, void *bytes) {
  if (!*text || isspace((unsigned char)*text))
    return not_a_number(type, text);
  char *end;
  if (type->size == 4) {
    const float value = strtof(text, &end);
    if (*end || end == text)
      return not_a_number(type, text);
    if (isinf(value) && !says_infinity(text))
      return out_of_range(type, text);
    memcpy(bytes, &value, sizeof value);
    return NULL;
  }
  const double value = type->size == 8 ? strtod(text, &end) : strtod_sticky(text, &end);
  if (*end || end == text)
    return not_a_number(type, text);
  const bool too_large = type->size == 8 ? isinf(value) : fabs(value) >= HALF_OVERFLOW;
  if (too_large && !says_infinity(text))
    return out_of_range(type, text);
  const uint16_t half = type->size == 2 ? half_of(value) : 0;
  memcpy(bytes, type->size == 8 ? (const void *)&value : &half, type->size);
  return NULL;
}

static double load_float(const number_type *type, const void *bytes) {
  uint16_t half;
  float single;
  double value;
  switch (type->size) {
  case 2:
    memcpy(&half, bytes, sizeof half);
    return half_value(half);
  case 4:
    memcpy(&single, bytes, sizeof single);
    return (double)single;
  default:
    memcpy(&value, bytes, sizeof value);
    return value;
  }
}

/* ---- All types ---- */

static char *parse_bool(const number_type *type, const char *text, void *bytes) {
  const bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
  if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
    return tool_format("\"%s\" is not true, false, 1 or 0", text);
  store_word(type, yes, bytes);
  return NULL;
}

char *number_parse(const number_type *type, const char *text, void *bytes) {
  switch (type->kind) {
  case NUMBER_INTEGER:
    return parse_integer(type, text, bytes);
  case NUMBER_FLOAT:
    return parse_float(type, text, bytes);
  case NUMBER_BOOL:
    break;
  }
  return parse_bool(type, text, bytes);
}

void number_from_index(const number_type *type, size_t index, void *bytes) {
  if (type->kind != NUMBER_FLOAT) {
    store_word(type, type->kind == NUMBER_BOOL ? index != 0 : index, bytes);
    return;
  }
  const double value = (double)index;
  const float single = (float)index;
  const uint16_t half = half_of(value < HALF_OVERFLOW ? value : INFINITY);
  memcpy(bytes,
         type->size == 8   ? (const void *)&value
         : type->size == 4 ? (const void *)&single
                           : (const void *)&half,
         type->size);
}

json_t *number_json(const number_type *type, const void *bytes) {
  if (type->kind != NUMBER_FLOAT)
    return tool_json_integer(type->kind == NUMBER_BOOL ? (json_int_t)load_word(type, bytes)
                                                       : (json_int_t)load_signed(type, bytes));
  const double value = load_float(type, bytes);
  if (isnan(value))
    return tool_json_text("nan");
  if (isinf(value))
    return tool_json_text(value < 0 ? "-inf" : "inf");
  json_t *number = json_real(value);
  if (!number)
    tool_no_memory();
  return number;
}

void number_print(const number_type *type, const void *bytes, FILE *out) {
  /* Enough digits to read back the same value. */
  const int digits = type->size == 8 ? 17 : type->size == 4 ? 9 : 5;
  switch (type->kind) {
  case NUMBER_INTEGER:
    fprintf(out, "%" PRId64, load_signed(type, bytes));
    return;
  case NUMBER_FLOAT:
    fprintf(out, "%.*g", digits, load_float(type, bytes));
    return;
  case NUMBER_BOOL:
    fprintf(out, "%" PRIu64, load_word(type, bytes));
  }
}

char *number_parse_hex(const char *text, unsigned char **ret, size_t *size) {
  const size_t length = strlen(text);
  if (strspn(text, "0123456789abcdefABCDEF") != length)
    return tool_format("\"%s\" has something else than hexadecimal digits", text);
  if (length == 0 || length % 2 != 0)
    return tool_format("\"%s\" has %zu hexadecimal digits, two are a byte", text, length);
  unsigned char *bytes = malloc(length / 2);
  if (!bytes)
    tool_no_memory();
  (void)digits_read_hex(text, length / 2, bytes);
  *ret = bytes;
  *size = length / 2;
  return NULL;
}

bool number_parse_count(const char *text, const char *end, size_t *ret) {
  uint64_t value;
  if (!digits_read(&text, end, SIZE_MAX, &value) || text != end)
    return false;
  *ret = (size_t)value;
  return true;
}

char *number_unknown_type(const char *name, size_t length, const char *others) {
  return tool_format("\"%.*s\" is not a type; types are %s%s", (int)length, name, NUMBER_TYPES_TEXT,
                     others);
}

char *number_parse_typed(const char *name, size_t length, const char *text,
                         const number_type **type, unsigned char **ret, size_t *size) {
  *type = NULL;
  if (length == 3 && strncmp(name, "hex", length) == 0)
    return number_parse_hex(text, ret, size);
  const number_type *found = number_type_find(name, length);
  if (!found)
    return number_unknown_type(name, length, ", hex");
  *type = found;
  *size = found->size;
  *ret = calloc(1, found->size);
  if (!*ret)
    tool_no_memory();
  return number_parse(found, text, *ret);
}

/* The numbers of specpi launch: text to bytes and back. */
#define _POSIX_C_SOURCE 200809L /* fmemopen */
#include "../../tools/number.h"
#include "../support/tests.h"

#include <stdlib.h>
#include <string.h>

static const number_type *type_of(const char *name) {
  const number_type *type = number_type_find(name, strlen(name));
  assert_non_null(type);
  return type;
}

/* Returns the bytes of a number as a word; fails the test if the number is refused. */
static uint64_t parse(const char *name, const char *text) {
  unsigned char bytes[8] = {0};
  char *reason = number_parse(type_of(name), text, bytes);
  if (reason)
    fail_msg("%s:%s: %s", name, text, reason);
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static void refuse(const char *name, const char *text, const char *part) {
  unsigned char bytes[8];
  memset(bytes, 0xa5, sizeof bytes);
  char *reason = number_parse(type_of(name), text, bytes);
  assert_non_null(reason);
  if (!strstr(reason, part))
    fail_msg("%s:%s: \"%s\" is not in: %s", name, text, part, reason);
  free(reason);
  for (size_t i = 0; i < sizeof bytes; i++)
    assert_int_equal(bytes[i], 0xa5);
}

TEST(finds_types) {
  assert_int_equal(type_of("i8")->size, 1);
  assert_int_equal(type_of("f64")->size, 8);
  assert_int_equal(type_of("bool")->size, 1);
  assert_null(number_type_find("i9", 2));
  assert_null(number_type_find("i16", 2));
  assert_null(number_type_find("", 0));
  assert_null(number_type_find("i16x", 4));
}

TEST(reads_integers) {
  assert_int_equal(parse("i8", "-128"), 0x80);
  assert_int_equal(parse("i8", "255"), 0xff);
  assert_int_equal(parse("i8", "+7"), 7);
  assert_int_equal(parse("i16", "-1"), 0xffff);
  assert_int_equal(parse("i16", "65535"), 0xffff);
  assert_int_equal(parse("i32", "0xDeadBeef"), 0xdeadbeef);
  assert_int_equal(parse("i32", "010"), 10);
  assert_int_equal(parse("i32", "-0x80000000"), 0x80000000);
  assert_true(parse("i64", "18446744073709551615") == UINT64_MAX);
  assert_true(parse("i64", "-9223372036854775808") == UINT64_C(1) << 63);
  refuse("i8", "256", "does not fit into i8");
  refuse("i8", "-129", "does not fit into i8");
  refuse("i16", "65536", "does not fit");
  refuse("i32", "4294967296", "does not fit");
  refuse("i32", "-2147483649", "does not fit");
  refuse("i64", "18446744073709551616", "does not fit");
  refuse("i64", "-9223372036854775809", "does not fit");
  refuse("i64", "99999999999999999999999999", "does not fit");
  static const char *const wrong[] = {"",    " 1",   "1 ",  "1.0", "x",    "0x",   "--1",
                                      "+-1", "0x-1", "- 1", "1e3", "0x1g", "true", "-"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    refuse("i32", wrong[i], "is not a number of type i32");
}

TEST(reads_floats) {
  assert_int_equal(parse("f32", "1.5"), 0x3fc00000);
  assert_int_equal(parse("f32", "-0"), 0x80000000);
  assert_int_equal(parse("f32", "0x1p-1"), 0x3f000000);
  assert_int_equal(parse("f32", "inf"), 0x7f800000);
  assert_int_equal(parse("f32", "-INFINITY"), 0xff800000);
  assert_int_equal(parse("f32", "nan") & 0x7fc00000, 0x7fc00000);
  assert_int_equal(parse("f32", "1e-45"), 1);
  assert_int_equal(parse("f32", "1e-60"), 0);
  assert_int_equal(parse("f32", "3.4028235e38"), 0x7f7fffff);
  /* Rounded once. Rounded to a double first, the result would be 1. */
  assert_int_equal(parse("f32", "1.00000005960464477540"), 0x3f800001);
  assert_true(parse("f64", "0.1") == UINT64_C(0x3fb999999999999a));
  refuse("f32", "3.5e38", "3.5e38 does not fit into f32");
  refuse("f64", "1e309", "does not fit into f64");
  refuse("f64", "-1e309", "does not fit into f64");
  static const char *const wrong[] = {"", " 1", "1 ", "1,5", "x", "1e", "--1", "infinite", "nano"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    refuse("f16", wrong[i], "is not a number of type f16");
    refuse("f32", wrong[i], "is not a number of type f32");
    refuse("f64", wrong[i], "is not a number of type f64");
  }
}

/* Returns the value of a positive half, computed without the code under test. */
static double value_of(unsigned half) {
  const unsigned exponent = half >> 10 & 0x1f;
  double value = (half & 0x3ff) + (exponent ? 1024.0 : 0.0);
  for (unsigned i = exponent ? exponent : 1; i < 25; i++)
    value /= 2;
  for (unsigned i = 25; i < exponent; i++)
    value *= 2;
  return value;
}

/* Reads each half's exact value, the tie above it, and a number just above the tie. */
TEST(rounds_halves_once) {
  char text[128];
  for (unsigned half = 0; half < 0x7c00; half++) {
    const double value = value_of(half);
    const double tie = half == 0x7bff ? 65520.0 : (value + value_of(half + 1)) / 2;
    snprintf(text, sizeof text, "%.60f", value);
    assert_int_equal(parse("f16", text), half);
    snprintf(text, sizeof text, "-%.60f", value);
    assert_int_equal(parse("f16", text), half | 0x8000);
    if (half == 0x7bff)
      break;
    snprintf(text, sizeof text, "%.60f", tie);
    assert_int_equal(parse("f16", text), half + (half & 1));
    /* As a double, this number would equal the tie. */
    text[strlen(text) - 1] = '1';
    assert_int_equal(parse("f16", text), half + 1);
    snprintf(text, sizeof text, "-%.60f", tie);
    text[strlen(text) - 1] = '1';
    assert_int_equal(parse("f16", text), (half + 1) | 0x8000);
  }
  assert_int_equal(parse("f16", "65519.9999999999999999999999"), 0x7bff);
  assert_int_equal(parse("f16", "inf"), 0x7c00);
  assert_int_equal(parse("f16", "-inf"), 0xfc00);
  assert_int_equal(parse("f16", "nan") & 0x7e00, 0x7e00);
  refuse("f16", "65520", "65520 does not fit into f16");
  refuse("f16", "1e999", "does not fit");
  assert_int_equal(parse("f16", "1e-999"), 0);
}

/* A printed number is read as the same number. */
TEST(prints_what_it_reads) {
  static const struct {
    const char *type;
    const char *text;
  } cases[] = {{"i8", "-128"},  {"i64", "9223372036854775807"}, {"f32", "3.40282347e+38"},
               {"f32", "-inf"}, {"f64", "0.10000000000000001"}, {"bool", "1"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const number_type *type = type_of(cases[i].type);
    const uint64_t word = parse(cases[i].type, cases[i].text);
    char text[64] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    number_print(type, &word, out);
    fclose(out);
    assert_string_equal(text, cases[i].text);
  }
  for (unsigned half = 0; half <= 0x7c00; half++) {
    const uint16_t word = (uint16_t)half;
    char text[64] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    number_print(type_of("f16"), &word, out);
    fclose(out);
    assert_int_equal(parse("f16", text), half);
  }
}

TEST(reads_bool) {
  assert_int_equal(parse("bool", "true"), 1);
  assert_int_equal(parse("bool", "1"), 1);
  assert_int_equal(parse("bool", "false"), 0);
  assert_int_equal(parse("bool", "0"), 0);
  refuse("bool", "2", "is not true, false, 1 or 0");
  refuse("bool", "", "is not true, false, 1 or 0");
  refuse("bool", "TRUE", "is not true, false, 1 or 0");
}

TEST(counts) {
  unsigned char bytes[8];
  number_from_index(type_of("i8"), 257, bytes);
  assert_int_equal(bytes[0], 1);
  float single;
  number_from_index(type_of("f32"), 3, &single);
  assert_true(single == 3.0f);
  double value;
  number_from_index(type_of("f64"), 1000000, &value);
  assert_true(value == 1e6);
  uint16_t half;
  number_from_index(type_of("f16"), 2049, &half);
  assert_int_equal(half, 0x6800); /* 2048: 2049 is a tie, rounded to even */
  number_from_index(type_of("f16"), 70000, &half);
  assert_int_equal(half, 0x7c00);
  number_from_index(type_of("bool"), 0, bytes);
  assert_int_equal(bytes[0], 0);
  number_from_index(type_of("bool"), 256, bytes);
  assert_int_equal(bytes[0], 1);
}

/* A value that JSON cannot represent as a number becomes a string. */
TEST(makes_json) {
  static const struct {
    const char *type;
    const char *text;
    const char *json;
  } cases[] = {{"i8", "255", "-1"},
               {"i64", "-9223372036854775808", "-9223372036854775808"},
               {"bool", "true", "1"},
               {"f16", "0.5", "0.5"},
               {"f32", "0.1", "0.10000000149011612"},
               {"f64", "nan", "\"nan\""},
               {"f32", "inf", "\"inf\""},
               {"f16", "-inf", "\"-inf\""}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const uint64_t word = parse(cases[i].type, cases[i].text);
    json_t *json = number_json(type_of(cases[i].type), &word);
    char *text = json_dumps(json, JSON_ENCODE_ANY);
    assert_string_equal(text, cases[i].json);
    free(text);
    json_decref(json);
  }
}

TEST(reads_hex) {
  unsigned char *bytes = NULL;
  size_t size = 0;
  assert_null(number_parse_hex("00fFA0", &bytes, &size));
  assert_int_equal(size, 3);
  assert_memory_equal(bytes, "\x00\xff\xa0", 3);
  free(bytes);
  bytes = NULL;
  static const char *const wrong[] = {"", "0", "123", "0x12", "1g", "12 34", "-1"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char *reason = number_parse_hex(wrong[i], &bytes, &size);
    assert_non_null(reason);
    free(reason);
    assert_null(bytes);
  }
}

/*
 * Setting constants: accepted values, refused values with their messages, and that a refusal
 * changes no value. The tests of reading modules are in constants_read.c.
 */
#include "check.h"
#include "module.h"

#include "../../plugins/code/constants.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads a module, then overwrites and frees its words, which the store must not need any more. */
static code_constants *read_and_free(module *m) {
  code_constants *constants = NULL;
  assert_success(code_constants_read(m->words, module_bytes(m), &constants));
  memset(m->words, 0xa5, module_bytes(m));
  module_free(m);
  return constants;
}

/* Returns a constant's current state. */
static code_constant get(code_constants *constants, pi_uint32 id) {
  code_constant *all;
  size_t count;
  assert_success(code_constants_snapshot(constants, &all, &count));
  for (size_t i = 0; i < count; i++) {
    if (all[i].id != id)
      continue;
    const code_constant found = all[i];
    free(all);
    return found;
  }
  fail_msg("no constant %u in the snapshot", id);
  return (code_constant){0};
}

static void assert_value(code_constants *constants, pi_uint32 id, const void *value, size_t size) {
  const code_constant now = get(constants, id);
  static const unsigned char zeros[8];
  assert_true(now.is_set);
  assert_memory_equal(now.value, value, size);
  assert_memory_equal(now.value + size, zeros, sizeof zeros - size);
}

static void assert_unset(code_constants *constants, pi_uint32 id) {
  assert_false(get(constants, id).is_set);
}

static void assert_uint32(code_constants *constants, pi_uint32 id, pi_uint32 value) {
  assert_value(constants, id, &value, sizeof value);
}

static pi_result set_uint32(code_constants *constants, pi_uint32 id, pi_uint32 value) {
  return code_constants_set(constants, id, sizeof value, &value);
}

/* Makes a store of three constants: 0 has four bytes, 1 has eight, 7 is a boolean. */
static code_constants *three(void) {
  module m;
  module_begin(&m);
  module_types(&m);
  module_constant(&m, 7, TYPE_BOOL, 1);
  module_constant(&m, 0, TYPE_U32, 160);
  module_op(&m, OP_DECORATE, ID_FREE + 1, SPEC_ID, 1);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U64, ID_FREE + 1, 0x89abcdef, 0x01234567);
  return read_and_free(&m);
}

TEST(a_scalar_is_set) {
  module m;
  module_begin(&m);
  module_types(&m);
  module_constant(&m, 101, TYPE_U32, 43);
  code_constants *constants = read_and_free(&m);
  assert_unset(constants, 101);
  assert_success(set_uint32(constants, 101, 25));
  assert_uint32(constants, 101, 25);
  code_constants_free(constants);

  constants = three();
  assert_success(set_uint32(constants, 0, 42));
  assert_uint32(constants, 0, 42);
  code_constants_free(constants);
}

/* Limits of each type, and bit patterns that arithmetic would not preserve. */
TEST(all_types_are_bit_exact) {
  module m;
  module_begin(&m);
  module_types(&m);
  for (uint32_t type = TYPE_U8; type <= TYPE_F64; type++) {
    module_op(&m, OP_DECORATE, ID_FREE + type, SPEC_ID, type);
    if (type == TYPE_U64 || type == TYPE_F64)
      module_op(&m, OP_SPEC_CONSTANT, type, ID_FREE + type, 1, 2);
    else
      module_op(&m, OP_SPEC_CONSTANT, type, ID_FREE + type, 1);
  }
  code_constants *constants = read_and_free(&m);

  const int8_t bytes[] = {19, 4, INT8_MIN, INT8_MAX, -1, 0};
  for (size_t i = 0; i < sizeof bytes; i++) {
    assert_success(code_constants_set(constants, TYPE_U8, 1, &bytes[i]));
    assert_value(constants, TYPE_U8, &bytes[i], 1);
  }
  /* Bits of halves: some number, the largest, the smallest, -0.0, infinity, NaNs with payload. */
  const uint16_t halves[] = {6000, 0x7bff, 0x0001, 0x8000, 0x7c00, 0x7d55, 0xffff};
  for (size_t i = 0; i < sizeof halves / 2; i++) {
    assert_success(code_constants_set(constants, TYPE_U16, 2, &halves[i]));
    assert_value(constants, TYPE_U16, &halves[i], 2);
    assert_success(code_constants_set(constants, TYPE_F16, 2, &halves[i]));
    assert_value(constants, TYPE_F16, &halves[i], 2);
  }
  const float floats[] = {1.5f, -3.7f, FLT_MAX, FLT_MIN, -0.0f, INFINITY};
  for (size_t i = 0; i < sizeof floats / 4; i++) {
    assert_success(code_constants_set(constants, TYPE_F32, 4, &floats[i]));
    assert_value(constants, TYPE_F32, &floats[i], 4);
  }
  const uint32_t words[] = {0x7fa00001, 0xffffffff, 0x80000000, INT32_MAX};
  for (size_t i = 0; i < sizeof words / 4; i++) {
    assert_success(code_constants_set(constants, TYPE_F32, 4, &words[i]));
    assert_value(constants, TYPE_F32, &words[i], 4);
    assert_success(code_constants_set(constants, TYPE_U32, 4, &words[i]));
    assert_value(constants, TYPE_U32, &words[i], 4);
  }
  const double doubles[] = {DBL_MAX, DBL_MIN, -0.0, -INFINITY};
  for (size_t i = 0; i < sizeof doubles / 8; i++) {
    assert_success(code_constants_set(constants, TYPE_F64, 8, &doubles[i]));
    assert_value(constants, TYPE_F64, &doubles[i], 8);
  }
  const uint64_t longs[] = {UINT64_C(9223372036854775000), (uint64_t)INT64_MIN, UINT64_MAX,
                            UINT64_C(0x7ff4000000000001)};
  for (size_t i = 0; i < sizeof longs / 8; i++) {
    assert_success(code_constants_set(constants, TYPE_U64, 8, &longs[i]));
    assert_value(constants, TYPE_U64, &longs[i], 8);
    assert_success(code_constants_set(constants, TYPE_F64, 8, &longs[i]));
    assert_value(constants, TYPE_F64, &longs[i], 8);
  }
  code_constants_free(constants);
}

TEST(a_boolean_is_stored_as_0_or_1) {
  code_constants *constants = three();
  const struct {
    unsigned char given, kept;
  } rows[] = {{0, 0}, {1, 1}, {2, 1}, {0x80, 1}, {0xff, 1}, {0, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    assert_success(code_constants_set(constants, 7, 1, &rows[i].given));
    assert_value(constants, 7, &rows[i].kept, 1);
  }
  const pi_uint32 as_int = 1;
  assert_failure(code_constants_set(constants, 7, 4, &as_int), PI_ERROR_INVALID_VALUE,
                 "constant 7 takes 1 byte, 4 given");
  code_constants_free(constants);
}

/* If one of several values is refused, none is set. The last value of an id counts. */
TEST(all_values_or_none_are_set) {
  code_constants *constants = three();
  const pi_uint32 first = 1, second = 2;
  const pi_uint64 large = 3;
  const unsigned char yes = 1;
  const constant_setting good[] = {
      {0, 4, &first}, {1, 8, &large}, {0, 4, &second}, {PI_SPEC_ID_ITT, 1, &yes}};
  const constant_setting bad[][2] = {{{0, 4, &first}, {9, 4, &first}},
                                     {{0, 4, &first}, {1, 4, &first}},
                                     {{7, 1, &yes}, {1, 8, NULL}}};
  assert_failure(code_constants_set_all(constants, bad[0], 2), PI_ERROR_INVALID_SPEC_ID,
                 "the module declares no constant with id 9 (it has 3: 0, 1, 7)");
  assert_failure(code_constants_set_all(constants, bad[1], 2), PI_ERROR_INVALID_VALUE,
                 "constant 1 takes 8 bytes, 4 given");
  assert_failure(code_constants_set_all(constants, bad[2], 2), PI_ERROR_INVALID_VALUE,
                 "the value of constant 1 is NULL");
  assert_unset(constants, 0);
  assert_unset(constants, 7);
  assert_success(code_constants_set_all(constants, good, 4));
  assert_uint32(constants, 0, second);
  assert_value(constants, 1, &large, sizeof large);
  assert_unset(constants, 7);
  assert_success(code_constants_set_all(constants, NULL, 0));
  code_constants_free(constants);
}

TEST(subset_keeps_the_others) {
  module m;
  module_many(&m, 4, 0, 1);
  code_constants *constants = read_and_free(&m);
  assert_success(set_uint32(constants, 0, 20));
  assert_success(set_uint32(constants, 1, 40));
  assert_success(set_uint32(constants, 3, 80));
  assert_uint32(constants, 0, 20);
  assert_uint32(constants, 1, 40);
  assert_unset(constants, 2);
  assert_int_equal(get(constants, 2).default_value[0], 2);
  assert_uint32(constants, 3, 80);
  code_constants_free(constants);
}

TEST(values_are_set_in_any_order) {
  code_constants *constants = three();
  const uint64_t large = UINT64_C(0xfedcba9876543210);
  const bool truth = false;
  assert_success(set_uint32(constants, 0, 100));
  assert_success(code_constants_set(constants, 7, sizeof truth, &truth));
  assert_success(code_constants_set(constants, 1, sizeof large, &large));
  assert_uint32(constants, 0, 100);
  assert_value(constants, 1, &large, 8);
  assert_value(constants, 7, &truth, 1);
  code_constants_free(constants);
}

TEST(the_last_value_wins) {
  code_constants *constants = three();
  assert_success(set_uint32(constants, 0, 42));
  assert_success(set_uint32(constants, 0, 11));
  assert_uint32(constants, 0, 11);
  code_constants_free(constants);
}

TEST(a_snapshot_is_a_copy) {
  code_constants *constants = three();
  assert_success(set_uint32(constants, 0, 1));
  code_constant *before;
  size_t count;
  assert_success(code_constants_snapshot(constants, &before, &count));
  assert_int_equal(count, 3);
  assert_int_equal(before[0].id, 0);
  assert_int_equal(before[1].id, 1);
  assert_int_equal(before[2].id, 7);
  assert_success(set_uint32(constants, 0, 2));
  assert_int_equal(before[0].value[0], 1);
  assert_uint32(constants, 0, 2);
  code_constants_free(constants);
  assert_int_equal(before[0].value[0], 1);
  free(before);
}

TEST(an_unknown_id_is_refused) {
  code_constants *constants = three();
  assert_success(set_uint32(constants, 0, 5));
  assert_failure(set_uint32(constants, 999, 6), PI_ERROR_INVALID_SPEC_ID,
                 "the module declares no constant with id 999 (it has 3: 0, 1, 7)");
  assert_failure(set_uint32(constants, 10, 6), PI_ERROR_INVALID_SPEC_ID,
                 "the module declares no constant with id 10 (it has 3: 0, 1, 7)");
  assert_failure(set_uint32(constants, 0xdeadbeef, 6), PI_ERROR_INVALID_SPEC_ID,
                 "the module declares no constant with id 3735928559 (it has 3: 0, 1, 7)");
  assert_uint32(constants, 0, 5);
  assert_unset(constants, 1);
  assert_unset(constants, 7);
  code_constants_free(constants);
}

TEST(a_module_without_constants_knows_no_id) {
  module m;
  module_begin(&m);
  code_constants *constants = read_and_free(&m);
  assert_failure(set_uint32(constants, 0, 6), PI_ERROR_INVALID_SPEC_ID,
                 "the module declares no constant with id 0 (it has none)");
  code_constant *all = (code_constant *)&m;
  size_t count = 99;
  assert_success(code_constants_snapshot(constants, &all, &count));
  assert_null(all);
  assert_int_equal(count, 0);
  code_constants_free(constants);
}

TEST(a_long_list_of_ids_is_cut) {
  module m;
  module_many(&m, 17, 4294967278u, 1);
  code_constants *constants = read_and_free(&m);
  assert_failure(set_uint32(constants, 3, 6), PI_ERROR_INVALID_SPEC_ID,
                 "the module declares no constant with id 3 (it has 17: 4294967278, 4294967279, "
                 "4294967280, 4294967281, 4294967282, 4294967283, 4294967284, 4294967285, "
                 "4294967286, 4294967287, 4294967288, 4294967289, 4294967290, 4294967291, "
                 "4294967292, 4294967293, ...)");
  code_constants_free(constants);

  module_many(&m, 16, 0, 1);
  constants = read_and_free(&m);
  assert_failure(set_uint32(constants, 100, 6), PI_ERROR_INVALID_SPEC_ID,
                 "the module declares no constant with id 100 (it has 16: 0, 1, 2, 3, 4, 5, 6, 7, "
                 "8, 9, 10, 11, 12, 13, 14, 15)");
  code_constants_free(constants);
}

TEST(a_wrong_size_is_refused) {
  code_constants *constants = three();
  assert_success(set_uint32(constants, 0, 77));
  static const unsigned char bytes[0x1000] = {1, 2, 3};
  const struct {
    size_t size;
    const char *sentence;
  } rows[] = {
      {0, "constant 0 takes 4 bytes, 0 given"},
      {1, "constant 0 takes 4 bytes, 1 given"},
      {8, "constant 0 takes 4 bytes, 8 given"},
      {0x1000, "constant 0 takes 4 bytes, 4096 given"},
      {SIZE_MAX, "constant 0 takes 4 bytes, 18446744073709551615 given"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_failure(code_constants_set(constants, 0, rows[i].size, bytes), PI_ERROR_INVALID_VALUE,
                   rows[i].sentence);
  assert_uint32(constants, 0, 77);
  assert_failure(code_constants_set(constants, 1, 4, bytes), PI_ERROR_INVALID_VALUE,
                 "constant 1 takes 8 bytes, 4 given");
  assert_unset(constants, 1);
  code_constants_free(constants);
}

TEST(a_null_value_is_refused) {
  code_constants *constants = three();
  assert_success(set_uint32(constants, 0, 77));
  assert_failure(code_constants_set(constants, 0, 4, NULL), PI_ERROR_INVALID_VALUE,
                 "the value of constant 0 is NULL");
  assert_uint32(constants, 0, 77);
  code_constants_free(constants);
}

TEST(the_value_is_copied_at_the_call) {
  code_constants *constants = three();
  pi_uint32 *value = malloc(sizeof *value);
  assert_non_null(value);
  *value = 1234;
  assert_success(code_constants_set(constants, 0, sizeof *value, value));
  *value = 4321;
  free(value);
  assert_uint32(constants, 0, 1234);
  code_constants_free(constants);
}

/* The value ends at the end of its allocation, so that AddressSanitizer finds a longer read. */
TEST(no_byte_too_many_is_read) {
  code_constants *constants = three();
  unsigned char *value = malloc(1);
  assert_non_null(value);
  *value = 1;
  assert_success(code_constants_set(constants, 7, 1, value));
  free(value);
  code_constants_free(constants);
}

TEST(the_value_may_lie_at_an_odd_address) {
  code_constants *constants = three();
  unsigned char blob[32];
  for (size_t i = 0; i < sizeof blob; i++)
    blob[i] = (unsigned char)(i * 7);
  for (size_t at = 0; at < 8; at++) {
    assert_success(code_constants_set(constants, 0, 4, blob + at));
    assert_value(constants, 0, blob + at, 4);
    assert_success(code_constants_set(constants, 1, 8, blob + at));
    assert_value(constants, 1, blob + at, 8);
  }
  code_constants_free(constants);
}

TEST(constants_of_one_id_are_set_together) {
  module m;
  module_begin(&m);
  module_types(&m);
  for (uint32_t i = 0; i < 3; i++)
    module_op(&m, OP_DECORATE, ID_FREE + i, SPEC_ID, 5);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_F32, ID_FREE + 2, 11);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE, 12);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE + 1, 13);
  code_constants *constants = read_and_free(&m);
  assert_int_equal(get(constants, 5).default_value[0], 11);
  assert_success(set_uint32(constants, 5, 9));
  assert_uint32(constants, 5, 9);
  assert_failure(set_uint32(constants, 6, 9), PI_ERROR_INVALID_SPEC_ID,
                 "the module declares no constant with id 6 (it has 1: 5)");
  code_constants_free(constants);
}

TEST(different_sizes_of_one_id_cannot_be_set) {
  module m;
  module_begin(&m);
  module_types(&m);
  module_constant(&m, 4, TYPE_U32, 1);
  for (uint32_t i = 1; i <= 3; i++)
    module_op(&m, OP_DECORATE, ID_FREE + 10 + i, SPEC_ID, 5);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE + 11, 1);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U16, ID_FREE + 12, 1);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE + 13, 1);
  code_constants *constants = read_and_free(&m);
  assert_failure(set_uint32(constants, 5, 9), PI_ERROR_INVALID_VALUE,
                 "constant 5 cannot be set: constants of different sizes share the id");
  const uint16_t two = 2;
  assert_failure(code_constants_set(constants, 5, 2, &two), PI_ERROR_INVALID_VALUE,
                 "constant 5 cannot be set: constants of different sizes share the id");
  assert_unset(constants, 5);
  assert_int_equal(get(constants, 5).size, 0);
  assert_success(set_uint32(constants, 4, 9));
  code_constants_free(constants);
}

/* If a boolean and a one-byte number share an id, the byte is stored unchanged for the number. */
TEST(a_byte_that_shares_a_booleans_id_stays_whole) {
  for (int number_first = 0; number_first < 2; number_first++) {
    module m;
    module_begin(&m);
    module_types(&m);
    module_op(&m, OP_DECORATE, ID_FREE, SPEC_ID, 5);
    module_op(&m, OP_DECORATE, ID_FREE + 1, SPEC_ID, 5);
    if (number_first)
      module_op(&m, OP_SPEC_CONSTANT, TYPE_U8, ID_FREE, 1);
    module_op(&m, OP_SPEC_CONSTANT_TRUE, TYPE_BOOL, ID_FREE + 1);
    if (!number_first)
      module_op(&m, OP_SPEC_CONSTANT, TYPE_U8, ID_FREE, 1);
    code_constants *constants = read_and_free(&m);
    const unsigned char value = 0x42;
    assert_success(code_constants_set(constants, 5, 1, &value));
    assert_value(constants, 5, &value, 1);
    code_constants_free(constants);
  }
}

TEST(an_unknown_type_cannot_be_set) {
  module m;
  module_begin(&m);
  module_types(&m);
  module_constant(&m, 3, TYPE_U24, 1);
  module_constant(&m, 4, 900 /* no such type */, 1);
  code_constants *constants = read_and_free(&m);
  assert_failure(set_uint32(constants, 3, 1), PI_ERROR_INVALID_VALUE,
                 "constant 3 cannot be set: it is neither a boolean nor a number of 8, 16, 32 or "
                 "64 bits");
  assert_failure(set_uint32(constants, 4, 1), PI_ERROR_INVALID_VALUE,
                 "constant 4 cannot be set: it is neither a boolean nor a number of 8, 16, 32 or "
                 "64 bits");
  code_constants_free(constants);
}

TEST(the_padding_id_is_unknown) {
  code_constants *constants = three();
  assert_failure(set_uint32(constants, PI_SPEC_ID_PADDING, 1), PI_ERROR_INVALID_SPEC_ID,
                 "the module declares no constant with id 4294967295 (it has 3: 0, 1, 7)");
  code_constants_free(constants);
}

TEST(the_itt_id_is_ignored_where_it_is_absent) {
  code_constants *constants = three();
  const unsigned char one = 1;
  assert_success(code_constants_set(constants, PI_SPEC_ID_ITT, 1, &one));
  const char *sentence;
  assert_int_equal(plugin_error_last(&sentence), PI_SUCCESS);
  assert_string_equal(sentence,
                      "constant 4285822057 asks for ITT annotations, the module has none: ignored");
  assert_unset(constants, 0);
  assert_unset(constants, 1);
  assert_unset(constants, 7);
  code_constants_free(constants);

  module m;
  module_begin(&m);
  module_types(&m);
  module_op(&m, OP_DECORATE, ID_FREE, SPEC_ID, PI_SPEC_ID_ITT);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U8, ID_FREE, 0);
  constants = read_and_free(&m);
  assert_success(code_constants_set(constants, PI_SPEC_ID_ITT, 1, &one));
  assert_value(constants, PI_SPEC_ID_ITT, &one, 1);
  assert_failure(code_constants_set(constants, PI_SPEC_ID_ITT, 0, &one), PI_ERROR_INVALID_VALUE,
                 "constant 4285822057 takes 1 byte, 0 given");
  code_constants_free(constants);
}

TEST(the_first_and_the_last_id_are_set) {
  module m;
  module_begin(&m);
  module_types(&m);
  module_op(&m, OP_DECORATE, ID_FREE, SPEC_ID, UINT32_MAX);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE, 1);
  module_op(&m, OP_DECORATE, ID_FREE + 1, SPEC_ID, 0);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE + 1, 1);
  code_constants *constants = read_and_free(&m);
  assert_success(set_uint32(constants, 0, 10));
  assert_success(set_uint32(constants, UINT32_MAX, 20));
  assert_uint32(constants, 0, 10);
  assert_uint32(constants, UINT32_MAX, 20);
  code_constants_free(constants);
}

/* Reading of modules: compiled, unusual, damaged and large ones. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "check.h"
#include "module.h"

#include "../../plugins/code/constants.h"
#include "../support/embed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

SPECPI_EMBED(constants_spv, "constants.spv")

/* Lists the module's declarations; the caller frees the list. */
static code_constant *declared(const void *il, size_t length, size_t *count) {
  code_constants *constants = NULL;
  code_constant *all;
  assert_success(code_constants_read(il, length, &constants));
  assert_success(code_constants_snapshot(constants, &all, count));
  code_constants_free(constants);
  return all;
}

static code_constant *declared_in(module *m, size_t *count) {
  code_constant *all = declared(m->words, module_bytes(m), count);
  module_free(m);
  return all;
}

/* Asserts that reading fails with this message and does not change the output. */
static void assert_refused(const void *il, size_t length, const char *sentence) {
  code_constants *const untouched = (code_constants *)&untouched;
  code_constants *constants = untouched;
  assert_failure(code_constants_read(il, length, &constants), PI_ERROR_INVALID_VALUE, sentence);
  assert_ptr_equal(constants, untouched);
}

static void assert_constant(const code_constant *constant, pi_uint32 id, pi_uint32 size,
                            code_constant_kind kind, uint64_t default_value) {
  uint64_t bits;
  memcpy(&bits, constant->default_value, sizeof bits);
  assert_int_equal(constant->id, id);
  assert_int_equal(constant->size, size);
  assert_int_equal(constant->kind, kind);
  assert_int_equal(bits, default_value);
  assert_false(constant->is_set);
}

/* A module made by clang and llvm-spirv, with one constant of each type. */
TEST(a_compiled_module_is_read) {
  size_t count;
  code_constant *all = declared(constants_spv_begin, SPECPI_EMBED_SIZE(constants_spv), &count);
  assert_int_equal(count, 8);
  assert_constant(&all[0], 1, 1, CODE_CONSTANT_NUMBER, 0xf4); /* -12 */
  assert_constant(&all[1], 2, 2, CODE_CONSTANT_NUMBER, 1234);
  assert_constant(&all[2], 3, 4, CODE_CONSTANT_NUMBER, 0xffffffff); /* -1 */
  assert_constant(&all[3], 4, 8, CODE_CONSTANT_NUMBER, UINT64_C(0x123456789abcdef));
  assert_constant(&all[4], 5, 4, CODE_CONSTANT_NUMBER, 0x3fc00000);                   /* 1.5f */
  assert_constant(&all[5], 6, 8, CODE_CONSTANT_NUMBER, UINT64_C(0xc00d99999999999a)); /* -3.7 */
  assert_constant(&all[6], 7, 1, CODE_CONSTANT_BOOLEAN, 1);
  assert_constant(&all[7], 1000, 4, CODE_CONSTANT_NUMBER, 160);
  free(all);
}

/* A module may be at any address. */
TEST(an_unaligned_module_is_read) {
  const size_t length = SPECPI_EMBED_SIZE(constants_spv);
  for (size_t at = 1; at < 4; at++) {
    unsigned char *copy = malloc(length + at);
    assert_non_null(copy);
    memcpy(copy + at, constants_spv_begin, length);
    size_t count;
    free(declared(copy + at, length, &count));
    assert_int_equal(count, 8);
    free(copy);
  }
}

/* SPIR-V stores a narrow default sign-extended to 32 bits; the store takes only its own bytes. */
TEST(narrow_defaults_are_read) {
  module m;
  module_begin(&m);
  module_types(&m);
  module_constant(&m, 0, TYPE_U8, 0xfffffff4);
  module_constant(&m, 1, TYPE_U16, 0xffff8000);
  module_constant(&m, 2, TYPE_BOOL, 0);
  module_constant(&m, 3, TYPE_BOOL, 1);
  module_constant(&m, 4, TYPE_F16, 0x3c00);
  size_t count;
  code_constant *all = declared_in(&m, &count);
  assert_int_equal(count, 5);
  assert_constant(&all[0], 0, 1, CODE_CONSTANT_NUMBER, 0xf4);
  assert_constant(&all[1], 1, 2, CODE_CONSTANT_NUMBER, 0x8000);
  assert_constant(&all[2], 2, 1, CODE_CONSTANT_BOOLEAN, 0);
  assert_constant(&all[3], 3, 1, CODE_CONSTANT_BOOLEAN, 1);
  assert_constant(&all[4], 4, 2, CODE_CONSTANT_NUMBER, 0x3c00);
  free(all);
}

TEST(no_order_is_needed) {
  module m;
  module_begin(&m);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE, 5);
  module_types(&m);
  module_op(&m, OP_DECORATE, ID_FREE, SPEC_ID, 9);
  size_t count;
  code_constant *all = declared_in(&m, &count);
  assert_int_equal(count, 1);
  assert_constant(&all[0], 9, 4, CODE_CONSTANT_NUMBER, 5);
  free(all);
}

TEST(ids_of_decoration_groups_are_read) {
  module m;
  module_begin(&m);
  const uint32_t group = ID_FREE + 50;
  module_op(&m, OP_DECORATE, group, SPEC_ID, 8);
  module_op(&m, OP_DECORATION_GROUP, group);
  module_op(&m, OP_GROUP_DECORATE, group, ID_FREE, ID_FREE + 1);
  /* A group without a SpecId, and an undeclared group. */
  module_op(&m, OP_DECORATION_GROUP, group + 1);
  module_op(&m, OP_GROUP_DECORATE, group + 1, ID_FREE + 2);
  module_op(&m, OP_GROUP_DECORATE, group + 2, ID_FREE + 2);
  module_op(&m, OP_GROUP_DECORATE, group);
  module_types(&m);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE, 70);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_F32, ID_FREE + 1, 71);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U64, ID_FREE + 2, 72, 0);
  size_t count;
  code_constant *all = declared_in(&m, &count);
  assert_int_equal(count, 1);
  assert_constant(&all[0], 8, 4, CODE_CONSTANT_NUMBER, 70);
  free(all);
}

/* SpecId declares nothing on any other instruction than a scalar specialization constant. */
TEST(a_misplaced_spec_id_declares_nothing) {
  module m;
  module_begin(&m);
  for (uint32_t i = 0; i < 4; i++)
    module_op(&m, OP_DECORATE, ID_FREE + i, SPEC_ID, 30 + i);
  module_op(&m, OP_DECORATE, 0xffffffff, SPEC_ID, 40); /* an undefined target */
  module_op(&m, OP_DECORATE, ID_FREE + 5, 2 /* another decoration */);
  module_types(&m);
  module_op(&m, OP_CONSTANT, TYPE_U32, ID_FREE, 1);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE + 5, 1);
  module_op(&m, OP_SPEC_CONSTANT_OP, TYPE_U32, ID_FREE + 1, 128, ID_FREE + 5, ID_FREE);
  module_op(&m, OP_SPEC_CONSTANT_COMPOSITE, TYPE_U32, ID_FREE + 2, ID_FREE + 5, ID_FREE + 5);
  module_op(&m, OP_TYPE_INT, ID_FREE + 3, 32, 1);
  size_t count;
  code_constant *all = declared_in(&m, &count);
  assert_int_equal(count, 0);
  assert_null(all);
}

/* OpSpecConstantTrue of an integer type, and OpSpecConstant of the boolean type. */
TEST(constants_of_a_wrong_type_are_of_kind_other) {
  module m;
  module_begin(&m);
  module_types(&m);
  module_op(&m, OP_DECORATE, ID_FREE, SPEC_ID, 1);
  module_op(&m, OP_DECORATE, ID_FREE + 1, SPEC_ID, 2);
  module_op(&m, OP_SPEC_CONSTANT_TRUE, TYPE_U32, ID_FREE);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_BOOL, ID_FREE + 1, 1);
  module_op(&m, OP_DECORATE, ID_FREE + 2, SPEC_ID, 3);
  module_op(&m, OP_SPEC_CONSTANT_TRUE, TYPE_U32, ID_FREE + 2, 7 /* a superfluous operand */);
  size_t count;
  code_constant *all = declared_in(&m, &count);
  assert_int_equal(count, 3);
  assert_constant(&all[0], 1, 0, CODE_CONSTANT_OTHER, 0);
  assert_constant(&all[1], 2, 0, CODE_CONSTANT_OTHER, 0);
  assert_constant(&all[2], 3, 0, CODE_CONSTANT_OTHER, 0);
  free(all);
}

/* Places are sorted by id, and for one id by their order in the module. */
TEST(places_are_sorted_by_id) {
  module m;
  module_begin(&m);
  module_op(&m, OP_DECORATE, ID_FREE, SPEC_ID, 9);
  module_op(&m, OP_DECORATE, ID_FREE + 1, SPEC_ID, 3);
  module_op(&m, OP_DECORATE, ID_FREE + 2, SPEC_ID, 9);
  code_constant_place *places = NULL;
  size_t count = 7;
  assert_int_equal(code_constants_find(m.words, m.count * 4, &places, &count), PI_SUCCESS);
  assert_int_equal(count, 0);
  free(places);
  module_types(&m);
  const size_t first = m.count;
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE, 1);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U64, ID_FREE + 1, 2, 0);
  module_op(&m, OP_SPEC_CONSTANT_TRUE, TYPE_BOOL, ID_FREE + 2);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE + 3, 1);
  assert_int_equal(code_constants_find(m.words, m.count * 4, &places, &count), PI_SUCCESS);
  assert_int_equal(count, 3);
  assert_int_equal(places[0].id, 3);
  assert_int_equal(places[0].position, first + 4);
  assert_int_equal(places[1].id, 9);
  assert_int_equal(places[1].position, first);
  assert_int_equal(places[2].id, 9);
  assert_int_equal(places[2].position, first + 9);
  free(places);
  places = NULL;
  assert_int_equal(code_constants_find(m.words, m.count * 4 - 4, &places, &count),
                   PI_ERROR_INVALID_VALUE);
  assert_null(places);
  module_free(&m);
}

TEST(the_first_of_several_ids_counts) {
  module m;
  module_begin(&m);
  module_types(&m);
  module_op(&m, OP_DECORATE, ID_FREE, SPEC_ID, 9);
  module_op(&m, OP_DECORATE, ID_FREE, SPEC_ID, 3);
  module_op(&m, OP_DECORATE, ID_FREE + 1, SPEC_ID, 4);
  module_op(&m, OP_GROUP_DECORATE, ID_FREE + 1, ID_FREE);
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE, 5);
  size_t count;
  code_constant *all = declared_in(&m, &count);
  assert_int_equal(count, 1);
  assert_int_equal(all[0].id, 9);
  free(all);
}

/* The kind does not depend on the order in which constants of one id appear. */
TEST(the_kind_of_a_shared_id_ignores_the_order) {
  const uint32_t types[] = {TYPE_U32, TYPE_U16, TYPE_U24};
  for (uint32_t i = 0; i < 3; i++)
    for (uint32_t j = 0; j < 3; j++) {
      module m;
      module_begin(&m);
      module_types(&m);
      module_op(&m, OP_DECORATE, ID_FREE, SPEC_ID, 1);
      module_op(&m, OP_DECORATE, ID_FREE + 1, SPEC_ID, 1);
      module_op(&m, OP_SPEC_CONSTANT, types[i], ID_FREE, 1);
      module_op(&m, OP_SPEC_CONSTANT, types[j], ID_FREE + 1, 1);
      size_t count;
      code_constant *all = declared_in(&m, &count);
      assert_int_equal(count, 1);
      const bool odd = i == 2 || j == 2;
      assert_int_equal(all[0].kind, odd      ? CODE_CONSTANT_OTHER
                                    : i == j ? CODE_CONSTANT_NUMBER
                                             : CODE_CONSTANT_MIXED);
      assert_int_equal(all[0].size, odd || i != j ? 0 : i == 0 ? 4 : 2);
      free(all);
    }
}

TEST(damaged_headers_are_refused) {
  const uint32_t good[] = {0x07230203, 0x00010000, 0, 1, 0, 0x00010000};
  assert_refused(NULL, 20, "the SPIR-V module is NULL");
  assert_refused(good, 0, "the SPIR-V module has 0 bytes, its header alone takes 20");
  assert_refused(good, 19, "the SPIR-V module has 19 bytes, its header alone takes 20");
  for (size_t odd = 21; odd < 24; odd++) {
    char sentence[80];
    snprintf(sentence, sizeof sentence, "the SPIR-V module has %zu bytes, not a multiple of 4",
             odd);
    assert_refused(good, odd, sentence);
  }
  size_t count;
  assert_null(declared(good, 20, &count));
  assert_null(declared(good, 24, &count));

  const uint32_t swapped[] = {0x03022307, 0x00000100, 0, 0x01000000, 0};
  assert_refused(swapped, sizeof swapped,
                 "the SPIR-V module is big-endian, only little-endian ones are read");
  const char bitcode[24] = "BC\xc0\xde and so on";
  assert_refused(bitcode, sizeof bitcode,
                 "not a SPIR-V module: it begins with 0xdec04342, not 0x07230203");
}

TEST(damaged_instructions_are_refused) {
  module m;
  module_begin(&m);
  module_op(&m, OP_CAPABILITY, 6);
  module_word(&m, OP_NOP);
  assert_refused(m.words, module_bytes(&m),
                 "damaged SPIR-V module: the instruction at word 7 has a length of 0");
  m.words[7] = 2u << 16;
  assert_refused(m.words, module_bytes(&m),
                 "damaged SPIR-V module: the instruction at word 7 has 2 words, the module ends "
                 "after 1");
  m.words[7] = 0xffffu << 16;
  assert_refused(m.words, module_bytes(&m),
                 "damaged SPIR-V module: the instruction at word 7 has 65535 words, the module "
                 "ends after 1");
  module_free(&m);
}

/* Each instruction that the reader decodes, with one operand too few. */
TEST(too_few_operands_are_refused) {
  const struct {
    uint32_t opcode, words;
  } rows[] = {
      {OP_TYPE_BOOL, 2},      {OP_TYPE_INT, 3},
      {OP_TYPE_FLOAT, 3},     {OP_DECORATE, 3},
      {OP_GROUP_DECORATE, 2}, {OP_SPEC_CONSTANT_TRUE, 3},
      {OP_SPEC_CONSTANT, 4},  {OP_SPEC_CONSTANT_FALSE, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    module m;
    module_begin(&m);
    const uint32_t operands[] = {1, 2, 3, 4};
    module_emit(&m, rows[i].opcode, operands, rows[i].words - 2);
    char sentence[160];
    snprintf(sentence, sizeof sentence,
             "damaged SPIR-V module: the instruction at word 5 (opcode %u) has %u words, it needs "
             "%u",
             rows[i].opcode, rows[i].words - 1, rows[i].words);
    assert_refused(m.words, module_bytes(&m), sentence);
    module_free(&m);
  }
  module m;
  module_begin(&m);
  module_op(&m, OP_DECORATE, ID_FREE, SPEC_ID);
  assert_refused(m.words, module_bytes(&m),
                 "damaged SPIR-V module: the instruction at word 5 (opcode 71) has 3 words, it "
                 "needs 4");
  module_free(&m);

  module_begin(&m);
  module_types(&m);
  module_op(&m, OP_DECORATE, ID_FREE, SPEC_ID, 6);
  const size_t position = m.count;
  module_op(&m, OP_SPEC_CONSTANT, TYPE_U64, ID_FREE, 1);
  char sentence[160];
  snprintf(sentence, sizeof sentence,
           "damaged SPIR-V module: constant 6 at word %zu has 4 bytes, its type 8", position);
  assert_refused(m.words, module_bytes(&m), sentence);
  module_free(&m);
}

/* A truncated module is refused or has fewer constants; it is never read past its end. */
TEST(truncated_modules_are_read_safely) {
  const size_t whole = SPECPI_EMBED_SIZE(constants_spv);
  size_t refused = 0;
  for (size_t length = 0; length < whole; length++) {
    unsigned char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy + 1, constants_spv_begin, length);
    code_constants *constants = NULL;
    const pi_result result = code_constants_read(copy + 1, length, &constants);
    if (result == PI_SUCCESS) {
      assert_int_equal(length % 4, 0);
      assert_true(length >= 20);
    } else {
      assert_int_equal(result, PI_ERROR_INVALID_VALUE);
      assert_null(constants);
      refused++;
    }
    code_constants_free(constants);
    free(copy);
  }
  assert_true(refused >= whole - whole / 4);
}

/* Returns the CPU time of reading `count` constants and setting them all, best of three runs. */
static double seconds_for(uint32_t count) {
  module m;
  module_many(&m, count, 7, 3);
  double best = 1e9;
  for (int run = 0; run < 3; run++) {
    struct timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    code_constants *constants = NULL;
    assert_success(code_constants_read(m.words, module_bytes(&m), &constants));
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t value = ~i;
      assert_int_equal(code_constants_set(constants, 7 + 3 * i, sizeof value, &value), PI_SUCCESS);
    }
    code_constant *all;
    size_t number;
    assert_success(code_constants_snapshot(constants, &all, &number));
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    const double seconds =
        (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    best = seconds < best ? seconds : best;

    assert_int_equal(number, count);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t value;
      memcpy(&value, all[i].value, sizeof value);
      if (all[i].id != 7 + 3 * i || !all[i].is_set || value != ~i ||
          all[i].default_value[0] != (i & 0xff))
        fail_msg("constant number %u of %u is wrong", i, count);
    }
    free(all);
    code_constants_free(constants);
  }
  module_free(&m);
  return best;
}

/* 16 times as many constants take about 20 times as long; a quadratic algorithm would take 256. */
TEST(the_time_is_not_quadratic) {
  const double few = seconds_for(4096);
  const double many = seconds_for(65536);
  print_message("4096: %.3f ms, 65536: %.3f ms\n", few * 1e3, many * 1e3);
  assert_true(many < few * 100);
}

/* A group with many ids and many targets takes no quadratic time or memory. */
TEST(a_large_group_is_not_multiplied_out) {
  enum { COUNT = 30000 };
  module m;
  module_begin(&m);
  const uint32_t group = ID_FREE + COUNT;
  for (uint32_t i = 0; i < COUNT; i++)
    module_op(&m, OP_DECORATE, group, SPEC_ID, i);
  module_word(&m, (COUNT + 2u) << 16 | OP_GROUP_DECORATE);
  module_word(&m, group);
  for (uint32_t i = 0; i < COUNT; i++)
    module_word(&m, ID_FREE + i);
  module_types(&m);
  for (uint32_t i = 0; i < COUNT; i++)
    module_op(&m, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE + i, i);
  size_t count;
  code_constant *all = declared_in(&m, &count);
  assert_int_equal(count, 1);
  assert_constant(&all[0], 0, 4, CODE_CONSTANT_NUMBER, 0);
  free(all);
}

/* The fake Level Zero driver's SPIR-V reader, with good and bad modules. It needs no device. */
#include "../reflect.h"
#include "../../../test/support/embed.h"
#include "../../../test/support/tests.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

SPECPI_EMBED(groups_il, "groups.spv")
SPECPI_EMBED(code_il, "code.spv")

static void expect_refused(const void *il, size_t size, const char *words) {
  fake_reflection reflection = {0};
  char message[256] = "";
  assert_false(fake_reflect(il, size, &reflection, message, sizeof message));
  assert_null(reflection.entries);
  if (!strstr(message, words))
    fail_msg("no \"%s\" in \"%s\"", words, message);
}

TEST(spec_constants_are_read_with_their_sizes) {
  fake_reflection read;
  char message[256];
  assert_true(
      fake_reflect(groups_il_begin, SPECPI_EMBED_SIZE(groups_il), &read, message, sizeof message));
  /* Ids 3, 7 (shared by two constants) and the largest. A SpecId on another object does not count.
   */
  assert_int_equal(read.constant_count, 3);
  assert_false(fake_reflection_constant(&read, 7)->is_mixed);
  assert_int_equal(fake_reflection_constant(&read, 3)->size, 1);
  assert_int_equal(fake_reflection_constant(&read, 7)->size, 4);
  assert_int_equal(fake_reflection_constant(&read, UINT32_MAX)->size, 8);
  assert_null(fake_reflection_constant(&read, 5));
  assert_null(fake_reflection_constant(&read, 0));
  fake_reflection_end(&read);
}

TEST(arguments_are_read_with_kind_and_size) {
  fake_reflection read;
  char message[256];
  assert_true(
      fake_reflect(groups_il_begin, SPECPI_EMBED_SIZE(groups_il), &read, message, sizeof message));
  assert_int_equal(read.entry_count, 2);
  assert_string_equal(read.entries[0].name, "second");
  const fake_entry *first = fake_reflection_entry(&read, "first");
  assert_ptr_equal(first, &read.entries[1]);
  assert_null(fake_reflection_entry(&read, "third"));
  static const fake_argument expected[] = {
      {.kind = FAKE_ARGUMENT_BUFFER, .size = 8},
      {.kind = FAKE_ARGUMENT_BUFFER, .size = 8},
      {.kind = FAKE_ARGUMENT_LOCAL},
      {.kind = FAKE_ARGUMENT_IMAGE, .size = 8, .dimensions = 2, .is_array = true},
      {.kind = FAKE_ARGUMENT_IMAGE, .size = 8, .dimensions = 3, .is_written = true},
      {.kind = FAKE_ARGUMENT_SAMPLER, .size = 8},
      /* char, short at 2, uint3 (16 bytes) at 16, 3 chars, 12 packed bytes, bool: 48 bytes. */
      {.kind = FAKE_ARGUMENT_VALUE, .size = 48},
      {.kind = FAKE_ARGUMENT_VALUE, .size = 16},
      {.kind = FAKE_ARGUMENT_VALUE, .size = 8},
      {.kind = FAKE_ARGUMENT_VALUE, .size = 1},
      {.kind = FAKE_ARGUMENT_VALUE, .size = 12},
  };
  assert_int_equal(first->argument_count, sizeof expected / sizeof expected[0]);
  for (size_t i = 0; i < first->argument_count; i++) {
    assert_int_equal(first->arguments[i].kind, expected[i].kind);
    assert_int_equal(first->arguments[i].size, expected[i].size);
    assert_int_equal(first->arguments[i].dimensions, expected[i].dimensions);
    assert_int_equal(first->arguments[i].is_array, expected[i].is_array);
    assert_int_equal(first->arguments[i].is_written, expected[i].is_written);
  }
  fake_reflection_end(&read);
}

TEST(symbols_are_read_and_functions_kept) {
  fake_reflection read;
  char message[256];
  assert_true(
      fake_reflect(groups_il_begin, SPECPI_EMBED_SIZE(groups_il), &read, message, sizeof message));
  static const fake_symbol expected[] = {
      {.name = "function", .is_function = true},
      {.name = "missing", .is_function = true, .is_import = true},
      {.name = "variable"},
      {.name = "first", .is_function = true, .is_kernel = true},
  };
  assert_int_equal(read.symbol_count, 4); /* built-in values do not count */
  for (size_t i = 0; i < 4; i++) {
    assert_string_equal(read.symbols[i].name, expected[i].name);
    assert_int_equal(read.symbols[i].is_function, expected[i].is_function);
    assert_int_equal(read.symbols[i].is_import, expected[i].is_import);
    assert_int_equal(read.symbols[i].is_kernel, expected[i].is_kernel);
  }
  /* The copy marks the one defined function that is no kernel, and is a valid module. */
  size_t size = 0;
  void *copy =
      fake_reflection_keep_functions(&read, groups_il_begin, SPECPI_EMBED_SIZE(groups_il), &size);
  assert_non_null(copy);
  assert_int_equal(size, SPECPI_EMBED_SIZE(groups_il) + 4 * (2 + 8 + 3));
  fake_reflection again;
  assert_true(fake_reflect(copy, size, &again, message, sizeof message));
  assert_int_equal(again.symbol_count, read.symbol_count);
  fake_reflection_end(&again);
  fake_reflection_end(&read);
  free(copy);
}

/* Makes a module from a header and words. */
static size_t put_module(uint32_t *module, const uint32_t *words, size_t count, uint32_t bound) {
  const uint32_t header[5] = {0x07230203, 0x00010000, 0, bound, 0};
  memcpy(module, header, sizeof header);
  if (count != 0)
    memcpy(module + 5, words, count * 4);
  return (5 + count) * 4;
}

#define INSTRUCTION(opcode, words) ((uint32_t)(words) << 16 | (opcode))
#define NAME_K 'k'

static void expect_words_refused(const uint32_t *words, size_t count, const char *message) {
  uint32_t *module = malloc((5 + count) * 4);
  expect_refused(module, put_module(module, words, count, 16), message);
  free(module);
}
#define expect_words(message, ...)                                                                 \
  expect_words_refused((const uint32_t[]){__VA_ARGS__},                                            \
                       sizeof((const uint32_t[]){__VA_ARGS__}) / 4, message)

TEST(malformed_modules_are_refused) {
  uint32_t module[8] = {0};
  expect_refused(NULL, 0, "no SPIR-V");
  expect_refused(module, 16, "no SPIR-V");
  expect_refused(module, 20, "magic");
  put_module(module, NULL, 0, 0);
  expect_refused(module, 21, "no SPIR-V");
  expect_refused(module, 20, "a bound of 0");
  put_module(module, NULL, 0, UINT32_MAX);
  expect_refused(module, 20, "a bound of 4294967295");
  expect_words("has 0 words", INSTRUCTION(19, 0));
  expect_words("has 3 words of 2", INSTRUCTION(21, 3), 1);
  expect_words("too short", INSTRUCTION(21, 1));
  expect_words("beyond the bound", INSTRUCTION(19, 2), 16);
  expect_words("beyond the bound", INSTRUCTION(19, 2), 0);
  expect_words("there already", INSTRUCTION(19, 2), 1, INSTRUCTION(20, 2), 1);
  expect_words("without a name", INSTRUCTION(15, 4), 6, 1, 0x61616161);
  expect_words("without a name", INSTRUCTION(15, 3), 6, 1);
  expect_words("is no function", INSTRUCTION(15, 4), 6, 1, NAME_K);
  expect_words("is no function", INSTRUCTION(15, 4), 6, 99, NAME_K);
  expect_words("a decoration", INSTRUCTION(71, 2), 1);
  expect_words("a decoration", INSTRUCTION(71, 3), 99, 1);
  expect_words("a SpecId", INSTRUCTION(71, 3), 1, 1);
  expect_words("without a name", INSTRUCTION(71, 4), 1, 41, 0x61616161);
  expect_words("without a name", INSTRUCTION(71, 4), 1, 41, NAME_K);
  /* Bad kernels: two of one name, a parameter without a type, a parameter of a recursive type. */
  expect_words("two kernels", INSTRUCTION(15, 4), 6, 3, NAME_K, INSTRUCTION(15, 4), 6, 3, NAME_K,
               INSTRUCTION(19, 2), 1, INSTRUCTION(54, 5), 1, 3, 0, 2);
  expect_words("is not there", INSTRUCTION(15, 4), 6, 3, NAME_K, INSTRUCTION(54, 5), 1, 3, 0, 2,
               INSTRUCTION(55, 3), 9, 4);
  expect_words("no end", INSTRUCTION(15, 4), 6, 3, NAME_K, INSTRUCTION(30, 3), 9, 9,
               INSTRUCTION(54, 5), 1, 3, 0, 2, INSTRUCTION(55, 3), 9, 4);
  expect_words("no type that a kernel takes", INSTRUCTION(15, 4), 6, 3, NAME_K, INSTRUCTION(19, 2),
               9, INSTRUCTION(54, 5), 1, 3, 0, 2, INSTRUCTION(55, 3), 9, 4);
  expect_words("no kernel takes pointers", INSTRUCTION(15, 4), 6, 3, NAME_K, INSTRUCTION(32, 4), 9,
               1, 9, INSTRUCTION(54, 5), 1, 3, 0, 2, INSTRUCTION(55, 3), 9, 4);
  expect_words("no plain constant", INSTRUCTION(15, 4), 6, 3, NAME_K, INSTRUCTION(21, 4), 8, 32, 0,
               INSTRUCTION(28, 4), 9, 8, 7, INSTRUCTION(54, 5), 1, 3, 0, 2, INSTRUCTION(55, 3), 9,
               4);
  expect_words("larger than", INSTRUCTION(15, 4), 6, 3, NAME_K, INSTRUCTION(21, 4), 8, 32, 0,
               INSTRUCTION(43, 5), 8, 7, UINT32_MAX, UINT32_MAX, INSTRUCTION(28, 4), 9, 8, 7,
               INSTRUCTION(54, 5), 1, 3, 0, 2, INSTRUCTION(55, 3), 9, 4);
}

/* Two constants of different sizes with one id: the id exists, but cannot be set. */
TEST(an_id_of_two_sizes_is_marked_as_mixed) {
  static const uint32_t words[] = {INSTRUCTION(71, 4),
                                   5,
                                   1,
                                   7,
                                   INSTRUCTION(71, 4),
                                   6,
                                   1,
                                   7,
                                   INSTRUCTION(21, 4),
                                   1,
                                   32,
                                   0,
                                   INSTRUCTION(21, 4),
                                   2,
                                   64,
                                   0,
                                   INSTRUCTION(50, 4),
                                   1,
                                   5,
                                   0,
                                   INSTRUCTION(50, 5),
                                   2,
                                   6,
                                   0,
                                   0};
  uint32_t module[5 + sizeof words / 4];
  fake_reflection read;
  char message[256];
  assert_true(fake_reflect(module, put_module(module, words, sizeof words / 4, 16), &read, message,
                           sizeof message));
  assert_int_equal(read.constant_count, 1);
  assert_true(fake_reflection_constant(&read, 7)->is_mixed);
  fake_reflection_end(&read);
}

/* Each struct has two members of the previous one, which makes 2 to the 60 members in all. */
TEST(deeply_nested_types_are_refused) {
  enum { LEVELS = 60 };
  uint32_t words[64 * 4 + 32];
  size_t at = 0;
  const uint32_t begin[] = {INSTRUCTION(15, 4), 6, 100, NAME_K, INSTRUCTION(30, 2), 1};
  memcpy(words, begin, sizeof begin);
  at += sizeof begin / 4;
  for (uint32_t i = 1; i < LEVELS; i++) {
    words[at++] = INSTRUCTION(30, 4);
    words[at++] = i + 1;
    words[at++] = i;
    words[at++] = i;
  }
  const uint32_t end[] = {INSTRUCTION(54, 5), 101, 100, 0, 102, INSTRUCTION(55, 3), LEVELS, 103};
  memcpy(words + at, end, sizeof end);
  at += sizeof end / 4;
  uint32_t *module = malloc((5 + at) * 4);
  expect_refused(module, put_module(module, words, at, 104), "no end");
  free(module);
}

/* Many kernels with one function, and many groups with many targets, need only linear space. */
TEST(shared_functions_and_groups_do_not_multiply) {
  enum { MANY = 20000 };
  uint32_t *words = malloc(MANY * 8 * 4);
  size_t at = 0;
  for (uint32_t i = 0; i < MANY; i++) {
    words[at++] = INSTRUCTION(15, 4);
    words[at++] = 6;
    words[at++] = 1;
    words[at++] = (0x21 + i % 90) | (0x21 + i / 90 % 90) << 8 | (0x21 + i / 8100) << 16;
  }
  words[at++] = INSTRUCTION(21, 4);
  words[at++] = 2;
  words[at++] = 32;
  words[at++] = 0;
  const uint32_t function[] = {INSTRUCTION(54, 5), 3, 1, 0, 4};
  memcpy(words + at, function, sizeof function);
  at += 5;
  for (uint32_t i = 0; i < MANY; i++) {
    words[at++] = INSTRUCTION(55, 3);
    words[at++] = 2;
    words[at++] = 10 + i;
  }
  uint32_t *module = malloc((5 + at) * 4);
  expect_refused(module, put_module(module, words, at, 10 + MANY), "more parameters");
  at = 0;
  for (uint32_t i = 0; i < MANY; i++) {
    words[at++] = INSTRUCTION(74, 4);
    words[at++] = 1;
    words[at++] = 2;
    words[at++] = 3;
  }
  fake_reflection read;
  char message[256];
  const clock_t begin = clock();
  assert_true(
      fake_reflect(module, put_module(module, words, at, 8), &read, message, sizeof message));
  assert_true(clock() - begin < 5 * CLOCKS_PER_SEC);
  fake_reflection_end(&read);
  free(module);
  free(words);
}

/* Damaged modules cause no out-of-bounds reads (AddressSanitizer) and no leaks. */
TEST(damaged_modules_cause_no_wrong_reads) {
  const size_t size = SPECPI_EMBED_SIZE(code_il);
  unsigned char *copy = malloc(size);
  uint32_t random = 12345;
  unsigned fine = 0;
  for (int round = 0; round < 4000; round++) {
    memcpy(copy, code_il_begin, size);
    random = random * 1664525 + 1013904223;
    const unsigned changes = 1 + (random >> 8) % 4;
    for (unsigned i = 0; i < changes; i++) {
      random = random * 1664525 + 1013904223;
      copy[20 + (random >> 4) % (size - 20)] ^= (unsigned char)(1U << (random & 7));
    }
    const size_t length = round % 4 == 0 ? size - (random >> 6) % size / 4 * 4 : size;
    unsigned char *exact = malloc(length);
    memcpy(exact, copy, length);
    fake_reflection read;
    char message[256];
    if (fake_reflect(exact, length, &read, message, sizeof message)) {
      size_t kept_size;
      free(fake_reflection_keep_functions(&read, exact, length, &kept_size));
      fake_reflection_end(&read);
      fine++;
    }
    free(exact);
  }
  assert_true(fine != 0 && fine != 4000);
  free(copy);
}

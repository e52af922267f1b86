/* The small readers of plugins/base: digits, whole files, programs in PATH, and growing arrays. */
#define _GNU_SOURCE /* secure_getenv, mkdtemp */
#include "check.h"

#include "../../compiler/mangled.h"
#include "../../plugins/base/digits.h"
#include "../../plugins/base/program.h"
#include "../../plugins/base/read.h"

TEST(a_number_has_a_limit_and_a_digit) {
  static const struct {
    const char *text;
    uint64_t limit;
    bool is_number;
    uint64_t number;
  } rows[] = {{"0", 0, true, 0},
              {"007", 7, true, 7},
              {"4294967295", UINT32_MAX, true, UINT32_MAX},
              {"4294967296", UINT32_MAX, false, 0},
              {"18446744073709551615", UINT64_MAX, true, UINT64_MAX},
              {"18446744073709551616", UINT64_MAX, false, 0},
              {"99999999999999999999999", UINT64_MAX, false, 0},
              {"5", 4, false, 0},
              {"", 9, false, 0},
              {"-1", 9, false, 0},
              {"+1", 9, false, 0},
              {" 1", 9, false, 0},
              {"1 ", 9, false, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    uint64_t number = 77;
    assert_int_equal(digits_are(rows[i].text, rows[i].limit, &number), rows[i].is_number);
    assert_int_equal(number, rows[i].is_number ? rows[i].number : 77);
  }
}

TEST(reading_stops_after_the_digits_or_at_the_end) {
  const char *text = "123,45";
  const char *at = text;
  uint64_t number;
  assert_true(digits_read(&at, NULL, 1000, &number));
  assert_int_equal(number, 123);
  assert_ptr_equal(at, text + 3);
  at = text;
  assert_true(digits_read(&at, text + 2, 1000, &number));
  assert_int_equal(number, 12);
  assert_ptr_equal(at, text + 2);
  assert_false(digits_read(&at, at, 1000, &number));
}

TEST(bytes_are_pairs_of_digits) {
  const unsigned char bytes[] = {0x00, 0x1f, 0xa9};
  unsigned char read[3];
  char text[7] = "";
  digits_write_hex(bytes, 3, text);
  assert_string_equal(text, "001fa9");
  digits_write_word(bytes, 3, text);
  assert_string_equal(text, "a91f00");
  assert_true(digits_read_hex("001FA9", 3, read));
  assert_memory_equal(read, bytes, 3);
  assert_false(digits_read_hex("0g", 1, read));
  assert_false(digits_read_hex("@0", 1, read));
  assert_false(digits_read_hex("0", 1, read));
}

TEST(a_mangled_name_has_its_length_before_it) {
  size_t length;
  assert_string_equal(mangled_name("_Z3sind", &length), "sind");
  assert_int_equal(length, 3);
  static const char *const others[] = {"sin", "_Z", "_Zsin", "_Z0d", "_Z4sin", "_ZN3sin"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    assert_null(mangled_name(others[i], &length));
}

TEST(an_empty_array_gets_space_for_several_elements) {
  VECTOR(int) list = {0};
  assert_true(vector_reserve(&list.items, &list.capacity, 1, sizeof *list.items));
  assert_true(list.capacity >= 2);
  assert_true(VECTOR_EXTEND(&list, 1000));
  assert_true(list.capacity >= 1000);
  assert_false(VECTOR_EXTEND(&list, SIZE_MAX));
  free(list.items);
}

TEST(a_file_of_any_kind_is_read_whole) {
  size_t size = 7;
  char *text = read_file("/dev/null", &size);
  assert_string_equal(text, "");
  assert_int_equal(size, 0);
  free(text);
  assert_null(read_file("/no/such/file", &size));
  assert_int_equal(errno, ENOENT);
  assert_null(read_file("/", &size));
  assert_int_equal(errno, EISDIR);
}

TEST(a_directory_in_path_is_no_program) {
  char directory[] = "/tmp/specpi-digits-XXXXXX";
  char inside[64];
  assert_non_null(mkdtemp(directory));
  snprintf(inside, sizeof inside, "%s/sh", directory);
  assert_int_equal(mkdir(inside, 0700), 0);
  char path[128];
  snprintf(path, sizeof path, "%s::/bin", directory);
  assert_int_equal(setenv("PATH", path, 1), 0);
  char *found = program_find("sh");
  assert_string_equal(found, "/bin/sh");
  free(found);
  assert_null(program_find("no-such-program-here"));
  assert_int_equal(errno, ENOENT);
  assert_null(program_find(""));
  assert_null(program_find(inside));
  assert_int_equal(errno, EACCES);
  rmdir(inside);
  rmdir(directory);
}

/* The format of the cache's files. Each kind of damage is found. */
#include "cache_check.h"

#include "../../plugins/base/cache_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 24, PAYLOAD = 40, SIZE = CACHE_FILE_HEADER + KEY + PAYLOAD };

static cache_key_writer writer;
static cache_key key;
static unsigned char payload[PAYLOAD];
static unsigned char file[SIZE];

static int setup(void **state) {
  (void)state;
  key = number_key(&writer, 77, KEY);
  for (size_t i = 0; i < PAYLOAD; i++)
    payload[i] = (unsigned char)(3 * i + 1);
  assert_int_equal(cache_file_size(KEY, PAYLOAD), SIZE);
  cache_file_write(&key, payload, PAYLOAD, file);
  return 0;
}

/* Reads a copy of the bytes, in an allocation of exactly that size. */
static bool read_copy(const unsigned char *bytes, size_t size, const cache_key *of,
                      os_reason *reason) {
  unsigned char *copy = malloc(size ? size : 1);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  const void *found = NULL;
  size_t found_size = 0;
  reason->text[0] = '\0';
  const bool good = cache_file_read(copy, size, of, &found, &found_size, reason);
  if (good) {
    assert_int_equal(found_size, PAYLOAD);
    assert_memory_equal(found, payload, PAYLOAD);
  } else {
    assert_true(reason->text[0]);
    assert_null(found);
    assert_int_equal(found_size, 0);
  }
  free(copy);
  return good;
}

static void refused(const unsigned char *bytes, size_t size, const char *sentence) {
  os_reason reason;
  assert_false(read_copy(bytes, size, &key, &reason));
  assert_string_equal(reason.text, sentence);
}

TEST(reads_what_was_written) {
  os_reason reason;
  assert_true(read_copy(file, SIZE, &key, &reason));
}

TEST(an_empty_payload_is_read) {
  unsigned char small[CACHE_FILE_HEADER + KEY];
  cache_file_write(&key, NULL, 0, small);
  const void *found = NULL;
  size_t size = 99;
  os_reason reason;
  assert_true(cache_file_read(small, sizeof small, &key, &found, &size, &reason));
  assert_int_equal(size, 0);
}

TEST(every_truncation_is_refused) {
  os_reason reason;
  for (size_t size = 0; size < SIZE; size++)
    assert_false(read_copy(file, size, &key, &reason));
  refused(file, CACHE_FILE_HEADER - 1, "it is shorter than its header");
  refused(file, SIZE - 1, "it has 63 bytes after its header, which says 24 and 40");
}

TEST(a_longer_file_is_refused) {
  unsigned char more[SIZE + 1] = {0};
  memcpy(more, file, SIZE);
  refused(more, sizeof more, "it has 65 bytes after its header, which says 24 and 40");
}

TEST(every_flipped_bit_is_found) {
  os_reason reason;
  for (size_t bit = 0; bit < 8 * (size_t)SIZE; bit++) {
    file[bit / 8] ^= (unsigned char)(1u << bit % 8);
    assert_false(read_copy(file, SIZE, &key, &reason));
    file[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  assert_true(read_copy(file, SIZE, &key, &reason));
}

/* A file of another key is refused. The scope is not part of the file. */
TEST(files_of_other_keys_are_refused) {
  cache_key_writer other;
  cache_key another = number_key(&other, 78, KEY);
  os_reason reason;
  assert_false(read_copy(file, SIZE, &another, &reason));
  assert_string_equal(reason.text, "it belongs to another key");
  another = number_key(&other, 77, KEY + 1);
  assert_false(read_copy(file, SIZE, &another, &reason));
  another = key;
  another.scope = &other;
  assert_true(read_copy(file, SIZE, &another, &reason));
  /* Another key with the same hash, as an attacker could make it. */
  unsigned char bytes[KEY] = {1};
  another.bytes = bytes;
  assert_false(read_copy(file, SIZE, &another, &reason));
}

TEST(a_swapped_payload_is_refused) {
  cache_key_writer other;
  const cache_key another = number_key(&other, 78, KEY);
  unsigned char theirs[SIZE], mixed[SIZE];
  cache_file_write(&another, "another program with as many bytes as ours", PAYLOAD, theirs);
  memcpy(mixed, file, SIZE);
  memcpy(mixed + CACHE_FILE_HEADER + KEY, theirs + CACHE_FILE_HEADER + KEY, PAYLOAD);
  refused(mixed, SIZE, "its content is not what was written");
  /* The other file's header does not fit either. */
  memcpy(mixed, theirs, CACHE_FILE_HEADER);
  refused(mixed, SIZE, "its content is not what was written");
}

TEST(foreign_files_are_refused) {
  unsigned char changed[SIZE];
  memcpy(changed, file, SIZE);
  changed[8] = 1;
  refused(changed, SIZE, "it has version 1, not 2");
  memcpy(changed, file, SIZE);
  static const unsigned char elf[] = {0x7f, 'E', 'L', 'F'};
  memcpy(changed, elf, sizeof elf);
  refused(changed, SIZE, "it is not a file of this cache");
  /* Sizes whose sum overflows. */
  memcpy(changed, file, SIZE);
  memset(changed + 16, 0xff, 8);
  refused(changed, SIZE,
          "it has 64 bytes after its header, which says 18446744073709551615 and 40");
}

TEST(sizes_that_overflow_are_refused) {
  assert_int_equal(cache_file_size(SIZE_MAX, 0), 0);
  assert_int_equal(cache_file_size(0, SIZE_MAX), 0);
  assert_int_equal(cache_file_size(SIZE_MAX / 2, SIZE_MAX / 2 + 2), 0);
  assert_int_equal(cache_file_size(0, 0), CACHE_FILE_HEADER);
}

int main(void) {
  return tests_run(setup, NULL);
}

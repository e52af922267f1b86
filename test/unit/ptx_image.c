/*
 * Reading PTX images: facts in the trailer, refused trailers with their messages, and the text with
 * values. The last line of each trailer is correct, except in tests of that line.
 */
#include "check.h"
#include "memory.h"

#include "../../plugins/code/ptx_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT "mov.b32 %r1, 0x0000002a; //specpi:3\nmov.b16 %rs1, 0x01;\nmov.b32 %r2, 0x0000002a;\n"

/* Two constants (a scalar, and a structure with padding), three places, two kernels. */
#define HEAD "//!specpi 1 patch 2 3 16 3 2\n"
#define CONSTANTS                                                                                  \
  "//!specpi constant ra%20d%25 scalar 0 4 1\n"                                                    \
  "//!specpi leaf 3 0 4\n"                                                                         \
  "//!specpi constant pair composite 8 8 2\n"                                                      \
  "//!specpi leaf 7 0 1\n"                                                                         \
  "//!specpi leaf 4294967295 1 7\n"
#define BYTES "//!specpi bytes 2a000000000000000100000000000000\n"
#define PLACES                                                                                     \
  "//!specpi place 3 15 4\n"                                                                       \
  "//!specpi place 7 52 1\n"                                                                       \
  "//!specpi place 3 71 4\n"
#define KERNELS                                                                                    \
  "//!specpi kernel blur - 8 4 2\n"                                                                \
  "//!specpi kernel sum 2 0 0 0 0 65536\n"

enum { IMAGE_MAX = 4096 };

static uint64_t hash_of(const char *bytes, size_t size) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  return hash;
}

/* Makes an image, in an allocation of exactly its size. */
static char *make(const char *text, const char *lines, size_t *size) {
  char image[IMAGE_MAX];
  int length = snprintf(image, sizeof image, "%s%s//!specpi end %010zu %010zu ", text, lines,
                        strlen(text), strlen(lines) + 53);
  const uint64_t hash = hash_of(image, (size_t)length);
  length += snprintf(image + length, sizeof image - (size_t)length, "%016llx\n",
                     (unsigned long long)hash);
  char *copy = malloc((size_t)length);
  assert_non_null(copy);
  memcpy(copy, image, (size_t)length);
  *size = (size_t)length;
  return copy;
}

static ptx_image *read_lines(const char *text, const char *lines) {
  size_t size;
  char *bytes = make(text, lines, &size);
  ptx_image *image = NULL;
  assert_success(ptx_image_read(bytes, size, &image));
  free(bytes);
  return image;
}

TEST(says_what_the_trailer_says) {
  ptx_image *image = read_lines(TEXT, HEAD CONSTANTS BYTES PLACES KERNELS);
  assert_int_equal(image->mode, PTX_PATCH);
  assert_int_equal(image->text_size, strlen(TEXT));
  assert_int_equal(image->plain_size, image->text_size);
  assert_int_equal(image->constant_count, 2);
  assert_string_equal(image->constants[0].name, "ra d%");
  assert_string_equal(image->constants[1].name, "pair");
  assert_int_equal(image->constants[1].position, 8);
  assert_int_equal(image->constants[1].size, 8);
  assert_int_equal(image->constants[1].first_leaf, 1);
  assert_int_equal(image->constants[1].leaf_count, 1); /* padding is no leaf */
  assert_int_equal(image->leaf_count, 2);
  const ptx_image_leaf *leaf = ptx_image_find_leaf(image, 7);
  assert_ptr_equal(leaf, &image->leaves[1]);
  assert_int_equal(leaf->size, 1);
  assert_int_equal(leaf->at, 8);
  assert_null(ptx_image_find_leaf(image, 0));
  assert_null(ptx_image_find_leaf(image, 4));
  assert_null(ptx_image_find_leaf(image, 8));
  assert_null(ptx_image_find_leaf(image, PTX_NONE));
  assert_int_equal(image->default_size, 16);
  assert_int_equal(image->defaults[0], 42);
  assert_int_equal(image->defaults[8], 1);
  assert_int_equal(image->place_count, 3);
  assert_int_equal(image->kernel_count, 2);
  assert_string_equal(image->kernels[0].name, "blur");
  assert_int_equal(image->kernels[0].buffer_argument, PTX_NONE);
  assert_int_equal(image->kernels[0].required_size[0], 8);
  assert_int_equal(image->kernels[0].required_size[2], 2);
  assert_int_equal(image->kernels[0].local_memory, 0);
  assert_int_equal(image->kernels[1].buffer_argument, 2);
  assert_int_equal(image->kernels[1].local_memory, 65536);
  ptx_image_free(image);
  ptx_image_free(NULL);
}

TEST(writes_values_at_the_places) {
  ptx_image *image = read_lines(TEXT, HEAD CONSTANTS BYTES PLACES KERNELS);
  char *text = malloc(image->text_size + 1);
  ptx_image_write(image, TEXT, image->defaults, text);
  assert_string_equal(text, TEXT);
  const unsigned char values[16] = {0x78, 0x56, 0xf4, 0x7f, 1, 1, 1, 1, 0xff, 2, 2, 2, 2, 2, 2, 2};
  ptx_image_write(image, TEXT, values, text);
  assert_string_equal(text, "mov.b32 %r1, 0x7ff45678; //specpi:3\nmov.b16 %rs1, 0xff;\n"
                            "mov.b32 %r2, 0x7ff45678;\n");
  free(text);
  ptx_image_free(image);
}

TEST(a_buffer_needs_no_places) {
  ptx_image *image = read_lines(
      "", "//!specpi 1 emulate 1 2 33 0 0\n//!specpi constant c composite 0 33 2\n"
          "//!specpi leaf 0 0 33\n//!specpi leaf 4294967295 33 15\n"
          "//!specpi bytes 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n"
          "//!specpi bytes 20\n");
  assert_int_equal(image->mode, PTX_EMULATE);
  assert_int_equal(image->text_size, 0);
  assert_int_equal(image->leaf_count, 1);
  assert_int_equal(image->leaves[0].size, 33);
  for (unsigned char i = 0; i < 33; i++)
    assert_int_equal(image->defaults[i], i);
  ptx_image_free(image);
  image = read_lines(TEXT, "//!specpi 1 default 0 0 0 0 0\n");
  assert_int_equal(image->mode, PTX_DEFAULT);
  ptx_image_free(image);
}

TEST(plain_text_has_no_trailer) {
  size_t size;
  char *whole = make(TEXT, HEAD CONSTANTS BYTES PLACES KERNELS, &size);
  const struct {
    const char *bytes;
    size_t size;
    size_t text_size;
  } plain[] = {{"x", 1, 1},
               {"\0\0", 2, 0},
               {TEXT "\0", strlen(TEXT) + 1, strlen(TEXT)},
               {whole, size - 1, size - 1},
               {whole + 1, size - 1, size - 1},
               {whole, 60, 60}};
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
    ptx_image *image = NULL;
    assert_success(ptx_image_read(plain[i].bytes, plain[i].size, &image));
    assert_int_equal(image->mode, PTX_PLAIN);
    assert_int_equal(image->text_size, plain[i].text_size);
    assert_int_equal(image->constant_count + image->kernel_count + image->leaf_count, 0);
    assert_null(ptx_image_find_leaf(image, 0));
    ptx_image_free(image);
  }
  free(whole);
}

TEST(zero_bytes_at_the_end_do_not_count) {
  size_t size;
  char *bytes = make(TEXT, HEAD CONSTANTS BYTES PLACES KERNELS, &size);
  bytes = realloc(bytes, size + 3);
  assert_non_null(bytes);
  memset(bytes + size, 0, 3);
  ptx_image *image = NULL;
  assert_success(ptx_image_read(bytes, size + 3, &image));
  assert_int_equal(image->mode, PTX_PATCH);
  ptx_image_free(image);
  free(bytes);
}

TEST(every_changed_byte_is_seen) {
  size_t size;
  char *bytes = make(TEXT, HEAD CONSTANTS BYTES PLACES KERNELS, &size);
  /* If the last line is no longer recognised, the image is plain PTX. */
  const size_t end = size - 53;
  for (size_t i = 0; i < size; i++) {
    ptx_image *image = NULL;
    bytes[i] ^= 1;
    const pi_result result = ptx_image_read(bytes, size, &image);
    if (i < end || result != PI_SUCCESS) {
      assert_int_equal(result, PI_ERROR_INVALID_BINARY);
      assert_null(image);
    } else {
      assert_int_equal(image->mode, PTX_PLAIN);
    }
    ptx_image_free(image);
    bytes[i] ^= 1;
  }
  free(bytes);
}

TEST(says_where_entries_for_offsets_begin) {
  ptx_image *image = read_lines(TEXT, HEAD CONSTANTS BYTES PLACES KERNELS "//!specpi offsets 36\n");
  assert_int_equal(image->text_size, strlen(TEXT));
  assert_int_equal(image->plain_size, 36);
  ptx_image_free(image);
}

/* X(lines, line, message): lines of a trailer, and the number and the message of the wrong one. */
#define REFUSED(X)                                                                                 \
  X("", 1, "expected \"//!specpi 1 \"")                                                            \
  X("//!specpi 2 patch 0 0 0 0 0\n", 1, "expected \"//!specpi 1 \"")                               \
  X("//!specpi 1 native 0 0 0 0 0\n", 1, "expected a mode")                                        \
  X("//!specpi 1 patch 00 0 0 0 0\n", 1, "expected \" \"")                                         \
  X("//!specpi 1 patch -1 0 0 0 0\n", 1, "expected a number up to 4294967295")                     \
  X("//!specpi 1 patch 4294967296 0 0 0 0\n", 1, "expected a number up to 4294967295")             \
  X("//!specpi 1 patch 0 0 0 0 0 \n", 1, "expected its end")                                       \
  X("//!specpi 1 patch 4294967295 4294967295 0 0 0\n", 1,                                          \
    "99 bytes of trailer cannot have so much")                                                     \
  X("//!specpi 1 emulate 0 0 60 0 0\n", 1, "84 bytes of trailer cannot have so much")              \
  X("//!specpi 1 patch 0 0 0 0 0\n//!specpi kernel k - 0 0 0\n", 2,                                \
    "there are more lines than the first one says")                                                \
  X("//!specpi 1 patch 0 0 0 0 0\n//!specpi offsets\n", 2, "expected \" \"")                       \
  X("//!specpi 1 patch 0 0 0 0 0\n//!specpi offsets 0\n", 2,                                       \
    "at 0 of the text of 81 bytes begins no line")                                                 \
  X("//!specpi 1 patch 0 0 0 0 0\n//!specpi offsets 35\n", 2,                                      \
    "at 35 of the text of 81 bytes begins no line")                                                \
  X("//!specpi 1 patch 0 0 0 0 0\n//!specpi offsets 81\n", 2,                                      \
    "at 81 of the text of 81 bytes begins no line")                                                \
  X("//!specpi 1 patch 0 0 0 0 0\n//!specpi offsets 36\n//!specpi offsets 36\n", 3,                \
    "there are more lines than the first one says")                                                \
  X("//!specpi 1 patch 0 0 0 0 1\n", 2, "expected \"//!specpi kernel\"")                           \
  X("//!specpi 1 patch 0 1 0 0 0\n", 2, "the constants before have 1 leaves too few")              \
  X("//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel k  0 0 0\n", 2,                                 \
    "expected a number up to 4294967295")                                                          \
  X("//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel  - 0 0 0\n", 2, "expected a name")              \
  X("//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel %4 - 0 0 0\n", 2,                               \
    "expected two digits of 0-9 and a-f")                                                          \
  X("//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel %00 - 0 0 0\n", 2,                              \
    "expected a name without bytes of value 0")                                                    \
  X("//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel k\xc3 - 0 0 0\n", 2, "expected \" \"")          \
  X("//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel k - 16 0 0\n", 2,                               \
    "16 x 0 x 0 is no work-group size")                                                            \
  X("//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel k - 0 0 0 \n", 2,                               \
    "expected a number up to 4294967295")                                                          \
  X("//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel k - 0 0 0 8 2 3\n", 2, "expected its end")      \
  X("//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel k - 0 1 1\n", 2,                                \
    "0 x 1 x 1 is no work-group size")                                                             \
  X("//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel k - 0 0 0 4\n", 2,                              \
    "4 is no size of sub-groups")                                                                  \
  X("//!specpi 1 patch 0 0 0 0 1\n//!specpi kernel k - 0 0 0 0\n", 2,                              \
    "0 is no size of sub-groups")                                                                  \
  X("//!specpi 1 patch 0 0 4 0 0\n//!specpi bytes 0000000\n", 2,                                   \
    "expected two digits of 0-9 and a-f")                                                          \
  X("//!specpi 1 patch 0 0 4 0 0\n//!specpi bytes 0000000A\n", 2,                                  \
    "expected two digits of 0-9 and a-f")                                                          \
  X("//!specpi 1 patch 0 0 4 0 0\n//!specpi bytes 0000000000\n", 2, "expected its end")            \
  X("//!specpi 1 patch 1 1 4 0 0\n//!specpi constant c list 0 4 1\n", 2,                           \
    "expected \" composite\"")                                                                     \
  X("//!specpi 1 patch 1 1 4 0 0\n//!specpi constant c scalar 1 4 1\n", 2,                         \
    "the constant of 4 bytes at position 1 overlaps the one before or leaves the 4 bytes of all")  \
  X("//!specpi 1 patch 1 1 4 0 0\n//!specpi constant c scalar 4294967295 4294967295 1\n", 2,       \
    "the constant of 4294967295 bytes at position 4294967295 overlaps the one before or leaves "   \
    "the 4 bytes of all")                                                                          \
  X("//!specpi 1 patch 1 1 4 0 0\n//!specpi constant c scalar 0 4 2\n", 2,                         \
    "2 leaves, and of all 1 are left")                                                             \
  X("//!specpi 1 patch 1 1 4 0 0\n//!specpi constant c scalar 0 4 0\n", 2,                         \
    "0 leaves, and of all 1 are left")                                                             \
  X("//!specpi 1 patch 2 2 8 0 0\n//!specpi constant c scalar 0 4 1\n//!specpi leaf 1 0 4\n"       \
    "//!specpi constant d scalar 3 4 1\n",                                                         \
    4,                                                                                             \
    "the constant of 4 bytes at position 3 overlaps the one before or leaves the 8 bytes of all")  \
  X("//!specpi 1 patch 1 1 4 0 0\n//!specpi constant c scalar 0 4 1\n//!specpi leaf 0 0 0\n", 3,   \
    "the leaf at offset 0 has no bytes")                                                           \
  X("//!specpi 1 patch 1 1 4 0 0\n//!specpi constant c scalar 0 4 1\n//!specpi leaf 0 1 4\n", 3,   \
    "the leaf of 4 bytes at offset 1 leaves its constant of 4 bytes")                              \
  X("//!specpi 1 patch 1 1 4 0 0\n//!specpi constant c scalar 0 4 1\n"                             \
    "//!specpi leaf 0 4294967295 4\n",                                                             \
    3, "the leaf of 4 bytes at offset 4294967295 leaves its constant of 4 bytes")                  \
  X("//!specpi 1 patch 1 1 4 0 0\n//!specpi constant c scalar 0 4 1\n//!specpi leaf 0 0 3\n", 3,   \
    "leaf 0 has 3 bytes, and a scalar 1, 2, 4 or 8")                                               \
  X("//!specpi 1 patch 1 1 4 0 0\n//!specpi constant c scalar 0 4 1\n"                             \
    "//!specpi leaf 4294967295 0 5\n",                                                             \
    3, "the leaf of 5 bytes at offset 0 leaves its constant of 4 bytes")                           \
  X("//!specpi 1 patch 1 2 4 0 0\n//!specpi constant c composite 0 4 2\n//!specpi leaf 0 0 4\n"    \
    "//!specpi leaf 1 3 1\n",                                                                      \
    4, "the leaf at offset 3 overlaps the one before")                                             \
  X("//!specpi 1 patch 1 2 4 0 0\n//!specpi constant c composite 0 4 2\n//!specpi leaf 5 0 2\n"    \
    "//!specpi leaf 5 2 2\n",                                                                      \
    4, "leaf 5 does not have a larger id than all before")                                         \
  X(HEAD CONSTANTS BYTES "//!specpi place 4 15 4\n", 8, "no leaf 4 has 4 bytes")                   \
  X(HEAD CONSTANTS BYTES "//!specpi place 3 15 2\n", 8, "no leaf 3 has 2 bytes")                   \
  X(HEAD CONSTANTS BYTES "//!specpi place 4294967295 15 7\n", 8, "no leaf 4294967295 has 7 bytes") \
  X(HEAD CONSTANTS BYTES "//!specpi place 3 1 4\n", 8,                                             \
    "the place at 1 overlaps the one before or begins with the text")                              \
  X(HEAD CONSTANTS BYTES "//!specpi place 3 72 4\n", 8,                                            \
    "at 72 of the text is not 0x0000002a; with the default of leaf 3")                             \
  X(HEAD CONSTANTS BYTES "//!specpi place 3 73 4\n", 8,                                            \
    "the place at 73 leaves the text of 81 bytes")                                                 \
  X(HEAD CONSTANTS BYTES "//!specpi place 3 4294967295 4\n", 8,                                    \
    "the place at 4294967295 leaves the text of 81 bytes")                                         \
  X(HEAD CONSTANTS BYTES "//!specpi place 3 15 4\n//!specpi place 3 15 4\n", 9,                    \
    "the place at 15 overlaps the one before or begins with the text")                             \
  X("//!specpi 1 emulate 1 1 4 1 0\n//!specpi constant c scalar 0 4 1\n//!specpi leaf 3 0 4\n"     \
    "//!specpi bytes 2a000000\n//!specpi place 3 15 4\n",                                          \
    5, "only an image of mode patch has places")

TEST(refuses_damage_with_a_message) {
  static const struct {
    const char *lines;
    int line;
    const char *sentence;
  } refused[] = {
#define ROW(lines, line, sentence) {lines, line, sentence},
      REFUSED(ROW)
#undef ROW
  };
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    size_t size;
    char *bytes = make(TEXT, refused[i].lines, &size);
    char sentence[512];
    snprintf(sentence, sizeof sentence, "damaged PTX image: line %d of its trailer: %s",
             refused[i].line, refused[i].sentence);
    ptx_image *image = NULL;
    assert_failure(ptx_image_read(bytes, size, &image), PI_ERROR_INVALID_BINARY, sentence);
    assert_null(image);
    free(bytes);
  }
}

TEST(refuses_a_wrong_hash_and_no_image) {
  size_t size;
  char *bytes = make(TEXT, HEAD CONSTANTS BYTES PLACES KERNELS, &size);
  bytes[0] = 'M';
  ptx_image *image = NULL;
  char sentence[160];
  snprintf(sentence, sizeof sentence,
           "damaged PTX image: the hash in the last line of its trailer is not that of its %zu "
           "bytes",
           size);
  assert_failure(ptx_image_read(bytes, size, &image), PI_ERROR_INVALID_BINARY, sentence);
  assert_failure(ptx_image_read(NULL, size, &image), PI_ERROR_INVALID_VALUE,
                 "the PTX image is NULL or empty");
  assert_failure(ptx_image_read(bytes, 0, &image), PI_ERROR_INVALID_VALUE,
                 "the PTX image is NULL or empty");
  assert_failure(ptx_image_read(bytes, size, NULL), PI_ERROR_INVALID_VALUE, "ret is NULL");
  assert_null(image);
  free(bytes);
}

TEST(every_allocation_fails_once) {
  size_t size;
  char *bytes = make(TEXT, HEAD CONSTANTS BYTES PLACES KERNELS, &size);
  long fail = 0;
  for (;; fail++) {
    ptx_image *image = NULL;
    memory_watch(fail);
    const pi_result result = ptx_image_read(bytes, size, &image);
    const memory_use use = memory_unwatch();
    if (!use.failed) {
      assert_success(result);
      ptx_image_free(image);
      break;
    }
    assert_int_equal(result, PI_ERROR_OUT_OF_HOST_MEMORY);
    assert_int_equal(use.held, 0);
    assert_null(image);
  }
  assert_true(fail >= 6);
  free(bytes);
}

/* ptx_image_is_patched() is quick and accepts any bytes. */
TEST(tells_mode_patch) {
  static const struct {
    const char *lines;
    bool is;
  } cases[] = {
      {HEAD CONSTANTS BYTES PLACES KERNELS, true}, {"//!specpi 1 patch 0 0 0 0 0\n", false},
      {"//!specpi 1 emulate 2 3 16 3 2\n", false}, {"//!specpi 1 default 0 0 0 0 0\n", false},
      {"//!specpi 2 patch 2 3 16 3 2\n", false},   {"", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t size;
    char *bytes = make(TEXT, cases[i].lines, &size);
    assert_int_equal(ptx_image_is_patched(bytes, size), cases[i].is);
    /* Truncated images, each in an allocation of exactly its size. */
    for (size_t cut = 0; cut < size; cut++) {
      char *copy = malloc(cut ? cut : 1);
      assert_non_null(copy);
      memcpy(copy, bytes, cut);
      assert_false(ptx_image_is_patched(copy, cut));
      free(copy);
    }
    free(bytes);
  }
  static char digits[] = "//!specpi end 99999999999999999999999999999999999999";
  assert_int_equal(sizeof digits, 53);
  assert_false(ptx_image_is_patched(digits, sizeof digits - 1));
  digits[sizeof digits - 1] = '9';
  assert_false(ptx_image_is_patched(digits, sizeof digits));
}

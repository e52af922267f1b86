/* Fills split into the driver's commands, carried out on plain memory. */
#include "../../plugins/cuda/fill.h"
#include "../support/tests.h"

#include <string.h>

enum { ARENA = 1 << 17, UNTOUCHED = 0xa5 };

/* The memory that the steps write, its expected contents, and which bytes were written so far. */
static _Alignas(64) unsigned char got[ARENA];
static _Alignas(64) unsigned char want[ARENA];
static _Alignas(64) unsigned char written[ARENA];

/* The steps' addresses start here, so that a wrong address is far from any memory. */
static const CUdeviceptr BASE = 0x7000000;

static size_t place(CUdeviceptr pointer, size_t size) {
  assert_true(pointer >= BASE && size <= ARENA && pointer - BASE <= ARENA - size);
  return (size_t)(pointer - BASE);
}

static void set(const fill_step *step) {
  const unsigned element = step->element;
  assert_true(element == 1 || element == 2 || element == 4);
  assert_int_equal(step->rows.pointer % element, 0);
  assert_int_equal(step->rows.width % element, 0);
  if (step->rows.height != 1) {
    assert_int_equal(step->rows.pitch % element, 0);
    assert_true(step->rows.pitch >= step->rows.width);
  }
  for (size_t row = 0; row < step->rows.height; row++) {
    const size_t begin = place(step->rows.pointer + row * step->rows.pitch, step->rows.width);
    for (size_t i = 0; i < step->rows.width; i++)
      got[begin + i] = (unsigned char)(step->value >> 8 * (i % element));
    memset(written + begin, 1, step->rows.width);
  }
}

static void copy(const fill_step *step) {
  for (size_t row = 0; row < step->rows.height; row++) {
    const size_t width = step->rows.width;
    const size_t to = place(step->rows.pointer + row * step->rows.pitch, width);
    const size_t from = place(step->from + row * step->rows.pitch, width);
    assert_true(to >= from + width || from >= to + width);
    for (size_t i = 0; i < width; i++) {
      assert_true(written[from + i]);
      assert_false(written[to + i]);
    }
    memcpy(got + to, got + from, width);
  }
  /* Marks the rows only after all are copied, because the driver copies them in any order. */
  for (size_t row = 0; row < step->rows.height; row++)
    memset(written + place(step->rows.pointer + row * step->rows.pitch, 0), 1, step->rows.width);
}

/* Carries out a fill and compares the memory; returns the number of steps. */
static unsigned check(size_t offset, size_t pitch, size_t width, size_t height,
                      const unsigned char *pattern, size_t pattern_size) {
  const size_t used = height == 1 ? width : (height - 1) * pitch + width;
  const size_t size = offset + used + 64;
  assert_true(size <= ARENA);
  memset(got, UNTOUCHED, size);
  memset(want, UNTOUCHED, size);
  memset(written, 0, size);
  for (size_t row = 0; row < height; row++)
    for (size_t i = 0; i < width; i++)
      want[offset + row * pitch + i] = pattern[i % pattern_size];

  const fill_area rows = {BASE + offset, pitch, width, height};
  fill steps;
  fill_step step;
  unsigned count = 0;
  fill_begin(&steps, &rows, pattern, pattern_size);
  for (; fill_next(&steps, &step); count++)
    if (step.is_copy)
      copy(&step);
    else
      set(&step);
  assert_false(fill_next(&steps, &step));
  assert_memory_equal(want, got, size);
  return count;
}

/* Makes bytes without a period. */
static void make_pattern(unsigned char *pattern, size_t size) {
  for (size_t i = 0; i < size; i++)
    pattern[i] = (unsigned char)(i * 7 + i / 37 + 1);
}

TEST(patterns_of_every_size_are_written) {
  unsigned char pattern[128];
  for (size_t size = 1; size <= sizeof pattern; size++) {
    make_pattern(pattern, size);
    for (size_t offset = 0; offset < 5; offset++)
      for (size_t repeats = 1; repeats <= 9; repeats += 2)
        check(offset, size * repeats, size * repeats, 1, pattern, size);
  }
}

TEST(patterns_of_every_size_are_written_in_rows) {
  unsigned char pattern[128];
  for (size_t size = 1; size <= sizeof pattern; size++) {
    make_pattern(pattern, size);
    for (size_t gap = 0; gap < 4; gap++)
      for (size_t height = 1; height <= 9; height += 4)
        check(gap, 3 * size + gap, 3 * size, height, pattern, size);
  }
}

/* Copies fill the rest after the memsets; the number of copies is logarithmic. */
TEST(long_rows_take_few_steps) {
  unsigned char pattern[7];
  make_pattern(pattern, sizeof pattern);
  assert_int_equal(check(1, 98000, 98000, 1, pattern, 7), 7 + 5);
  assert_int_equal(check(0, 490, 490, 200, pattern, 7), 7 + 5);
  assert_int_equal(check(0, 500, 490, 200, pattern, 7), 7 + 8);
}

/* Memsets write small patterns several times before the copies, but a large pattern once. */
TEST(a_large_pattern_is_written_once) {
  static unsigned char pattern[5000];
  make_pattern(pattern, sizeof pattern);
  assert_int_equal(check(0, 25000, 25000, 1, pattern, sizeof pattern), 5000 / 4 + 3);
}

/* A fill for which the driver has one command takes one command. */
TEST(a_fill_that_the_driver_has_is_one_command) {
  static const unsigned char zero[128];
  unsigned char twos[16];
  unsigned char pattern[4];
  make_pattern(pattern, 4);
  for (size_t i = 0; i < sizeof twos; i++)
    twos[i] = pattern[i % 2];
  for (size_t size = 1; size <= sizeof zero; size++)
    assert_int_equal(check(3, size * 5 + 1, size * 5, 4, zero, size), 1);
  assert_int_equal(check(0, 64, 64, 1, pattern, 4), 1);
  assert_int_equal(check(4, 64, 60, 3, pattern, 4), 1);
  assert_int_equal(check(0, 64, 64, 1, pattern, 2), 1);
  assert_int_equal(check(2, 66, 64, 3, twos, sizeof twos), 1);
}

/* An element is never at an address that the driver refuses for its size. */
TEST(misaligned_fills_take_several_commands) {
  unsigned char pattern[4];
  make_pattern(pattern, 4);
  assert_true(check(2, 64, 64, 1, pattern, 4) > 1);
  assert_true(check(1, 64, 64, 1, pattern, 2) > 1);
  assert_true(check(0, 66, 64, 3, pattern, 4) > 1);
}

/* The same numbers in every run: a linear congruential generator's high bits. */
static size_t next_number(size_t limit) {
  static uint64_t state = 5;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (size_t)(state >> 33) % limit;
}

TEST(random_fills_write_the_pattern) {
  unsigned char pattern[64] = {0};
  for (int i = 0; i < 3000; i++) {
    const size_t size = 1 + next_number(sizeof pattern);
    const size_t period = 1 + next_number(size);
    for (size_t k = 0; k < size; k++)
      pattern[k] = (unsigned char)(k < period ? next_number(256) : pattern[k - period]);
    const size_t width = size * (1 + next_number(20));
    const size_t pitch = width + next_number(9);
    check(next_number(16), pitch, width, 1 + next_number(30), pattern, size);
  }
}

/* Unrolling of loops. */
#include "world.h"

#include "../../plugins/code/spirv_part.h"

static size_t count_words(const char *text, const char *word) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
    count++;
  return count;
}

/* Builds PTX of one kernel of a module; the caller frees the text. */
static char *build_kernel(const char *file, const char *name) {
  size_t size;
  void *part;
  unsigned char *module = read_module(file, &size);
  assert_success(spirv_part(module, size, name, &part, &size));
  codegen *generators = make_generators(CODEGEN_PROGRAM, 60000);
  codegen_request request = request_of(part, size);
  request.no_offset = true;
  char *ptx = build_module(generators, request);
  codegen_free(generators);
  free(part);
  free(module);
  return ptx;
}

/* Only the inner loop is unrolled. */
TEST(a_long_loop_is_not_unrolled) {
  char *ptx = build_kernel("loops.spv", "tiled");
  assert_int_equal(count_words(ptx, "bar.sync"), 2);
  assert_int_equal(count_words(ptx, "fma.rn.f32"), 16);
  free(ptx);
}

TEST(a_short_loop_is_unrolled) {
  char *ptx = build_kernel("loops.spv", "tree");
  assert_int_equal(count_words(ptx, "bar.sync"), 8);
  free(ptx);
}

/* The loop over the array is unrolled, so that the array is in registers, not in memory. */
TEST(an_array_in_an_unrolled_loop_needs_no_memory) {
  char *ptx = build_kernel("loops.spv", "rows");
  assert_int_equal(count_words(ptx, "bar.sync"), 32);
  assert_int_equal(count_words(ptx, ".local"), 0);
  free(ptx);
}

/* The number of copies divides that of the steps. */
TEST(a_long_loop_has_some_copies_of_its_body) {
  char *ptx = build_kernel("loops.spv", "steps");
  assert_int_equal(count_words(ptx, "fma.rn.f32"), 25);
  assert_int_equal(count_words(ptx, "@%p"), 1);
  free(ptx);
}

TEST(a_sliding_window_has_some_copies_of_its_body) {
  char *ptx = build_kernel("loops.spv", "window");
  assert_int_equal(count_words(ptx, "fma.rn.f32"), 10 * 16);
  assert_int_equal(count_words(ptx, "@%p"), 1);
  assert_int_equal(count_words(ptx, ".local"), 0);
  free(ptx);
}

/* 16 copies of 16 cases would not fit into the cache of instructions. */
TEST(a_loop_around_a_switch_has_few_copies_of_its_body) {
  char *ptx = build_kernel("loops.spv", "cases");
  assert_int_equal(count_words(ptx, "mad.lo.s32"), 4); /* those of the default case */
  free(ptx);
}

TEST(a_hint_is_obeyed) {
  char *ptx = build_kernel("loops.spv", "hinted");
  assert_int_equal(count_words(ptx, "fma.rn.f32"), 2);
  free(ptx);
}

/* A store for each byte of 4 KiB would take the code generator seconds. */
TEST(a_large_constant_is_copied_in_a_loop) {
  char *ptx = build_kernel("large.spv", "copied");
  assert_int_equal(count_words(ptx, "st.global"), 8);
  assert_int_equal(count_words(ptx, ".local"), 0);
  free(ptx);
}

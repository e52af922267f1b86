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
static void a_long_loop_is_not_unrolled(void **state) {
  (void)state;
  char *ptx = build_kernel("loops.spv", "tiled");
  assert_int_equal(count_words(ptx, "bar.sync"), 2);
  assert_int_equal(count_words(ptx, "fma.rn.f32"), 16);
  free(ptx);
}

static void a_short_loop_is_unrolled(void **state) {
  (void)state;
  char *ptx = build_kernel("loops.spv", "tree");
  assert_int_equal(count_words(ptx, "bar.sync"), 8);
  free(ptx);
}

/* The loop over the array is unrolled, so that the array is in registers, not in memory. */
static void an_array_in_an_unrolled_loop_needs_no_memory(void **state) {
  (void)state;
  char *ptx = build_kernel("loops.spv", "rows");
  assert_int_equal(count_words(ptx, "bar.sync"), 32);
  assert_int_equal(count_words(ptx, ".local"), 0);
  free(ptx);
}

/* The number of copies divides that of the steps. */
static void a_long_loop_has_some_copies_of_its_body(void **state) {
  (void)state;
  char *ptx = build_kernel("loops.spv", "steps");
  assert_int_equal(count_words(ptx, "fma.rn.f32"), 25);
  assert_int_equal(count_words(ptx, "@%p"), 1);
  free(ptx);
}

static void a_sliding_window_has_some_copies_of_its_body(void **state) {
  (void)state;
  char *ptx = build_kernel("loops.spv", "window");
  assert_int_equal(count_words(ptx, "fma.rn.f32"), 10 * 16);
  assert_int_equal(count_words(ptx, "@%p"), 1);
  assert_int_equal(count_words(ptx, ".local"), 0);
  free(ptx);
}

static void a_hint_is_obeyed(void **state) {
  (void)state;
  char *ptx = build_kernel("loops.spv", "hinted");
  assert_int_equal(count_words(ptx, "fma.rn.f32"), 2);
  free(ptx);
}

/* The copy is a loop: a store for each byte of 4 KiB would take the code generator seconds. */
static void a_large_constant_is_copied_in_a_loop(void **state) {
  (void)state;
  char *ptx = build_kernel("large.spv", "copied");
  assert_int_equal(count_words(ptx, "st.global"), 1);
  assert_int_equal(count_words(ptx, ".local"), 0);
  free(ptx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_long_loop_is_not_unrolled),
                                     cmocka_unit_test(a_short_loop_is_unrolled),
                                     cmocka_unit_test(an_array_in_an_unrolled_loop_needs_no_memory),
                                     cmocka_unit_test(a_long_loop_has_some_copies_of_its_body),
                                     cmocka_unit_test(a_sliding_window_has_some_copies_of_its_body),
                                     cmocka_unit_test(a_hint_is_obeyed),
                                     cmocka_unit_test(a_large_constant_is_copied_in_a_loop)};
  return cmocka_run_group_tests_name("loops", tests, NULL, NULL);
}

/*
 * Specialization constants over the fake driver: all checks come before calls of the driver, which
 * gets the plugin's own copies. The rows are those of docs/internals/conformance.md.
 */
#include "programs.h"

#include "../../plugins/base/error.h"

/* The kernel of scalars.spvasm writes its constants 101 to 107, widened to 64 bits. */
enum { TRUE_101, FALSE_102, U8_103, U16_104, U32_105, U64_106, F32_107, SCALARS };

static void check_scalars(pi_program program, const uint64_t want[SCALARS]) {
  uint64_t got[SCALARS] = {0};
  build(program);
  const pi_kernel kernel = new_kernel(program, "value");
  const pi_mem out = new_buffer(sizeof got, NULL);
  set_buffer(kernel, 0, out);
  launch(kernel, 1);
  must(piEnqueueMemBufferRead(w.queue, out, PI_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  assert_memory_equal(got, want, sizeof got);
  must(piMemRelease(out));
  must(piKernelRelease(kernel));
}

#define DEFAULTS                                                                                   \
  { 1, 0, 43, 3000, 43, 200, 0x406ccccd }

/* Rows 9 to 14, 20, 27 and 28: a refusal keeps the values and makes no call of the driver. */
static void checks_come_first(void **state) {
  (void)state;
  const pi_program program = new_program(MODULE_scalars);
  const unsigned char value[8] = {25};
  set32(program, 105, 25);
  const unsigned long before = fake_ze_calls(NULL);
  fails(PI_ERROR_INVALID_SPEC_ID, piextProgramSetSpecializationConstant(program, 999, 4, value));
  fails(PI_ERROR_INVALID_SPEC_ID,
        piextProgramSetSpecializationConstant(program, UINT32_MAX, 4, value));
  for (size_t size = 0; size <= 0x1000; size = size ? 2 * size : 1)
    if (size != 4)
      fails(PI_ERROR_INVALID_VALUE,
            piextProgramSetSpecializationConstant(program, 105, size, value));
  fails(PI_ERROR_INVALID_VALUE, piextProgramSetSpecializationConstant(program, 105, 4, NULL));
  fails(PI_ERROR_INVALID_PROGRAM, piextProgramSetSpecializationConstant(NULL, 105, 4, value));
  must(piextProgramSetSpecializationConstant(program, PI_SPEC_ID_ITT, 1, value));
  assert_int_equal(fake_ze_calls(NULL), before);
  const uint64_t want[SCALARS] = {1, 0, 43, 3000, 25, 200, 0x406ccccd};
  check_scalars(program, want);
  must(piProgramRelease(program));
}

/* Rows 4, 19 and 20: values at odd addresses, freed after the call; any byte but 0 is true. */
static void values_are_copied(void **state) {
  (void)state;
  const pi_program program = new_program(MODULE_scalars);
  unsigned char *memory = malloc(9);
  const uint64_t large = UINT64_MAX - 5;
  const unsigned char on = 0x80;
  assert_non_null(memory);
  memcpy(memory + 1, &large, sizeof large);
  must(piextProgramSetSpecializationConstant(program, 106, 8, memory + 1));
  memset(memory, 0, 9);
  free(memory);
  must(piextProgramSetSpecializationConstant(program, 102, 1, &on));
  const uint64_t want[SCALARS] = {1, 1, 43, 3000, 43, UINT64_MAX - 5, 0x406ccccd};
  check_scalars(program, want);
  must(piProgramRelease(program));
}

/* Rows 8, 21 and 22: the last value wins, and counts from the next build on. */
static void the_last_value_counts_from_the_next_build(void **state) {
  (void)state;
  const pi_program program = new_program(MODULE_scalars);
  const uint64_t defaults[SCALARS] = DEFAULTS;
  check_scalars(program, defaults);
  set32(program, 105, 1);
  set32(program, 105, 2);
  const uint64_t second[SCALARS] = {1, 0, 43, 3000, 2, 200, 0x406ccccd};
  check_scalars(program, second);
  const uint8_t byte = 9;
  must(piextProgramSetSpecializationConstant(program, 103, 1, &byte));
  const uint64_t third[SCALARS] = {1, 0, 9, 3000, 2, 200, 0x406ccccd};
  check_scalars(program, third);
  must(piProgramRelease(program));
}

/* Row 32, built and linked: the id belongs to a decoration group. */
static void the_id_may_come_from_a_decoration_group(void **state) {
  (void)state;
  const pi_program program = built_program(MODULE_group_decoration);
  const pi_uint32 before = number_of(program, "value");
  set32(program, 5, before + 7);
  build(program);
  assert_int_equal(number_of(program, "value"), before + 7);
  compile(program);
  pi_program linked = NULL;
  must(piProgramLink(w.context, 0, NULL, "", 1, &program, NULL, NULL, &linked));
  assert_int_equal(number_of(linked, "value"), before + 7);
  must(piProgramRelease(linked));
  must(piProgramRelease(program));
}

/* Rows 17 and 38, for linked programs; row 36: damaged modules do not reach the driver. */
static void damaged_modules_are_refused(void **state) {
  (void)state;
  const module_bytes code = module_of(MODULE_scalars);
  unsigned char *copy = malloc(code.size + 4);
  pi_program program = NULL;
  assert_non_null(copy);
  const unsigned long before = fake_ze_calls(NULL);
  memcpy(copy, code.bytes, code.size);
  for (size_t size = 1; size < 20; size++)
    fails(PI_ERROR_INVALID_VALUE, piProgramCreate(w.context, copy, size, &program));
  fails(PI_ERROR_INVALID_VALUE, piProgramCreate(w.context, copy, code.size - 1, &program));
  copy[0] ^= 0xff;
  fails(PI_ERROR_INVALID_VALUE, piProgramCreate(w.context, copy, code.size, &program));
  copy[0] ^= 0xff;
  memset(copy + 20, 0, 4);
  fails(PI_ERROR_INVALID_VALUE, piProgramCreate(w.context, copy, code.size, &program));
  assert_null(program);
  assert_int_equal(fake_ze_calls(NULL), before);
  free(copy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WORLD_TEST(checks_come_first),
      WORLD_TEST(values_are_copied),
      WORLD_TEST(the_last_value_counts_from_the_next_build),
      WORLD_TEST(the_id_may_come_from_a_decoration_group),
      WORLD_TEST(damaged_modules_are_refused),
  };
  return cmocka_run_group_tests_name("level_zero.constants", tests, NULL, NULL);
}

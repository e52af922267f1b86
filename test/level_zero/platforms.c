/* One of several drivers fails. Each case is its own process, as one finds platforms only once. */
#include "world.h"

#include <stdio.h>

#include "../../plugins/base/error.h"

static pi_uint32 count_platforms(void) {
  pi_uint32 count = 77;
  must(piPlatformsGet(0, NULL, &count));
  return count;
}

/* The first of two drivers fails: the other one is there, and so is the reason. */
static void a_driver_that_fails_is_left_out(void **state) {
  (void)state;
  fake_ze_fail("zeDeviceGetComputeProperties", 1, ZE_RESULT_ERROR_DEVICE_LOST);
  const char *note = NULL;
  assert_int_equal(count_platforms(), 1);
  assert_int_equal(plugin_error_last(&note), PI_SUCCESS);
  assert_non_null(strstr(note, "a driver of Level Zero is left out: zeDeviceGetComputeProperties"));
  assert_int_equal(count_platforms(), 1);
}

/* Memory may be there again at the next call. */
static void without_memory_the_call_can_be_repeated(void **state) {
  (void)state;
  pi_uint32 count = 77;
  fake_ze_fail("zeDeviceGetComputeProperties", 1, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  fails(PI_ERROR_OUT_OF_HOST_MEMORY, piPlatformsGet(0, NULL, &count));
  assert_int_equal(count, 77);
  assert_int_equal(count_platforms(), 2);
}

int main(int argc, char **argv) {
  const struct CMUnitTest first[] = {cmocka_unit_test(a_driver_that_fails_is_left_out)};
  const struct CMUnitTest second[] = {cmocka_unit_test(without_memory_the_call_can_be_repeated)};
  if (argc != 2)
    return 2;
  return strcmp(argv[1], "lost") == 0 ? cmocka_run_group_tests(first, NULL, NULL)
                                      : cmocka_run_group_tests(second, NULL, NULL);
}

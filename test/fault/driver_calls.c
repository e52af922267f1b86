/* Every call of the driver, in every entry, fails once. */
#include "check.h"
#include "failures.h"

#include <string.h>

enum { STEPS_AT_LEAST = 500 };

static cl_int code;
static const char *call_name; /* NULL: all that count */
static const char *failed;

static void arm(unsigned long nth) {
  fake_opencl_fail(call_name, nth, code);
}

static bool disarm(void) {
  failed = fake_opencl_unfail();
  return failed != NULL;
}

/* X(entry, call, why): where the failure of a call is no failure of the entry. */
#define HINTS(X)                                                                                   \
  X(piextUSMEnqueuePrefetch, "clEnqueueMigrateMemINTEL", "a prefetch is a hint, a marker does")

static bool is_hint(const char *entry) {
#define HINT(hint_entry, hint_call, why)                                                           \
  if (strcmp(entry, #hint_entry) == 0 && strcmp(failed, hint_call) == 0)                           \
    return true;
  HINTS(HINT)
#undef HINT
  return false;
}

/* The code is the driver's, and the sentence names the call. */
static bool judge(const char *entry, unsigned long nth, pi_result result, const char *sentence) {
  if (is_hint(entry)) {
    assert_int_equal(result, PI_SUCCESS);
    return false;
  }
  if ((cl_int)result != code || !strstr(sentence, failed))
    fail_with("%s, %s as call %lu failed with %d: %s (%d): \"%s\"", entry, failed, nth, code,
              pi_name("pi_result", result), (int)result, sentence);
  return true;
}

static const fault driver_call = {arm, disarm, judge};

#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  static void test_##name(void **state) {                                                          \
    (void)state;                                                                                   \
    call_name = NULL;                                                                              \
    code = CL_OUT_OF_RESOURCES;                                                                    \
    fail_each_step(#name, call_##name, &driver_call);                                              \
    code = CL_OUT_OF_HOST_MEMORY;                                                                  \
    fail_each_step(#name, call_##name, &driver_call);                                              \
  }
#include <pi/pi_functions.def>

#define MORE_TEST(name)                                                                            \
  static void test_more_##name(void **state) {                                                     \
    (void)state;                                                                                   \
    call_name = NULL;                                                                              \
    code = CL_OUT_OF_RESOURCES;                                                                    \
    fail_each_step(#name, more_##name, &driver_call);                                              \
  }
MORE_SCENARIOS(MORE_TEST)

/* Calls that give something back fail only here, where they are what the entry is for. */
#define RELEASES(X)                                                                                \
  X(piDeviceRelease, "clReleaseDevice")                                                            \
  X(piContextRelease, "clReleaseContext")                                                          \
  X(piQueueRelease, "clReleaseCommandQueue")                                                       \
  X(piMemRelease, "clReleaseMemObject")                                                            \
  X(piProgramRelease, "clReleaseProgram")                                                          \
  X(piKernelRelease, "clReleaseKernel")                                                            \
  X(piEventRelease, "clReleaseEvent")                                                              \
  X(piSamplerRelease, "clReleaseSampler")                                                          \
  X(piextUSMFree, "clMemBlockingFreeINTEL")

static void releases(void **state) {
  (void)state;
  code = CL_OUT_OF_RESOURCES;
#define RELEASE(entry, call)                                                                       \
  call_name = call;                                                                                \
  assert_true(fail_step(#entry, call_##entry, &driver_call, 1));
  RELEASES(RELEASE)
#undef RELEASE
}

/* The last one: that the others have seen what they are for. */
static void steps_failed(void **state) {
  (void)state;
  assert_true(failed_steps >= STEPS_AT_LEAST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define PI_FUNCTION(name, since, parameters, arguments) cmocka_unit_test(test_##name),
#include <pi/pi_functions.def>
#define MORE_ROW(name) cmocka_unit_test(test_more_##name),
      MORE_SCENARIOS(MORE_ROW) cmocka_unit_test(releases),
      cmocka_unit_test(steps_failed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every allocation of every entry fails once, on each way through it that allocates. */
#include "check.h"
#include "failures.h"

#include "../unit/memory.h"

/* Far fewer than there are; with no wraps in effect there are none. */
enum { STEPS_AT_LEAST = 50 };

static memory_use use;

static void arm(unsigned long nth) {
  memory_watch((long)nth - 1);
}

static bool disarm(void) {
  use = memory_unwatch();
  if (use.failed && use.held != 0)
    fail_with("%ld blocks are not freed after a failure", use.held);
  return use.failed;
}

static bool judge(const char *entry, unsigned long nth, pi_result result, const char *sentence) {
  if (result != PI_ERROR_OUT_OF_HOST_MEMORY || *sentence == '\0')
    fail_with("%s, allocation %lu: %s (%d): \"%s\"", entry, nth, pi_name("pi_result", result),
              (int)result, sentence);
  return true;
}

static const fault allocation = {arm, disarm, judge};

#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  static void test_##name(void **state) {                                                          \
    (void)state;                                                                                   \
    fail_each_step(#name, call_##name, &allocation);                                               \
  }
#include <pi/pi_functions.def>

#define MORE_TEST(name)                                                                            \
  static void test_more_##name(void **state) {                                                     \
    (void)state;                                                                                   \
    fail_each_step(#name, more_##name, &allocation);                                               \
  }
MORE_SCENARIOS(MORE_TEST)

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
      MORE_SCENARIOS(MORE_ROW) cmocka_unit_test(steps_failed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every allocation of every entry point fails once, on each of its paths that allocate. */
#include "check.h"
#include "failures.h"

#include "../unit/memory.h"

#include <string.h>

/* Far fewer than really fail. If the linker's --wrap options are missing, none fails. */
enum { STEPS_AT_LEAST = 50 };

static memory_use use;

static void arm(unsigned long nth) {
  memory_watch((long)nth - 1);
}

static bool disarm(void) {
  use = memory_unwatch();
  return use.failed;
}

/* Returns whether an entry point may succeed without some allocations, such as a build's log. */
static bool is_modest(const char *entry) {
  for (const char *const *word = backend.modest; *word; word++)
    if (strcmp(entry, *word) == 0)
      return true;
  return false;
}

static bool judge(const char *entry, unsigned long nth, pi_result result, const char *sentence) {
  if (result == PI_SUCCESS && is_modest(entry))
    return false;
  if (use.held != 0)
    fail_with("%s, allocation %lu: %ld blocks are not freed after a failure", entry, nth, use.held);
  if (result != PI_ERROR_OUT_OF_HOST_MEMORY || *sentence == '\0')
    fail_with("%s, allocation %lu: %s (%d): \"%s\"", entry, nth,
              enumerator_name("pi_result", result), (int)result, sentence);
  return true;
}

static const fault allocation = {arm, disarm, judge, NULL};

#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  TEST(test_##name) { fail_each_step(#name, call_##name, &allocation); }
#include <pi/pi_functions.def>

#define MORE_TEST(name)                                                                            \
  TEST(test_more_##name) { fail_each_step(#name, more_##name, &allocation); }
MORE_SCENARIOS(MORE_TEST)

/* Runs last: checks that the other tests had enough failing steps. */
TEST(enough_steps_have_failed) {
  assert_true(failed_steps >= STEPS_AT_LEAST);
}

/* With an argument: only the tests whose names match, e.g. 'test_piQueue*'. */
int main(int argc, char **argv) {
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return tests_run(NULL, NULL);
}

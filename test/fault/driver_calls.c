/* Every call of the driver, in every entry point, fails once. */
#include "check.h"
#include "failures.h"

#include <string.h>

enum { STEPS_AT_LEAST = 500 };

static backend_failure failure;
static const char *call_name; /* NULL: all calls but those that release something */
static const char *failed;

static void arm(unsigned long nth) {
  driver_fail(call_name, nth, failure.code);
}

static bool disarm(void) {
  failed = driver_unfail();
  return failed != NULL;
}

static bool is_hint(const char *entry) {
  for (const backend_call *call = backend.hints; call->entry; call++)
    if ((strcmp("*", call->entry) == 0 || strcmp(entry, call->entry) == 0) &&
        strcmp(failed, call->call) == 0)
      return true;
  return false;
}

/* Returns whether the entry point's command may have run although the call failed. */
static bool is_late(void) {
  for (const char *const *word = backend.late; *word; word++)
    if (strcmp(failed, *word) == 0)
      return true;
  return false;
}

/* Checks that the plugin's result fits the driver's status, and that the message names the call. */
static bool judge(const char *entry, unsigned long nth, pi_result result, const char *sentence) {
  if (is_hint(entry)) {
    if (result != PI_SUCCESS && *sentence == '\0')
      fail_with("%s, %s as call %lu failed: %s without a message", entry, failed, nth,
                enumerator_name("pi_result", result));
    return result != PI_SUCCESS;
  }
  if (result != failure.result || !strstr(sentence, failed))
    fail_with("%s, %s as call %lu failed with %d: %s (%d): \"%s\"", entry, failed, nth,
              failure.code, enumerator_name("pi_result", result), (int)result, sentence);
  return true;
}

static const fault driver_call = {arm, disarm, judge, is_late};

#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  TEST(test_##name) {                                                                              \
    call_name = NULL;                                                                              \
    for (size_t i = 0; i < sizeof backend.failures / sizeof backend.failures[0]; i++) {            \
      failure = backend.failures[i];                                                               \
      fail_each_step(#name, call_##name, &driver_call);                                            \
    }                                                                                              \
  }
#include <pi/pi_functions.def>

#define MORE_TEST(name)                                                                            \
  TEST(test_more_##name) {                                                                         \
    call_name = NULL;                                                                              \
    failure = backend.failures[0];                                                                 \
    fail_each_step(#name, more_##name, &driver_call);                                              \
  }
MORE_SCENARIOS(MORE_TEST)

static const struct {
  const char *name;
  pi_result (*call)(world *w);
} entries[] = {
#define PI_FUNCTION(name, since, parameters, arguments) {#name, call_##name},
#include <pi/pi_functions.def>
};

/* Calls that release something fail only here, each in the entry point that reports it. */
TEST(a_failed_release_fails_its_entry) {
  failure = backend.failures[0];
  for (const backend_call *call = backend.releases; call->entry; call++)
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
      if (strcmp(entries[i].name, call->entry) == 0) {
        call_name = call->call;
        assert_true(fail_step(call->entry, entries[i].call, &driver_call, 1));
      }
}

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

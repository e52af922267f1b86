/*
 * Allocations and calls of the driver fail while the plugin loads it. Each case has a process of
 * its own, because a process looks for the driver only once.
 */
#include "check.h"
#include "world.h"

#include "../../plugins/base/load.h"
#include "../unit/memory.h"

#include <unistd.h>

enum { DONE = 10, NOT_REACHED, WRONG, STEPS_MAX = 100 };

/* Runs one case in a child; returns DONE, NOT_REACHED or WRONG. */
static int in_child(int (*child)(unsigned long step), unsigned long step) {
  fflush(NULL);
  const pid_t pid = tests_fork();
  if (pid == 0)
    _exit(child(step));
  return tests_status(pid);
}

/* Returns whether piPlatformsGet succeeds with no platforms, and the plugin reports a reason. */
static bool says_why(void) {
  pi_platform platform = NULL;
  pi_uint32 count = 99;
  return piPlatformsGet(1, &platform, &count) == PI_SUCCESS && count == 0 && !platform &&
         *load_reason() != '\0';
}

/* Returns whether the platform is there. */
static bool works(void) {
  pi_uint32 count = 0;
  return piPlatformsGet(0, NULL, &count) == PI_SUCCESS && count == 1;
}

/*
 * The plugin may work without the memory. libc may free memory here that it allocated before, so
 * use.held may be negative.
 */
static int without_memory(unsigned long step) {
  memory_watch((long)step);
  const bool is_loaded = backend_load();
  const memory_use use = memory_unwatch();
  if (!use.failed)
    return NOT_REACHED;
  return use.held <= 0 && (is_loaded ? works() : says_why()) ? DONE : WRONG;
}

static const char *call; /* the call that fails */

/* The plugin needs this call: without it there are no platforms, and there is a reason. */
static int without_needed_call(unsigned long step) {
  driver_fail(call, step + 1, backend.failures[1].code);
  backend_load();
  if (!driver_unfail())
    return NOT_REACHED;
  return says_why() ? DONE : WRONG;
}

/* The plugin can do without this call: the platform is there. */
static int without_helpful_call(unsigned long step) {
  driver_fail(call, step + 1, backend.failures[1].code);
  backend_load();
  if (!driver_unfail())
    return NOT_REACHED;
  return works() ? DONE : WRONG;
}

/* The list of platforms fails with the driver's code, and works the next time. */
static int without_repeated_call(unsigned long step) {
  pi_uint32 count = 99;
  pi_platform platform = NULL;
  driver_fail(call, step + 1, backend.failures[0].code);
  const pi_result result = piPlatformsGet(1, &platform, &count);
  if (!driver_unfail())
    return result == PI_SUCCESS && count == 1 ? NOT_REACHED : WRONG;
  if (result != backend.failures[0].result || count != 99 || platform)
    return WRONG;
  return piPlatformsGet(1, &platform, &count) == PI_SUCCESS && count == 1 ? DONE : WRONG;
}

static void run_steps(int (*child)(unsigned long step)) {
  unsigned long step = 0;
  int answer;
  while ((answer = in_child(child, step)) == DONE)
    assert_true(++step < STEPS_MAX);
  assert_int_equal(answer, NOT_REACHED);
  assert_true(step > 0 || (child == without_memory && !backend.load_allocates));
}

TEST(loading_survives_failed_allocations) {
  run_steps(without_memory);
}

TEST(without_a_needed_call_there_is_no_platform) {
  for (const char *const *word = backend_needed_calls; *word; word++) {
    call = *word;
    run_steps(without_needed_call);
  }
}

TEST(without_a_helpful_call_there_are_platforms) {
  for (const char *const *word = backend_helpful_calls; *word; word++) {
    call = *word;
    run_steps(without_helpful_call);
  }
}

TEST(a_failed_call_is_tried_again) {
  for (const char *const *word = backend_repeated_calls; *word; word++) {
    call = *word;
    run_steps(without_repeated_call);
  }
}

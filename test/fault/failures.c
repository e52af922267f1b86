#include "failures.h"
#include "check.h"

#include <string.h>

/* A call of the largest entry point has some hundred steps; more mean an endless loop. */
enum { STEPS_MAX = 5000 };

unsigned long failed_steps;

static void check_objects(const char *entry, unsigned long nth, size_t before) {
  char list[4096];
  if (!driver_settles(before, list, sizeof list))
    fail_with("%s, step %lu: the driver has objects left:\n%s", entry, nth, list);
}

/* The same call succeeds, unless the failure has spoiled the object. */
static void again(const char *entry, pi_result (*call)(world *w), world *w) {
  const pi_result result = call(w);
  for (const char *const *word = backend.spoils; word && *word; word++)
    if (strcmp(entry, *word) == 0 && result == PI_ERROR_INVALID_OPERATION)
      return;
  must(result);
}

bool fail_step(const char *entry, pi_result (*call)(world *w), const fault *fault,
               unsigned long nth) {
  static world w;
  char all[4096];
  const size_t before = driver_list(all, sizeof all);
  world_begin(&w);
  const size_t objects = driver_live();

  fault->arm(nth);
  const pi_result result = call(&w);
  const char *sentence;
  plugin_error_last(&sentence);
  const bool failed = fault->disarm();
  if (failed && fault->judge(entry, nth, result, sentence)) {
    if (fault->is_late && fault->is_late())
      world_restore(&w);
    if (!outputs_are_untouched(&w.out))
      fail_with("%s, step %lu: an output was written", entry, nth);
    if (driver_live() != objects)
      fail_with("%s, step %lu: the driver had %zu objects before, and %zu after the failure", entry,
                nth, objects, driver_live());
    world_check(&w);
    again(entry, call, &w);
  } else if (!failed && result != PI_SUCCESS) {
    fail_with("%s: %s (%d): %s", entry, enumerator_name("pi_result", result), (int)result,
              sentence);
  }
  outputs_release(&w);
  world_end(&w);
  check_objects(entry, nth, before);
  failed_steps += failed;
  return failed;
}

void fail_each_step(const char *entry, pi_result (*call)(world *w), const fault *fault) {
  unsigned long nth = 1;
  while (fail_step(entry, call, fault, nth))
    if (++nth == STEPS_MAX)
      fail_with("%s: %lu steps failed and there are more", entry, nth);
}

#define _GNU_SOURCE /* secure_getenv, strsignal */
#include "probe.h"

#include "../base/digits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SECONDS = 10, MOST_SECONDS = 600 };

/* Returns the time limit in seconds. Ignores a malformed setting, because no caller can get a
 * message yet. */
static unsigned time_limit(void) {
  const char *text = secure_getenv("SPECPI_LEVEL_ZERO_PROBE_SECONDS");
  uint64_t seconds;
  return text && digits_are(text, MOST_SECONDS, &seconds) && seconds >= 1 ? (unsigned)seconds
                                                                          : DEFAULT_SECONDS;
}

/* Returns whether an answer is about the driver, and so still holds later. */
static bool is_lasting(const probe_answer *answer) {
  return answer->outcome != PROBE_UNKNOWN &&
         (answer->init == ZE_RESULT_SUCCESS || answer->init == ZE_RESULT_ERROR_UNINITIALIZED);
}

void probe_ask(const level_zero_driver *loader, probe_answer *ret) {
  char *key = probe_key(loader);
  if (!key || !probe_recall(key, ret)) {
    probe_child(loader, time_limit(), ret);
    if (key && is_lasting(ret))
      probe_remember(key, ret);
  }
  free(key);
}

/* Writes "the Level Zero drivers /path/a, /path/b"; without paths if none could be loaded. */
static void name_drivers(const probe_answer *answer, char *text, size_t size) {
  size_t used =
      (size_t)snprintf(text, size, "the Level Zero driver%s", answer->file_count > 1 ? "s" : "");
  for (unsigned i = 0; i < answer->file_count && used < size; i++)
    used +=
        (size_t)snprintf(text + used, size - used, "%s %s", i ? "," : "", answer->files[i].path);
}

/* Writes how the child ended, as the predicate of a message about the driver. */
static void describe_end(const probe_answer *answer, char *text, size_t size) {
  static const char *const steps[] = {
#define PROBE_STEP(name, text) text,
      PROBE_STEPS(PROBE_STEP)
#undef PROBE_STEP
  };
  const char *step = steps[answer->step];
  switch (answer->outcome) {
  case PROBE_SIGNAL:
    snprintf(text, size, "ends a process with signal %d (%s) in %s", answer->number,
             strsignal(answer->number), step);
    break;
  case PROBE_EXIT:
    snprintf(text, size, "ends a process with exit status %d in %s", answer->number, step);
    break;
  case PROBE_HANGS:
    snprintf(text, size, "does not return from %s", step);
    break;
  default:
    snprintf(text, size, "could not be tried in a child process: %s", strerror(answer->number));
    break;
  }
}

/*
 * Writes the message about drivers that are not used. With several drivers it shows how to select
 * one, because the loader does not report which of them failed.
 */
static void refuse_driver(const probe_answer *answer, const char *when, char *reason, size_t size) {
  char drivers[2048];
  char end[256];
  const bool are_several = answer->file_count > 1;
  const char *who = are_several ? "one of them" : "it";
  name_drivers(answer, drivers, sizeof drivers);
  describe_end(answer, end, sizeof end);
  snprintf(reason, size, "%s %s not used: %s%s %s%s", drivers, are_several ? "are" : "is", when,
           answer->outcome == PROBE_UNKNOWN && are_several ? "they" : who, end,
           are_several ? "; ZE_ENABLE_ALT_DRIVERS can name those to use, with commas between" : "");
}

bool probe_allows(const probe_answer *answer, char *reason, size_t size) {
  const bool works = answer->outcome == PROBE_WORKS;
  if (works && answer->init == ZE_RESULT_SUCCESS)
    return true;
  if (answer->init == ZE_RESULT_SUCCESS) {
    refuse_driver(answer, "", reason, size);
    return false;
  }
  const int used =
      snprintf(reason, size, "zeInit failed with 0x%x%s%s", answer->init,
               answer->init == ZE_RESULT_ERROR_UNINITIALIZED
                   ? " (ZE_RESULT_ERROR_UNINITIALIZED): no driver with a device was found"
                   : "",
               works ? "" : "; ");
  if (!works && used > 0 && (size_t)used < size)
    refuse_driver(answer, "after that ", reason + used, size - (size_t)used);
  return false;
}

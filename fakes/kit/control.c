/* Failures on demand, and messages about refusals. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>

bool fake_is_strict;
unsigned fake_trace;

static struct {
  char *call; /* NULL for any */
  unsigned long left;
  int code;
  const char *failed;
} injection;

static _Thread_local char reason[512];

unsigned long long fake_read_number(const char *name, unsigned long long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

void fake_inject(const char *call, unsigned long nth, int code) {
  free(injection.call);
  injection.call = call && *call ? fake_copy(call, strlen(call) + 1) : NULL;
  injection.left = nth;
  injection.code = code;
  injection.failed = NULL;
}

void fake_read_injection(const char *text, int otherwise) {
  const char *colon = strchr(text, ':');
  if (!colon)
    return;
  char *call = fake_allocate((size_t)(colon - text) + 1);
  memcpy(call, text, (size_t)(colon - text));
  char *end;
  const unsigned long nth = strtoul(colon + 1, &end, 10);
  const int code = *end == ':' ? (int)strtoul(end + 1, NULL, 0) : otherwise;
  fake_inject(call, nth, code);
  free(call);
}

bool fake_is_named(const char *symbol, const char *text) {
  const size_t length = strlen(text);
  if (strncmp(symbol, text, length) != 0)
    return false;
  return symbol[length] == '\0' || (strncmp(symbol + length, "_v", 2) == 0);
}

bool fake_is_injected(const char *symbol, int *code) {
  if (injection.left == 0 ||
      (injection.call ? !fake_is_named(symbol, injection.call) : fake_gives_back(symbol)))
    return false;
  if (--injection.left != 0)
    return false;
  injection.failed = symbol;
  *code = injection.code;
  return true;
}

const char *fake_uninject(void) {
  fake_lock();
  injection.left = 0;
  const char *failed = injection.failed;
  fake_unlock();
  return failed;
}

void fake_note_list(bool defect, const char *format, va_list arguments) {
  vsnprintf(reason, sizeof reason, format, arguments);
  defect = defect && fake_is_strict;
  if (fake_trace != 0 || defect)
    fprintf(stderr, "%s: %s\n", fake_driver_name, reason);
  if (defect)
    abort();
}

void fake_note(bool defect, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fake_note_list(defect, format, arguments);
  va_end(arguments);
}

const char *fake_reason(void) {
  return reason;
}

#define _GNU_SOURCE /* secure_getenv */
#include "error.h"

#include "names.h"
#include "words.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 1024 };

static _Thread_local char last_message[MESSAGE_SIZE];
static _Thread_local pi_result last_code;

static pthread_once_t trace_once = PTHREAD_ONCE_INIT;
static bool trace_errors;

/* What a process with more rights than its user has to say is not for the user to ask. */
static void read_trace_variable(void) {
  const char *list = secure_getenv("SPECPI_TRACE");
  for (pi_word word; pi_word_next(&list, &word);)
    trace_errors |= pi_word_is(word, "errors") || pi_word_is(word, "all");
}

static void record(pi_result code, const char *format, va_list arguments) {
  vsnprintf(last_message, sizeof last_message, format, arguments);
  last_code = code;

  pthread_once(&trace_once, read_trace_variable);
  if (!trace_errors)
    return;
  if (code >= PI_SUCCESS)
    fprintf(stderr, "specpi: note: %s\n", last_message);
  else
    fprintf(stderr, "specpi: %s (%d): %s\n", pi_name("pi_result", code), (int)code, last_message);
}

pi_result pi_error(pi_result code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  record(code, format, arguments);
  va_end(arguments);
  return code;
}

void pi_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  record(PI_SUCCESS, format, arguments);
  va_end(arguments);
}

pi_result pi_error_last(const char **message) {
  *message = last_message;
  return last_code;
}

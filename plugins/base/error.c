#define _GNU_SOURCE /* secure_getenv */
#include "error.h"

#include "names.h"
#include "words.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 1024 };

static _Thread_local char last_message[MESSAGE_SIZE];
static _Thread_local pi_result last_code;

typedef void error_listener(pi_result code, const char *sentence);
static _Atomic(error_listener *) current_listener;

static pthread_once_t trace_once = PTHREAD_ONCE_INIT;
static bool trace_errors;
static bool trace_cache;

/* Uses secure_getenv, so that a user cannot trace a process that has more rights. */
static void read_trace_variable(void) {
  const char *list = secure_getenv("SPECPI_TRACE");
  for (text_word word; text_word_next(&list, &word);) {
    const bool is_all = text_word_is(word, "all");
    trace_errors |= is_all || text_word_is(word, "errors");
    trace_cache |= is_all || text_word_is(word, "cache");
  }
}

static void record_sentence(pi_result code, const char *format, va_list arguments) {
  vsnprintf(last_message, sizeof last_message, format, arguments);
  last_code = code;

  error_listener *listener = atomic_load_explicit(&current_listener, memory_order_acquire);
  if (listener)
    listener(code, last_message);
  pthread_once(&trace_once, read_trace_variable);
  if (!trace_errors)
    return;
  if (code >= PI_SUCCESS)
    fprintf(stderr, "specpi: note: %s\n", last_message);
  else
    fprintf(stderr, "specpi: %s (%d): %s\n", enumerator_name("pi_result", code), (int)code,
            last_message);
}

pi_result plugin_error(pi_result code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  record_sentence(code, format, arguments);
  va_end(arguments);
  return code;
}

void plugin_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  record_sentence(PI_SUCCESS, format, arguments);
  va_end(arguments);
}

void plugin_error_listen(error_listener *listener) {
  atomic_store_explicit(&current_listener, listener, memory_order_release);
}

pi_result plugin_error_last(const char **message) {
  *message = last_message;
  return last_code;
}

void plugin_say(const char *line) {
  fprintf(stderr, "specpi: %s\n", line);
}

void plugin_trace_cache(const char *line) {
  pthread_once(&trace_once, read_trace_variable);
  if (trace_cache)
    plugin_say(line);
}

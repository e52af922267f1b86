#include "error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_message[1024];

host_result host_error(host_result result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_message, sizeof last_message, format, arguments);
  va_end(arguments);
  for (char *at = last_message; *at != '\0'; at++)
    if (*at == '\n' || *at == '\r')
      *at = ' ';
  return result;
}

const char *host_get_last_error(void) {
  return last_message;
}

static const struct {
  const char *name;
  const char *text;
} results[] = {
#define HOST_RESULT(name, text) {#name, text},
    HOST_RESULTS(HOST_RESULT)
#undef HOST_RESULT
};

const char *host_result_get_name(host_result result) {
  return (size_t)result < sizeof results / sizeof results[0] ? results[result].name : "?";
}

const char *host_result_get_text(host_result result) {
  return (size_t)result < sizeof results / sizeof results[0] ? results[result].text : "?";
}

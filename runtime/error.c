#include "error.h"

#include "trace.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_message[1024];

/* Names in images and the words of drivers may have any byte; a sentence is one line of text. */
static void flatten(char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == '\177')
      *text = '?';
}

specpi_result error_set(specpi_result code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_message, sizeof last_message, format, arguments);
  va_end(arguments);
  flatten(last_message);
  if (trace_enabled(TRACE_ERRORS)) {
    /* A sentence without a code belongs to a PI call that fails in the place of a plugin. */
    const bool any = code != SPECPI_SUCCESS;
    trace_line("%s%s%s", any ? specpiResultGetName(code) : "", any ? ": " : "", last_message);
  }
  return code;
}

const char *specpiGetLastError(void) {
  return last_message;
}

static const struct {
  specpi_result code;
  const char *name;
  const char *text;
} results[] = {
#define SPECPI_RESULT(name, value, text) {name, #name, text},
    SPECPI_RESULTS(SPECPI_RESULT)
#undef SPECPI_RESULT
};

const char *specpiResultGetName(specpi_result result) {
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    if (results[i].code == result)
      return results[i].name;
  return "?";
}

const char *specpiResultGetText(specpi_result result) {
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    if (results[i].code == result)
      return results[i].text;
  return "?";
}

const char *specpiGetVersion(void) {
  return SPECPI_VERSION_STRING;
}

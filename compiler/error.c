#include "error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_message[1024];

specpi_compiler_result compiler_error(specpi_compiler_result code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_message, sizeof last_message, format, arguments);
  va_end(arguments);
  size_t end = 0;
  for (size_t i = 0; last_message[i] != '\0'; i++) {
    if (last_message[i] == '\n')
      last_message[i] = ' ';
    if (last_message[i] != ' ')
      end = i + 1;
  }
  last_message[end] = '\0'; /* LLVM ends its messages with a line break */
  return code;
}

const char *specpiCompilerGetLastError(void) {
  return last_message;
}

static const struct {
  specpi_compiler_result code;
  const char *name;
  const char *text;
} results[] = {
#define SPECPI_COMPILER_RESULT(name, value, text) {name, #name, text},
    SPECPI_COMPILER_RESULTS(SPECPI_COMPILER_RESULT)
#undef SPECPI_COMPILER_RESULT
};

const char *specpiCompilerResultGetName(specpi_compiler_result result) {
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    if (results[i].code == result)
      return results[i].name;
  return "?";
}

const char *specpiCompilerResultGetText(specpi_compiler_result result) {
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    if (results[i].code == result)
      return results[i].text;
  return "?";
}

const char *specpiCompilerModeGetName(specpi_compiler_mode mode) {
  switch (mode) {
#define SPECPI_COMPILER_MODE(NAME, name)                                                           \
  case SPECPI_COMPILER_MODE_##NAME:                                                                \
    return #name;
    SPECPI_COMPILER_MODES(SPECPI_COMPILER_MODE)
#undef SPECPI_COMPILER_MODE
  case SPECPI_COMPILER_MODE_COUNT:
    break;
  }
  return NULL;
}

const char *specpiCompilerFormGetName(specpi_compiler_form form) {
  switch (form) {
#define SPECPI_COMPILER_FORM(NAME, name)                                                           \
  case SPECPI_COMPILER_FORM_##NAME:                                                                \
    return #name;
    SPECPI_COMPILER_FORMS(SPECPI_COMPILER_FORM)
#undef SPECPI_COMPILER_FORM
  case SPECPI_COMPILER_FORM_COUNT:
    break;
  }
  return NULL;
}

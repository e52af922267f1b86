#include "driver_error.h"

#include "../plugins/base/error.h"
#include "../plugins/base/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_lost(pi_result code, const char *words) {
  return code == PI_ERROR_PLUGIN_SPECIFIC_ERROR && strstr(words, PLUGIN_DEVICE_LOST);
}

static specpi_result code_of(pi_result code) {
  switch ((int)code) {
  case PI_ERROR_OUT_OF_HOST_MEMORY:
    return SPECPI_ERROR_OUT_OF_MEMORY;
  case PI_ERROR_UNSUPPORTED_FEATURE:
    return SPECPI_ERROR_UNSUPPORTED;
  default:
    return SPECPI_ERROR_DRIVER;
  }
}

const char *driver_words(const pi_function_table *pi, pi_result code) {
  char *words = NULL;
  return pi->piPluginGetLastError(&words) == code && words ? words : "";
}

specpi_result driver_error(const pi_function_table *pi, pi_result code, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  const char *words = driver_words(pi, code);
  if (is_lost(code, words))
    return error_set(SPECPI_ERROR_DEVICE_LOST, "%s: %s", what, words);
  const char *name = enumerator_name("pi_result", code);
  /* PI has no names for some codes of OpenCL. */
  if (strcmp(name, "?") == 0)
    name = "the code";
  /* The plugin's message often has the name already. */
  if (strstr(words, name))
    return error_set(code_of(code), "%s failed: %s", what, words);
  return error_set(code_of(code), "%s failed with %s (%d)%s%s", what, name, code,
                   *words ? ": " : "", words);
}

#include "error.h"

#include "trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_message[1024];

/* Makes a message one line of text: names in images and drivers' messages may have any byte. */
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
    /*
     * There is no code if one of libspecpi's stubs failed in the place of a plugin's PI function.
     */
    const bool any = code != SPECPI_SUCCESS;
    trace_line("%s%s%s", any ? specpiResultGetName(code) : "", any ? ": " : "", last_message);
  }
  return code;
}

/* Returns whether a list of names, separated by ", ", contains a name. */
static bool list_has(const char *list, const char *name) {
  const size_t size = strlen(name);
  for (const char *at = list; (at = strstr(at, name)); at += size)
    if ((at == list || at[-1] == ' ') && (at[size] == '\0' || at[size] == ',') && size > 0)
      return true;
  return false;
}

void error_names_offer(error_names *names, const char *name) {
  const size_t room = sizeof names->list - names->used;
  const size_t size = strlen(name);
  names->nearest.given = names->given;
  nearest_word_offer(&names->nearest, name);
  if (list_has(names->list, name))
    return;
  if (names->left_out > 0 || size + sizeof ", " > room) {
    names->left_out++;
    return;
  }
  names->used +=
      (size_t)snprintf(names->list + names->used, room, "%s%s", names->used > 0 ? ", " : "", name);
}

specpi_result error_set_unknown(specpi_result code, const char *sentence,
                                const error_names *names) {
  const char *best = names->nearest.best;
  char more[40] = "";
  if (names->left_out > 0)
    snprintf(more, sizeof more, " and %zu more", names->left_out);
  return error_set(code, "%s \"%.300s\"%s%s%s%s%s", sentence, names->given,
                   best ? ": did you mean " : "", best ? best : "",
                   best ? "? There are: " : "; there are: ", names->used > 0 ? names->list : "none",
                   more);
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

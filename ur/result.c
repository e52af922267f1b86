#include "result.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
  pi_result pi;
  ur_result_t ur;
} results[] = {
#define RESULT(pi, ur) {pi, ur},
#include "results.def"
    {PI_ERROR_INVALID_SPEC_ID, UR_RESULT_ERROR_INVALID_SPEC_ID},
};
enum { RESULTS = sizeof results / sizeof results[0] };

ur_result_t face_result(pi_result result) {
  for (size_t i = 0; i < RESULTS; i++)
    if (results[i].pi == result)
      return results[i].ur;
  return UR_RESULT_ERROR_UNKNOWN;
}

/*
 * PI's number for a result of UR. Messages are stored with PI's numbers, like those of the objects.
 */
static pi_result number_of(ur_result_t code) {
  for (size_t i = 0; i < RESULTS; i++)
    if (results[i].ur == code)
      return results[i].pi;
  return PI_ERROR_INVALID_VALUE;
}

ur_result_t face_error(ur_result_t code, const char *format, ...) {
  char sentence[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  plugin_error(number_of(code), "%s", sentence);
  return code;
}

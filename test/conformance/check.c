#include "check.h"

#include "../../plugins/base/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
/* cmocka.h needs the three headers above to be included first. */
#include <cmocka.h>

/* The slot of shared->skipped which belongs to this process. */
extern int job_slot;

static const char *result_name(pi_result result) {
  if (result == (pi_result)-71)
    return "INVALID_SPEC_ID";
  return enumerator_name("pi_result", result);
}

static const char *last_error_text(void) {
  char *text = NULL;
  plugin.PiFunctionTable.piPluginGetLastError(&text);
  return text ? text : "";
}

void check_fail(check_place place, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s:%d: %s\n  ", place.file, place.line, place.text);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  const char *text = last_error_text();
  if (*text)
    fprintf(stderr, "  the plugin's last error: %s\n", text);
  fflush(stderr);
  _fail(place.file, place.line);
  abort(); /* not reached: _fail leaves the test, but its declaration does not say so */
}

void skip_test(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(shared->skipped[job_slot], TEXT_SIZE, format, arguments);
  va_end(arguments);
  _skip(__FILE__, __LINE__);
  abort(); /* not reached, as above */
}

void note_built(void) {
  shared->built[job_slot] = true;
}

void end_as_built(void) {
  note_built();
  _skip(__FILE__, __LINE__);
  abort(); /* not reached, as above */
}

void cannot_show(int entry, bool good, const char *reason) {
  snprintf(shared->not_shown[entry][good], sizeof shared->not_shown[entry][good], "%s", reason);
}

void check_success(pi_result got, check_place place) {
  if (got != PI_SUCCESS)
    check_fail(place, "expected PI_SUCCESS, got %s (%d)", result_name(got), got);
  atomic_fetch_add(&shared->entries[last_entry].good, 1);
}

void check_error(pi_result expected, pi_result got, check_place place) {
  if (got != expected)
    check_fail(place, "expected %s (%d), got %s (%d)", result_name(expected), expected,
               result_name(got), got);
  atomic_fetch_add(&shared->entries[last_entry].bad, 1);
}

void check_refused(pi_result got, check_place place) {
  if (got == PI_SUCCESS)
    check_fail(place, "expected an error, got PI_SUCCESS");
  atomic_fetch_add(&shared->entries[last_entry].bad, 1);
}

bool check_supported(pi_result got, check_place place) {
  if (got != PI_SUCCESS && got != PI_ERROR_UNSUPPORTED_FEATURE)
    check_fail(place, "expected PI_SUCCESS or PI_ERROR_UNSUPPORTED_FEATURE, got %s (%d)",
               result_name(got), got);
  atomic_fetch_add(&shared->entries[last_entry].good, 1);
  return got == PI_SUCCESS;
}

void check_unsupported_feature(pi_result got, check_place place) {
  if (check_supported(got, place))
    check_fail(place, "expected PI_ERROR_UNSUPPORTED_FEATURE, got PI_SUCCESS");
}

void check_no_such(pi_result got, check_place place) {
  if (got == PI_ERROR_UNSUPPORTED_FEATURE)
    check_unsupported_feature(got, place);
  else
    check_refused(got, place);
}

void check_untouched(const void *value, size_t size, check_place place) {
  const unsigned char *bytes = value;
  for (size_t i = 0; i < size; i++)
    if (bytes[i] != UNTOUCHED_BYTE)
      check_fail(place, "failed as it should, but changed an output (byte %zu of %zu)", i, size);
}

void check_equal(uint64_t expected, uint64_t got, check_place place) {
  if (expected != got)
    check_fail(place, "expected %llu (0x%llx), got %llu (0x%llx)", (unsigned long long)expected,
               (unsigned long long)expected, (unsigned long long)got, (unsigned long long)got);
}

void check_bytes(const void *expected, const void *got, size_t size, check_place place) {
  const unsigned char *want = expected;
  const unsigned char *have = got;
  for (size_t i = 0; i < size; i++)
    if (want[i] != have[i])
      check_fail(place, "byte %zu of %zu: expected 0x%02x, got 0x%02x", i, size, want[i], have[i]);
}

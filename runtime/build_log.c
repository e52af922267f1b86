#include "build_log.h"

#include "../plugins/base/names.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t log_once = PTHREAD_ONCE_INIT;
static pthread_key_t log_key;
static bool log_key_made;

static void make_log_key(void) {
  log_key_made = pthread_key_create(&log_key, free) == 0;
}

void build_log_keep(char *text) {
  pthread_once(&log_once, make_log_key);
  void *old = log_key_made ? pthread_getspecific(log_key) : NULL;
  if (log_key_made && pthread_setspecific(log_key, text) == 0)
    free(old);
  else
    free(text);
}

const char *specpiGetBuildLog(void) {
  pthread_once(&log_once, make_log_key);
  const char *text = log_key_made ? pthread_getspecific(log_key) : NULL;
  return text ? text : "";
}

char *build_log_read(specpi_device device, pi_program program) {
  enum { LIMIT = 16 * 1024 * 1024 };
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  const pi_device handle = specpiDeviceGetHandle(device);
  size_t size = 0;
  if (!program ||
      pi->piProgramGetBuildInfo(program, handle, PI_PROGRAM_BUILD_INFO_LOG, 0, NULL, &size) !=
          PI_SUCCESS ||
      size == 0 || size > LIMIT)
    return NULL;
  char *text = calloc(1, size + 1);
  if (text && pi->piProgramGetBuildInfo(program, handle, PI_PROGRAM_BUILD_INFO_LOG, size, text,
                                        NULL) != PI_SUCCESS) {
    free(text);
    return NULL;
  }
  return text;
}

/* Writes the start of a log on one line. */
static void flatten(const char *log, char *line, size_t room) {
  size_t used = 0;
  for (; *log && used + 1 < room; log++) {
    const bool breaks = *log == '\n' || *log == '\r' || *log == '\t';
    if (breaks && (used == 0 || line[used - 1] == ' '))
      continue;
    if (breaks)
      line[used++] = ' ';
    else
      line[used++] = *log;
  }
  while (used > 0 && line[used - 1] == ' ')
    used--;
  line[used] = '\0';
}

/* Returns whether a result counts as a failed build; a missing compiler or linker does, too. */
static bool is_build_failure(pi_result result) {
  switch (result) {
  case PI_ERROR_COMPILER_NOT_AVAILABLE:
  case PI_ERROR_LINKER_NOT_AVAILABLE:
  case PI_ERROR_BUILD_PROGRAM_FAILURE:
  case PI_ERROR_COMPILE_PROGRAM_FAILURE:
  case PI_ERROR_LINK_PROGRAM_FAILURE:
  case PI_ERROR_INVALID_BUILD_OPTIONS:
  case PI_ERROR_INVALID_COMPILER_OPTIONS:
  case PI_ERROR_INVALID_LINKER_OPTIONS:
    return true;
  default:
    return false;
  }
}

specpi_result build_failed(specpi_device device, pi_result result, const char *call,
                           pi_program program, const char *options) {
  if (!is_build_failure(result))
    return driver_error(specpiDeviceGetFunctions(device), result, "%s", call);
  char said[512] = "";
  /* Reads the message now, because the query of the log may fail and replace it. */
  snprintf(said, sizeof said, "%s", driver_words(specpiDeviceGetFunctions(device), result));
  char *log = build_log_read(device, program);
  char line[512] = "";
  if (log)
    flatten(log, line, sizeof line);
  build_log_keep(log);
  ERROR_FAIL(SPECPI_ERROR_BUILD_FAILED, "%s%s%.200s%s: %s (%d): %s", call,
             options ? " with the options \"" : "", options ? options : "", options ? "\"" : "",
             enumerator_name("pi_result", result), (int)result, *line ? line : said);
}

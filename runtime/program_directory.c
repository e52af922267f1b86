#include "program_directory.h"

#include "error.h"
#include "trace.h"

#include <specpi/specpi.h>

#include <string.h>

static void say_line(const char *line) {
  trace_line("%s", line);
}

static void trace_program(const char *line) {
  if (trace_enabled(TRACE_CACHE))
    trace_line("%s", line);
}

cache_directory program_directory = CACHE_DIRECTORY_INITIALIZER(
    say_line, trace_program, SPECPI_CACHE_DIRECTORY_BYTES, SPECPI_CACHE_FILE_BYTES);

specpi_result specpiCacheSetDirectory(const char *directory) {
  os_reason reason;
  if (!cache_directory_name(&program_directory, directory, &reason))
    return error_set(SPECPI_ERROR_DIRECTORY, "the cache's directory \"%.400s\" cannot be used: %s",
                     directory, reason.text);
  return SPECPI_SUCCESS;
}

specpi_result specpiCacheClearDirectory(void) {
  char path[CACHE_DIRECTORY_PATH];
  os_reason reason;
  if (!cache_directory_clear(&program_directory, path, &reason))
    return error_set(SPECPI_ERROR_DIRECTORY, "the cache's directory \"%s\" cannot be cleared: %s",
                     path, reason.text);
  return SPECPI_SUCCESS;
}

specpi_result specpiCacheGetDirectory(specpi_cache_directory *directory) {
  if (!directory)
    return error_set(SPECPI_ERROR_INVALID_ARGUMENT, "directory is NULL");
  os_reason reason;
  cache_disk_usage usage;
  _Static_assert(sizeof directory->path == CACHE_DIRECTORY_PATH, "the path has the same capacity");
  memset(directory, 0, sizeof *directory);
  if (!cache_directory_measure(&program_directory, directory->path, &usage, &reason))
    return error_set(SPECPI_ERROR_DIRECTORY, "the cache's directory \"%.400s\" cannot be used: %s",
                     directory->path, reason.text);
  directory->files = usage.files;
  directory->bytes = usage.bytes;
  directory->hits = usage.hits;
  directory->writes = usage.writes;
  return SPECPI_SUCCESS;
}

#include "program_folder.h"

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

cache_folder program_folder = CACHE_FOLDER_INITIALIZER(
    say_line, trace_program, SPECPI_CACHE_FOLDER_BYTES, SPECPI_CACHE_FILE_BYTES);

specpi_result specpiCacheSetFolder(const char *folder) {
  os_reason reason;
  if (!cache_folder_name(&program_folder, folder, &reason))
    return error_set(SPECPI_ERROR_FOLDER, "the cache's folder \"%.400s\" cannot be used: %s",
                     folder, reason.text);
  return SPECPI_SUCCESS;
}

specpi_result specpiCacheClearFolder(void) {
  char path[CACHE_FOLDER_PATH];
  os_reason reason;
  if (!cache_folder_clear(&program_folder, path, &reason))
    return error_set(SPECPI_ERROR_FOLDER, "the cache's folder \"%s\" cannot be cleared: %s", path,
                     reason.text);
  return SPECPI_SUCCESS;
}

specpi_result specpiCacheGetFolder(specpi_cache_folder *folder) {
  if (!folder)
    return error_set(SPECPI_ERROR_INVALID_ARGUMENT, "folder is NULL");
  os_reason reason;
  cache_disk_usage usage;
  _Static_assert(sizeof folder->path == CACHE_FOLDER_PATH, "the path has the same room");
  memset(folder, 0, sizeof *folder);
  if (!cache_folder_measure(&program_folder, folder->path, &usage, &reason))
    return error_set(SPECPI_ERROR_FOLDER, "the cache's folder \"%.400s\" cannot be used: %s",
                     folder->path, reason.text);
  folder->files = usage.files;
  folder->bytes = usage.bytes;
  folder->hits = usage.hits;
  folder->writes = usage.writes;
  return SPECPI_SUCCESS;
}

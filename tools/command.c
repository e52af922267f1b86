/* Functions that subcommands share: errors, strings, files, and libspecpi's lists as arrays. */
#define _GNU_SOURCE /* vasprintf */
#include "tool.h"

#include "../plugins/base/nearest.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void tool_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("specpi: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

int tool_refuse_use(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("specpi: ", stderr);
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "; specpi %s --help describes it\n", command);
  va_end(arguments);
  return TOOL_USAGE;
}

bool tool_takes_option(int argc, char **argv, const char *usage, int *status) {
  static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
  const int option = getopt_long(argc, argv, "h", options, NULL);
  *status = option == 'h' ? TOOL_SUCCESS : TOOL_USAGE;
  if (option == 'h')
    fputs(usage, stdout);
  else if (option != -1)
    nearest_option(argv[0], argv[optind - 1], options);
  return option != -1;
}

void tool_no_memory(void) {
  tool_error("host memory is exhausted");
  exit(TOOL_FAILURE);
}

char *tool_format(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text;
  if (vasprintf(&text, format, arguments) < 0)
    tool_no_memory();
  va_end(arguments);
  return text;
}

const char *tool_map_file(const char *path, size_t *size) {
  /* O_NONBLOCK, because opening a named pipe would wait until somebody writes to it. */
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return NULL;
  struct stat status;
  void *bytes = MAP_FAILED;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED)
    return NULL;
  *size = (size_t)status.st_size;
  return bytes;
}

void tool_unmap_file(const char *bytes, size_t size) {
  if (bytes)
    munmap((void *)(uintptr_t)bytes, size);
}

char *tool_device_line(specpi_device device) {
  const char *backend = specpiBackendGetName(specpiDeviceGetBackend(device));
  return tool_format("[%s:%s][%s] %s, %s %s [%s]", backend, specpiDeviceGetTypeName(device),
                     specpiDeviceGetSelector(device),
                     specpiPlatformGetName(specpiDeviceGetPlatform(device)),
                     specpiDeviceGetName(device), specpiDeviceGetVersion(device),
                     specpiDeviceGetDriverVersion(device));
}

void *tool_new_list(size_t count, size_t size) {
  void *list = calloc(count ? count : 1, size);
  if (!list)
    tool_no_memory();
  return list;
}

bool tool_list_has(const char *list, char separator, const char *entry, size_t size) {
  const char separators[] = {separator, '\0'};
  while (*list) {
    const size_t length = strcspn(list, separators);
    if (length == size && strncmp(list, entry, size) == 0)
      return true;
    list += length + (list[length] != '\0');
  }
  return false;
}

specpi_result tool_devices(bool by_preference, specpi_device **ret, size_t *count) {
  specpi_result (*get)(const char *, size_t, specpi_device *, size_t *) =
      by_preference ? specpiDevicesGetPreferred : specpiDevicesGet;
  const specpi_result result = get(NULL, 0, NULL, count);
  if (result != SPECPI_SUCCESS)
    return result;
  *ret = tool_new_list(*count, sizeof(specpi_device));
  return get(NULL, *count, *ret, count);
}

specpi_plugin *tool_plugins(specpi_backend backend, size_t *count) {
  if (specpiPluginsGet(backend, 0, NULL, count) != SPECPI_SUCCESS)
    return NULL;
  specpi_plugin *plugins = tool_new_list(*count, sizeof(specpi_plugin));
  specpiPluginsGet(backend, *count, plugins, count);
  return plugins;
}

const char **tool_plugin_directories(size_t *count) {
  if (specpiPluginDirectoriesGet(0, NULL, count) != SPECPI_SUCCESS) {
    tool_error("%s", specpiGetLastError());
    return NULL;
  }
  const char **directories = tool_new_list(*count, sizeof *directories);
  specpiPluginDirectoriesGet(*count, directories, count);
  return directories;
}

specpi_platform *tool_platforms(specpi_plugin plugin, size_t *count) {
  specpiPluginGetPlatforms(plugin, 0, NULL, count);
  specpi_platform *platforms = tool_new_list(*count, sizeof(specpi_platform));
  specpiPluginGetPlatforms(plugin, *count, platforms, count);
  return platforms;
}

specpi_device *tool_platform_devices(specpi_platform platform, size_t *count) {
  specpiPlatformGetDevices(platform, 0, NULL, count);
  specpi_device *devices = tool_new_list(*count, sizeof(specpi_device));
  specpiPlatformGetDevices(platform, *count, devices, count);
  return devices;
}

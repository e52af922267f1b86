#define _GNU_SOURCE /* dladdr */
#include "own_directory.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns the absolute path of the file mapped at an address. dladdr's path may be relative to an
 * earlier working directory, because it is the path by which the library was loaded.
 */
static char *mapped_file(const void *address) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps)
    return NULL;
  char *line = NULL;
  size_t size = 0;
  char *found = NULL;
  while (!found && getline(&line, &size, maps) > 0) {
    char *rest;
    const unsigned long begin = strtoul(line, &rest, 16);
    const char *path = strchr(line, '/');
    if (begin != (uintptr_t)address || *rest != '-' || !path)
      continue;
    line[strcspn(line, "\n")] = '\0';
    found = strdup(path);
  }
  free(line);
  fclose(maps);
  return found;
}

char *own_directory(void) {
  static const char here;
  Dl_info info;
  if (!dladdr(&here, &info))
    return NULL;
  char *file =
      info.dli_fname[0] == '/' ? realpath(info.dli_fname, NULL) : mapped_file(info.dli_fbase);
  char *slash = file ? strrchr(file, '/') : NULL;
  if (slash)
    slash[slash == file ? 1 : 0] = '\0';
  return file;
}

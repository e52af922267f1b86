/* The key of an answer about drivers. */
#define _GNU_SOURCE /* dladdr, environ */
#include "probe.h"

#include "../base/vector.h"

#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A text that grows. is_full: there was no memory for all of it. */
typedef struct text {
  char *bytes;
  size_t size;
  bool is_full;
} text;

static void add_text(text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_text(text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *line = NULL;
  const int length = vasprintf(&line, format, arguments);
  va_end(arguments);
  text->is_full = text->is_full || length < 0 ||
                  !vector_resize(&text->bytes, text->size + (size_t)length + 1, 1);
  if (!text->is_full) {
    memcpy(text->bytes + text->size, line, (size_t)length + 1);
    text->size += (size_t)length;
  }
  if (length >= 0)
    free(line);
}

probe_stamp probe_stamp_of(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return (probe_stamp){0};
  return (probe_stamp){(unsigned long long)status.st_size,
                       (unsigned long long)status.st_mtim.tv_sec,
                       (unsigned long long)status.st_mtim.tv_nsec,
                       (unsigned long long)status.st_ino, (unsigned long long)status.st_dev};
}

/* Adds a file's stamp; nothing if the file is missing. */
static void add_file(text *text, const char *path) {
  const probe_stamp stamp = probe_stamp_of(path);
  if (stamp.inode)
    add_text(text, "file %s %llu %llu.%09llu %llu %llu\n", path, stamp.size, stamp.seconds,
             stamp.nanoseconds, stamp.device, stamp.inode);
}

void probe_driver_names(bool (*use)(const char *name, void *data), void *data) {
  static const char known[] = "libze_intel_gpu.so.1,libze_intel_gpu_legacy1.so.1,"
                              "libze_intel_npu.so.1,libze_intel_vpu.so.1";
  const char *list = secure_getenv("ZE_ENABLE_ALT_DRIVERS");
  if (!list || !*list)
    list = known;
  while (*list) {
    const size_t length = strcspn(list, ",");
    char name[PROBE_PATH_SIZE];
    if (length && length < sizeof name) {
      memcpy(name, list, length);
      name[length] = '\0';
      if (!use(name, data))
        return;
    }
    list += length + (list[length] == ',');
  }
}

/* Adds a driver that is named by its path, or found in the directories of LD_LIBRARY_PATH. */
static bool add_driver(const char *name, void *data) {
  text *text = data;
  if (strchr(name, '/')) {
    add_file(text, name);
    return true;
  }
  for (const char *list = secure_getenv("LD_LIBRARY_PATH"); list && *list;) {
    const size_t length = strcspn(list, ":;");
    char path[2 * PROBE_PATH_SIZE];
    const int size = snprintf(path, sizeof path, "%.*s/%s", (int)length, list, name);
    if (length && size > 0 && (size_t)size < sizeof path)
      add_file(text, path);
    list += length + (list[length] != '\0');
  }
  return true;
}

static bool begins(const char *variable, const char *prefix) {
  return strncmp(variable, prefix, strlen(prefix)) == 0;
}

/*
 * Returns whether a variable may affect the loader or a driver. reads_keys: NEOReadDebugKeys is
 * set, so Intel's driver also reads many variables with names in mixed case.
 */
static bool is_of_drivers(const char *variable, bool reads_keys) {
  static const char *const prefixes[] = {"ZE", "NEO", "IGC_", "LD_"};
  const size_t length = strcspn(variable, "=");
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
    if (begins(variable, prefixes[i]))
      return true;
  bool has_lower = false;
  for (size_t i = 0; i < length; i++) {
    has_lower |= islower((unsigned char)variable[i]) != 0;
    if (i + 3 <= length && begins(variable + i, "ZE_"))
      return true;
  }
  return reads_keys && has_lower;
}

static int compare_names(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Adds the variables in alphabetical order, because their order may differ between processes. */
static void add_environment(text *text) {
  size_t count = 0;
  while (environ && environ[count])
    count++;
  char **variables = malloc((count + 1) * sizeof *variables);
  if (!variables) {
    text->is_full = true;
    return;
  }
  const bool reads_keys = secure_getenv("NEOReadDebugKeys") != NULL;
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    if (is_of_drivers(environ[i], reads_keys))
      variables[used++] = environ[i];
  qsort(variables, used, sizeof *variables, compare_names);
  for (size_t i = 0; i < used; i++)
    add_text(text, "variable %s\n", variables[i]);
  free(variables);
}

/* Adds the device files of a directory, and whether this process may use them. */
static void add_devices(text *text, const char *directory) {
  struct dirent **entries;
  const int count = scandir(directory, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
    if (entries[i]->d_name[0] != '.')
      add_text(text, "device %s %d\n", path, access(path, R_OK | W_OK) == 0);
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
}

char *probe_key(const level_zero_driver *loader) {
  text text = {NULL, 0, false};
  Dl_info info;
  void *address;
  memcpy(&address, &loader->Init, sizeof address);
  if (dladdr(address, &info) && info.dli_fname)
    add_file(&text, info.dli_fname);
  /* The cache says where dlopen finds libraries outside LD_LIBRARY_PATH. */
  add_file(&text, "/etc/ld.so.cache");
  probe_driver_names(add_driver, &text);
  add_environment(&text);
  add_devices(&text, "/dev/dri");
  add_devices(&text, "/dev/accel");
  add_text(&text, "end\n");
  if (!text.is_full)
    return text.bytes;
  free(text.bytes);
  return NULL;
}

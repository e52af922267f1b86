#define _GNU_SOURCE /* strndup */
#include "loader.h"

#include "error.h"
#include "os.h"
#include "trace.h"

#include "../plugins/base/cancellation.h"
#include "../plugins/base/own_directory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  const char *file;
} backends[] = {
#define SPECPI_BACKEND(NAME, name, file) {#name, file},
    SPECPI_BACKENDS(SPECPI_BACKEND)
#undef SPECPI_BACKEND
};

const char *specpiBackendGetName(specpi_backend backend) {
  return (size_t)backend < SPECPI_BACKEND_COUNT ? backends[backend].name : NULL;
}

const char *specpiBackendGetFileName(specpi_backend backend) {
  return (size_t)backend < SPECPI_BACKEND_COUNT ? backends[backend].file : NULL;
}

/* The directories to search. They are read once, so that reports agree with what is searched. */
typedef struct directory_list {
  bool made;
  char **directories; /* including relative ones, each of which is refused */
  size_t count;
} directory_list;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static directory_list search;
static struct {
  bool done;
  loader_result result;
} loaded[SPECPI_BACKEND_COUNT];

/* Adds a copy of [begin, begin + size) to a list with enough space. */
static bool add_directory(directory_list *list, const char *begin, size_t size) {
  char *copy = strndup(begin, size);
  if (copy)
    list->directories[list->count++] = copy;
  return copy;
}

static specpi_result read_directories(directory_list *list) {
  const char *path = os_environment_safe("SPECPI_PLUGIN_PATH");
  if (!path)
    path = "";
  size_t room = 2;
  for (const char *c = path; *c; c++)
    room += *c == ':';
  list->directories = calloc(room, sizeof *list->directories);
  bool complete = list->directories;
  while (complete && *path) {
    const size_t size = strcspn(path, ":");
    if (size)
      complete = add_directory(list, path, size);
    path += size + (path[size] == ':');
  }
  char *own = own_directory();
  if (complete && own)
    complete = add_directory(list, own, strlen(own));
  free(own);
  if (complete) {
    list->made = true;
    return SPECPI_SUCCESS;
  }
  for (size_t i = 0; i < list->count; i++)
    free(list->directories[i]);
  free(list->directories);
  *list = (directory_list){0};
  return error_memory();
}

/* With the lock held. */
static specpi_result need_directories(void) {
  return search.made ? SPECPI_SUCCESS : read_directories(&search);
}

static bool is_absolute(const char *directory) {
  return *directory == '/';
}

specpi_result specpiPluginDirectoriesGet(size_t capacity, const char **directories, size_t *count) {
  ERROR_REQUIRE_LIST(directories, capacity, count);
  WITHOUT_CANCELLATION;
  pthread_mutex_lock(&lock);
  const specpi_result result = need_directories();
  pthread_mutex_unlock(&lock);
  ERROR_TRY(result);
  size_t found = 0;
  for (size_t i = 0; i < search.count; i++) {
    if (!is_absolute(search.directories[i]))
      continue;
    if (found < capacity)
      directories[found] = search.directories[i];
    found++;
  }
  *count = found;
  return SPECPI_SUCCESS;
}

static void trace_tried(const plugin *plugin) {
  if (!trace_enabled(TRACE_LOADER))
    return;
  const char *separator = *plugin->reason ? ": " : "";
  if (*plugin->version)
    trace_line("loader: %s (%s) is %s%s%s", plugin->path, plugin->version,
               specpiPluginGetStateName(plugin), separator, plugin->reason);
  else
    trace_line("loader: %s is %s%s%s", plugin->path, specpiPluginGetStateName(plugin), separator,
               plugin->reason);
}

static specpi_result try_directory(specpi_backend backend, const char *directory, plugin **ret) {
  const char *file = backends[backend].file;
  const size_t size = strlen(directory) + 1 + strlen(file) + 1;
  char *path = malloc(size);
  if (!path)
    return error_memory();
  snprintf(path, size, "%s/%s", directory, file);
  specpi_result result;
  if (is_absolute(directory))
    result = plugin_open(backend, path, ret);
  else
    result = plugin_refuse(
        backend, path, "entries of SPECPI_PLUGIN_PATH must be absolute, and this one is not", ret);
  free(path);
  if (result == SPECPI_SUCCESS && (*ret)->state == SPECPI_PLUGIN_IDLE) {
    result = plugin_discover(*ret);
    if (result != SPECPI_SUCCESS)
      plugin_free(*ret);
  }
  if (result == SPECPI_SUCCESS)
    trace_tried(*ret);
  return result;
}

static specpi_result search_backend(specpi_backend backend, loader_result *ret) {
  ret->tried = calloc(search.count + 1, sizeof(plugin *));
  if (!ret->tried)
    return error_memory();
  for (size_t i = 0; i < search.count && !ret->used; i++) {
    plugin *plugin;
    ERROR_TRY(try_directory(backend, search.directories[i], &plugin));
    ret->tried[ret->tried_count++] = plugin;
    if (plugin->state == SPECPI_PLUGIN_READY || plugin->state == SPECPI_PLUGIN_IDLE)
      ret->used = plugin;
  }
  return SPECPI_SUCCESS;
}

/*
 * An exit handler. It is registered after each plugin is loaded, so that its first run is before
 * the destructors of all plugins' drivers. Libraries are not closed, because threads may still run
 * in them.
 */
static void tear_down(void) {
  static bool done;
  if (done)
    return;
  done = true;
  for (size_t i = 0; i < SPECPI_BACKEND_COUNT; i++) {
    bool parameter = false;
    if (loaded[i].result.used)
      loaded[i].result.used->functions.piTearDown(&parameter);
  }
}

/* With the lock held. */
static specpi_result load_backend(specpi_backend backend) {
  ERROR_TRY(need_directories());
  loader_result found = {0};
  const specpi_result result = search_backend(backend, &found);
  if (result != SPECPI_SUCCESS) {
    for (size_t i = 0; i < found.tried_count; i++)
      plugin_free(found.tried[i]);
    free(found.tried);
    return result;
  }
  if (found.used)
    atexit(tear_down);
  loaded[backend].result = found;
  loaded[backend].done = true;
  return SPECPI_SUCCESS;
}

specpi_result loader_get(specpi_backend backend, const loader_result **ret) {
  WITHOUT_CANCELLATION;
  pthread_mutex_lock(&lock);
  const specpi_result result = loaded[backend].done ? SPECPI_SUCCESS : load_backend(backend);
  pthread_mutex_unlock(&lock);
  if (result == SPECPI_SUCCESS)
    *ret = &loaded[backend].result;
  return result;
}

#define _GNU_SOURCE /* realpath */
#include "adapters.h"

#include "release.h"
#include "tool.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/*
 * Adds a directory's adapters for the backends that have none yet, and the directory itself if it
 * had such an adapter. Returns false after an error.
 */
static bool add_directory(adapter_list *list, const char *directory) {
  bool found = false;
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++) {
    char *file =
        tool_format("%s/libur_adapter_%s.so.0", directory, specpiBackendGetName((specpi_backend)b));
    if (list->files[b] || access(file, R_OK) != 0) {
      free(file);
      continue;
    }
    found = true;
    list->files[b] = file;
  }
  if (!found)
    return true;
  /* The loader has no escape for a comma. */
  if (strchr(directory, ',')) {
    tool_error("%s: UR_ADAPTERS_SEARCH_PATH cannot have a directory with a comma", directory);
    return false;
  }
  char *longer = list->directories ? tool_format("%s,%s", list->directories, directory)
                                   : tool_format("%s", directory);
  free(list->directories);
  list->directories = longer;
  return true;
}

static bool add_named_directory(adapter_list *list, const char *directory) {
  char *absolute = realpath(directory, NULL);
  if (!absolute)
    tool_error("--plugins %s: %s", directory, strerror(errno));
  const bool done = absolute && add_directory(list, absolute);
  free(absolute);
  return done;
}

bool adapters_list(adapter_list *ret) {
  size_t count;
  *ret = (adapter_list){.directories = NULL};
  const char **directories = tool_plugin_directories(&count);
  if (!directories)
    return false;
  bool done = true;
  for (size_t i = 0; i < count && done; i++)
    done = add_directory(ret, directories[i]);
  free(directories);
  return done;
}

bool adapters_find(const char *directory, adapter_list *ret) {
  *ret = (adapter_list){.directories = NULL};
  if (directory ? !add_named_directory(ret, directory) : !adapters_list(ret))
    return false;
  if (!ret->directories)
    tool_error("there is no adapter of Unified Runtime, such as libur_adapter_%s.so.0, in %s",
               specpiBackendGetName(SPECPI_BACKEND_CUDA),
               directory ? directory
                         : "the directories where specpi looks; name one with --plugins");
  return ret->directories;
}

/* Returns the first readable file of this name in a list of directories, or NULL. */
static char *find_in_list(const char *list, const char *separator, const char *name) {
  while (list && *list) {
    const size_t size = strcspn(list, separator);
    char *file = tool_format("%.*s/%s", (int)size, list, name);
    if (size && access(file, R_OK) == 0)
      return file;
    free(file);
    list += size + (list[size] != '\0');
  }
  return NULL;
}

/* Returns the entry with this file name from a comma-separated list of paths, or NULL. */
static char *find_forced(const char *list, const char *name) {
  while (*list) {
    const size_t size = strcspn(list, ",");
    char *file = tool_format("%.*s", (int)size, list);
    const char *slash = strrchr(file, '/');
    if (strcmp(slash ? slash + 1 : file, name) == 0)
      return file;
    free(file);
    list += size + (list[size] != '\0');
  }
  return NULL;
}

char *adapters_choice(const runtime *runtime, specpi_backend backend) {
  const char *forced = getenv("UR_ADAPTERS_FORCE_LOAD");
  char *name = tool_format("libur_adapter_%s.so.0", specpiBackendGetName(backend));
  char *found = NULL;
  if (forced && *forced) {
    found = find_forced(forced, name);
  } else if (release_has_inside(runtime, specpiBackendGetName(backend))) {
    found = tool_format("%s/%s", runtime->directory, runtime->name);
  } else {
    found = find_in_list(getenv("UR_ADAPTERS_SEARCH_PATH"), ",", name);
    found = found ? found : find_in_list(getenv("LD_LIBRARY_PATH"), ":", name);
    found = found ? found : find_in_list(runtime->directory, "\n", name);
  }
  free(name);
  return found;
}

bool adapters_are_copies(const char *one, const char *other) {
  size_t size = 0;
  size_t other_size = 0;
  const char *bytes = tool_map_file(one, &size);
  const char *other_bytes = tool_map_file(other, &other_size);
  const bool same =
      bytes && other_bytes && size == other_size && memcmp(bytes, other_bytes, size) == 0;
  tool_unmap_file(bytes, size);
  tool_unmap_file(other_bytes, other_size);
  return same;
}

void adapters_clear(adapter_list *list) {
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++)
    free(list->files[b]);
  free(list->directories);
}

const char *adapters_fault(const char *file) {
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    return dlerror();
  return dlsym(library, "urGetPlatformProcAddrTable") ? NULL
                                                      : "it has no urGetPlatformProcAddrTable";
}

/*
 * Returns whether the loader skips a backend's file: it does when the selector has terms that
 * accept devices, and each of these terms names another backend.
 */
static bool is_left_out(const char *terms, const char *backend) {
  bool any = false;
  while (*terms) {
    terms += strspn(terms, "; ");
    const size_t size = strcspn(terms, ":;");
    if (size && *terms != '!') {
      any = true;
      if ((size == 1 && *terms == '*') ||
          (size == strlen(backend) && strncasecmp(terms, backend, size) == 0))
        return false;
    }
    terms += strcspn(terms, ";");
  }
  return any;
}

const char *adapters_obstacle(const char *backend) {
  const char *terms = getenv("ONEAPI_DEVICE_SELECTOR");
  const char *filtered = getenv("UR_LOADER_PRELOAD_FILTER");
  return terms && is_left_out(terms, backend) && !(filtered && strcmp(filtered, "0") == 0) ? terms
                                                                                           : NULL;
}

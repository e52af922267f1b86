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

/* A folder's adapters, unless an earlier folder had them; the folder itself if it has any. */
static bool add_folder(adapter_list *list, const char *folder) {
  bool found = false;
  for (size_t b = 0; b < SPECPI_BACKEND_COUNT; b++) {
    char *file =
        tool_format("%s/libur_adapter_%s.so.0", folder, specpiBackendGetName((specpi_backend)b));
    if (list->files[b] || access(file, R_OK) != 0) {
      free(file);
      continue;
    }
    found = true;
    list->files[b] = file;
  }
  if (!found)
    return true;
  /* The loader knows no way to write one. */
  if (strchr(folder, ',')) {
    tool_error("%s: UR_ADAPTERS_SEARCH_PATH cannot have a folder with a comma", folder);
    return false;
  }
  char *longer =
      list->folders ? tool_format("%s,%s", list->folders, folder) : tool_format("%s", folder);
  free(list->folders);
  list->folders = longer;
  return true;
}

static bool add_named_folder(adapter_list *list, const char *folder) {
  char *absolute = realpath(folder, NULL);
  if (!absolute)
    tool_error("--plugins %s: %s", folder, strerror(errno));
  const bool done = absolute && add_folder(list, absolute);
  free(absolute);
  return done;
}

bool adapters_list(adapter_list *ret) {
  size_t count;
  *ret = (adapter_list){.folders = NULL};
  if (specpiPluginFoldersGet(0, NULL, &count) != SPECPI_SUCCESS) {
    tool_error("%s", specpiGetLastError());
    return false;
  }
  const char **folders = calloc(count ? count : 1, sizeof(const char *));
  if (!folders)
    tool_no_memory();
  specpiPluginFoldersGet(count, folders, &count);
  bool done = true;
  for (size_t i = 0; i < count && done; i++)
    done = add_folder(ret, folders[i]);
  free(folders);
  return done;
}

bool adapters_find(const char *folder, adapter_list *ret) {
  *ret = (adapter_list){.folders = NULL};
  if (folder ? !add_named_folder(ret, folder) : !adapters_list(ret))
    return false;
  if (!ret->folders)
    tool_error("there is no adapter of Unified Runtime, such as libur_adapter_%s.so.0, in %s",
               specpiBackendGetName(SPECPI_BACKEND_CUDA),
               folder ? folder : "the folders where specpi looks; name one with --plugins");
  return ret->folders;
}

/* The first readable file of this name in a list of folders; NULL when there is none. */
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

/* The entry of a list of files whose name this is. */
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
    found = tool_format("%s/%s", runtime->folder, runtime->name);
  } else {
    found = find_in_list(getenv("UR_ADAPTERS_SEARCH_PATH"), ",", name);
    found = found ? found : find_in_list(getenv("LD_LIBRARY_PATH"), ":", name);
    found = found ? found : find_in_list(runtime->folder, "\n", name);
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
  free(list->folders);
}

const char *adapters_fault(const char *file) {
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    return dlerror();
  return dlsym(library, "urGetPlatformProcAddrTable") ? NULL
                                                      : "it has no urGetPlatformProcAddrTable";
}

/*
 * Returns whether the loader passes over a backend's file: the selector has terms that take
 * devices, and none of them names this backend or all.
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

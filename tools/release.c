#define _GNU_SOURCE /* memmem */
#include "release.h"

#include "tool.h"

#include <ur/ur.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *text;
  const char *mark;
  unsigned version;
} releases[] = {
#define UR_RELEASE(name, text, version, words, mark) {text, mark, version},
#include <ur/ur_releases.def>
};

/* The names of all releases, each after ", ". */
#define UR_RELEASE(name, text, version, words, mark) ", " text
static const char texts[] =
#include <ur/ur_releases.def>
    ;

const char *release_names(void) {
  return texts + strlen(", ");
}

/* Returns whether a file contains a string together with its NUL. */
static bool has_text(const char *bytes, size_t size, const char *text) {
  return memmem(bytes, size, text, strlen(text) + 1);
}

/* Prefix of the symbol versions that libsycl needs from its loader. */
static const char asked[] = "LIBUR_LOADER_";

static bool asks_for(const char *bytes, size_t size, unsigned version) {
  char text[sizeof asked + 16];
  snprintf(text, sizeof text, "%s0.%u", asked, version);
  return has_text(bytes, size, text);
}

/* Returns the newest release whose symbol version libsycl needs and whose mark the loader has. */
static const char *find_beside(const char *sycl, size_t sycl_size, const char *loader,
                               size_t loader_size) {
  for (size_t i = sizeof releases / sizeof releases[0]; i-- > 0;)
    if (asks_for(sycl, sycl_size, releases[i].version) &&
        (!releases[i].mark || has_text(loader, loader_size, releases[i].mark)))
      return releases[i].text;
  return NULL;
}

/* Finds the release of a libsycl from 2026.2 on, which contains the loader. */
static const char *find_inside(const char *sycl, size_t sycl_size) {
  const size_t newest = sizeof releases / sizeof releases[0] - 1;
  return has_text(sycl, sycl_size, releases[newest].mark) ? releases[newest].text : NULL;
}

const char *release_find(const runtime *runtime) {
  size_t sycl_size = 0;
  size_t loader_size = 0;
  char *sycl_path = tool_format("%s/%s", runtime->directory, runtime->name);
  char *loader_path = tool_format("%s/libur_loader.so.0", runtime->directory);
  const char *sycl = tool_map_file(sycl_path, &sycl_size);
  const char *loader = tool_map_file(loader_path, &loader_size);
  const char *found = NULL;
  if (sycl && !memmem(sycl, sycl_size, asked, strlen(asked)))
    found = find_inside(sycl, sycl_size);
  else if (sycl && loader)
    found = find_beside(sycl, sycl_size, loader, loader_size);
  tool_unmap_file(sycl, sycl_size);
  tool_unmap_file(loader, loader_size);
  free(sycl_path);
  free(loader_path);
  return found;
}

bool release_has_inside(const runtime *runtime, const char *backend) {
  size_t size = 0;
  char *path = tool_format("%s/%s", runtime->directory, runtime->name);
  char *adapter = tool_format("ur_adapter_%s", backend);
  const char *sycl = tool_map_file(path, &size);
  const bool inside =
      sycl && !memmem(sycl, size, asked, strlen(asked)) && has_text(sycl, size, adapter);
  tool_unmap_file(sycl, size);
  free(adapter);
  free(path);
  return inside;
}

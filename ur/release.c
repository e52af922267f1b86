#define _GNU_SOURCE /* dladdr */
#include "release.h"

#include <dlfcn.h>
#include <string.h>

static const struct {
  const char *text;
  const char *mark;
  uint32_t version;
} releases[] = {
#define UR_RELEASE(name, text, version, words, mark) {text, mark, UR_MAKE_VERSION(0, version)},
#include <ur/ur_releases.def>
};

/* A list of the releases' texts, each with a comma before it. */
#define UR_RELEASE(name, text, version, words, mark) ", " text
static const char texts[] =
#include <ur/ur_releases.def>
    ;

const char *release_texts(void) {
  return texts + 2;
}

const char *release_text(ur_release release) {
  return releases[release].text;
}

/* Since 2026.2 the loader is linked into libsycl, which exports none of the loader's symbols. */
static bool is_libsycl(const char *path) {
  static const char *const names[] = {"libsycl.so", "libsycl-preview.so"};
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

/* The newest release of this version whose mark, a symbol, the library exports. */
static ur_release find_mark(ur_api_version_t version, void *library) {
  for (unsigned i = UR_RELEASE_COUNT; i-- > 0;)
    if (releases[i].version == (uint32_t)version &&
        (!releases[i].mark || dlsym(library, releases[i].mark)))
      return (ur_release)i;
  return UR_RELEASE_COUNT;
}

ur_release release_find(ur_api_version_t version, const void *caller) {
  Dl_info place;
  if (!dladdr(caller, &place) || !place.dli_fname)
    return UR_RELEASE_COUNT;
  const ur_release newest = (ur_release)(UR_RELEASE_COUNT - 1);
  if (is_libsycl(place.dli_fname))
    return releases[newest].version == (uint32_t)version ? newest : UR_RELEASE_COUNT;
  void *library = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!library)
    return UR_RELEASE_COUNT;
  const ur_release found = find_mark(version, library);
  dlclose(library);
  return found;
}

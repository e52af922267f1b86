/* LOADER_RELEASE is the release's name, e.g. 2025_3. */
#include "loader.h"

#include <dlfcn.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define RELEASE_OF_(name) UR_RELEASE_##name
#define RELEASE_OF(name) RELEASE_OF_(name)

loader_fill_fn loader_fill;
loader_ask_fn loader_ask;

static const struct {
  const char *symbol;
  int places[2 * UR_RELEASE_COUNT];
} tables[] = {
#define UR_TABLE(name, ...) {"urGet" #name "ProcAddrTable", {__VA_ARGS__}},
#include <ur/ur_tables.def>
};
enum { TABLES = sizeof tables / sizeof tables[0] };

static const struct {
  unsigned version;
  unsigned words;
} releases[] = {
#define UR_RELEASE(name, text, version, words, mark) {version, words},
#include <ur/ur_releases.def>
};

/* The volatile result prevents a tail call: as with the real loader the adapter returns to here. */
EXPORT ur_result_t loader_ask(void *adapter, const char *symbol, ur_api_version_t version,
                              void *table) {
  ur_result_t (*get)(ur_api_version_t version, void *table);
  void *const found = dlsym(adapter, symbol);
  if (!found)
    return UR_RESULT_ERROR_UNINITIALIZED;
  memcpy(&get, &found, sizeof get);
  volatile ur_result_t result = get(version, table);
  return result;
}

/* Returns a table's rank in the order of requests: 0 for the first, 2 for those of devices. */
static int turn_of(const char *symbol) {
  if (strcmp(symbol, "urGetAdapterProcAddrTable") == 0 ||
      strcmp(symbol, "urGetGlobalProcAddrTable") == 0)
    return 0;
  return strncmp(symbol, "urGetDevice", strlen("urGetDevice")) == 0 ? 2 : 1;
}

/* Orders tables of the same rank by strcmp, so that USM comes before UsmP2P. */
static bool comes_before(const char *left, const char *right) {
  const int turns = turn_of(left) - turn_of(right);
  return turns ? turns < 0 : strcmp(left, right) < 0;
}

EXPORT ur_result_t loader_fill(void *adapter, loader *ret) {
  const ur_release release = RELEASE_OF(LOADER_RELEASE);
  memset(ret, 0, sizeof *ret);
  ret->release = release;
  ret->words = releases[release].words;
  ret->version = (ur_api_version_t)UR_MAKE_VERSION(0, releases[release].version);
  const char *last = NULL;
  for (;;) {
    int next = -1;
    for (int i = 0; i < TABLES; i++)
      if (tables[i].places[2 * release] >= 0 && (!last || comes_before(last, tables[i].symbol)) &&
          (next < 0 || comes_before(tables[i].symbol, tables[next].symbol)))
        next = i;
    if (next < 0)
      return UR_RESULT_SUCCESS;
    last = tables[next].symbol;
    const ur_result_t result =
        loader_ask(adapter, last, ret->version, ret->record + tables[next].places[2 * release]);
    if (result != UR_RESULT_SUCCESS)
      return result;
  }
}

/* Each release exports the functions of the ones before and one more. They identify it. */
#define MARK(name)                                                                                 \
  EXPORT ur_result_t mark_##name(void) __asm__(#name);                                             \
  ur_result_t mark_##name(void) { return UR_RESULT_ERROR_UNINITIALIZED; }
#if LOADER_MARKS > 0
MARK(urGetAdapterProcAddrTable)
#endif
#if LOADER_MARKS > 1
MARK(urGraphCreateExp)
#endif
#if LOADER_MARKS > 2
MARK(urGraphGetIdExp)
#endif
#if LOADER_MARKS > 3
MARK(urEventCreateExp)
#endif

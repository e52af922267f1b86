/*
 * A loader of Unified Runtime as one of the seven releases has it: a library for each, which asks
 * an adapter for its tables as that release does, from its own code, and is told apart from the
 * others as they are, by what it exports.
 */
#ifndef TEST_UR_LOADER_H
#define TEST_UR_LOADER_H

#include <ur/ur.h>

/* More than any release has. */
enum { LOADER_WORDS = 256 };

typedef struct loader {
  ur_release release;
  unsigned words; /* of this release */
  ur_api_version_t version;
  void *record[LOADER_WORDS]; /* the tables, one behind the other; zeros where nothing was filled */
} loader;

/*
 * Gets every table of this release from the adapter, a handle of dlopen, in the order of the real
 * loader: first the one that has urAdapterGet, then by name, Device last. The first failure ends
 * it.
 */
typedef ur_result_t loader_fill_fn(void *adapter, loader *ret);

/* The same for one table, in any place and with any version. */
typedef ur_result_t loader_ask_fn(void *adapter, const char *symbol, ur_api_version_t version,
                                  void *table);

#endif

/*
 * A loader of Unified Runtime like that of one of the seven releases. There is a library for each.
 * It asks an adapter for its tables as that release does, from its own code, and its exports
 * identify it as the real loader's do.
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
  void *record[LOADER_WORDS]; /* the tables, one after the other; zeros where none was filled */
} loader;

/*
 * Gets every table of this release from the adapter, a handle of dlopen, in the order of the real
 * loader: first the table with urAdapterGet, then by name, Device last. Stops at the first failure.
 */
typedef ur_result_t loader_fill_fn(void *adapter, loader *ret);

/* The same for one table, in any place and with any version. */
typedef ur_result_t loader_ask_fn(void *adapter, const char *symbol, ur_api_version_t version,
                                  void *table);

#endif

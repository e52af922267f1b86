/*
 * A mock of a Unified Runtime loader, built as a library for each of the seven releases. It asks an
 * adapter for its tables as that release's loader does, from its own code, and has the exports by
 * which adapters recognize the release.
 */
#ifndef TEST_UR_LOADER_H
#define TEST_UR_LOADER_H

#include <ur/ur.h>

/* More words than any release's record has. */
enum { LOADER_WORDS = 256 };

typedef struct loader {
  ur_release release;
  unsigned words; /* used words of record */
  ur_api_version_t version;
  void *record[LOADER_WORDS]; /* the tables, one after the other; NULL where not filled */
} loader;

/*
 * Gets every table of this release from the adapter, a handle of dlopen. The order is the real
 * loader's: first the table with urAdapterGet, then the others by name, and Device last. Stops at
 * the first failure.
 */
typedef ur_result_t loader_fill_fn(void *adapter, loader *ret);

/* Asks the adapter for one table, with any version; table is where the adapter writes it. */
typedef ur_result_t loader_ask_fn(void *adapter, const char *symbol, ur_api_version_t version,
                                  void *table);

#endif

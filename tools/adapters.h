/* The adapters of Unified Runtime (docs/internals/ur.md): where they are, and what tells a runtime.
 */
#ifndef SPECPI_ADAPTERS_H
#define SPECPI_ADAPTERS_H

#include "runtime.h"

#include <specpi/specpi.h>

#include <stdbool.h>

/* The adapters to use; the texts are the caller's. */
typedef struct adapter_list {
  char *directories;                 /* for UR_ADAPTERS_SEARCH_PATH: with commas between */
  char *files[SPECPI_BACKEND_COUNT]; /* absolute; NULL where a backend has none */
} adapter_list;

/*
 * Finds them in a directory, or, when that is NULL, in those where specpi looks for plugins: the
 * first file of a name counts, as it does for the runtime's loader. False after an error.
 */
bool adapters_find(const char *directory, adapter_list *ret);

/* The second half of that, without an error where there is none: directories is NULL then. */
bool adapters_list(adapter_list *ret);

/*
 * Loads a file and says why it cannot be used as an adapter; NULL when it can. The text is good
 * until the next call.
 */
const char *adapters_fault(const char *file);

/*
 * Returns the file of a backend that a runtime's loader takes, in memory that the caller frees;
 * NULL when it finds none. As docs/internals/ur.md has it: UR_ADAPTERS_FORCE_LOAD, else libsycl
 * itself where the adapter is inside, else the directories of UR_ADAPTERS_SEARCH_PATH, of
 * LD_LIBRARY_PATH, and the loader's own.
 */
char *adapters_choice(const runtime *runtime, specpi_backend backend);

/* Returns whether two files are the same one, or copies. */
bool adapters_are_copies(const char *one, const char *other);

void adapters_clear(adapter_list *list);

/*
 * ONEAPI_DEVICE_SELECTOR when a loader passes over the file of a backend, a name in selectors,
 * because of it, which UR_LOADER_PRELOAD_FILTER=0 turns off; NULL when it does not.
 */
const char *adapters_obstacle(const char *backend);

#endif

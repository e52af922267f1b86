/*
 * The adapters of Unified Runtime: finds specpi's own, and which ones a SYCL runtime loads
 * (docs/internals/ur.md).
 */
#ifndef SPECPI_ADAPTERS_H
#define SPECPI_ADAPTERS_H

#include "runtime.h"

#include <specpi/specpi.h>

#include <stdbool.h>

/* The adapters to use. adapters_clear frees the strings. */
typedef struct adapter_list {
  char *directories;                 /* comma-separated, for UR_ADAPTERS_SEARCH_PATH */
  char *files[SPECPI_BACKEND_COUNT]; /* absolute; NULL where a backend has none */
} adapter_list;

/*
 * Finds the adapters in a directory, or, if it is NULL, in the directories where specpi looks for
 * plugins. Of several files with one name the first is taken, as the runtime's loader does. Returns
 * false after an error.
 */
bool adapters_find(const char *directory, adapter_list *ret);

/*
 * Finds the adapters in the directories where specpi looks for plugins. It is no error if there is
 * none: directories is then NULL.
 */
bool adapters_list(adapter_list *ret);

/*
 * Loads a file and returns the reason why it is no usable adapter, or NULL if it is one. The string
 * is valid until the next call.
 */
const char *adapters_fault(const char *file);

/*
 * Returns the file that a runtime's loader would load for a backend, or NULL if it finds none. The
 * caller frees it. The loader looks in UR_ADAPTERS_FORCE_LOAD alone if it is set; else it takes
 * libsycl itself if that contains the adapter; else it searches the directories of
 * UR_ADAPTERS_SEARCH_PATH, those of LD_LIBRARY_PATH, and its own (docs/internals/ur.md).
 */
char *adapters_choice(const runtime *runtime, specpi_backend backend);

/* Returns whether two paths lead to one file or to files with equal contents. */
bool adapters_are_copies(const char *one, const char *other);

void adapters_clear(adapter_list *list);

/*
 * Returns the value of ONEAPI_DEVICE_SELECTOR if it makes a loader skip the file of this backend,
 * else NULL. UR_LOADER_PRELOAD_FILTER=0 turns off such skipping.
 */
const char *adapters_obstacle(const char *backend);

#endif

/* Finds and loads the plugin of a backend, and asks it for its devices, once per process. */
#ifndef SPECPI_LOADER_H
#define SPECPI_LOADER_H

#include "plugin.h"

/* The result of loading a backend. Constant once loader_get has returned it. */
typedef struct loader_result {
  plugin **tried; /* the files that were tried, in the order of the directories */
  size_t tried_count;
  plugin *used; /* the last file tried, if it is in use; or NULL */
} loader_result;

/*
 * Loads the backend's plugin on the first call; calls at the same time wait for that. After a
 * failure the next call tries again. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result loader_get(specpi_backend backend, const loader_result **ret);

#endif

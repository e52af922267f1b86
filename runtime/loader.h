/* Which plugin serves a backend: searched, loaded and asked for its devices once per process. */
#ifndef SPECPI_LOADER_H
#define SPECPI_LOADER_H

#include "plugin.h"

/* The result of loading a backend. Constant once loader_get has returned it. */
typedef struct loader_result {
  plugin **tried; /* in the order of the directories */
  size_t tried_count;
  plugin *used; /* the last one tried, or NULL */
} loader_result;

/*
 * Loads the backend's plugin on the first call; others wait for it. After a failure the
 * next call tries again. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result loader_get(specpi_backend backend, const loader_result **ret);

#endif

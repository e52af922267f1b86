/* Settings of queues in the environment; docs/internals/level_zero.md describes them. */
#ifndef LEVEL_ZERO_SETTINGS_H
#define LEVEL_ZERO_SETTINGS_H

#include <stdbool.h>

typedef struct level_zero_settings {
  bool is_immediate;    /* SPECPI_LEVEL_ZERO_COMMAND_LISTS=immediate, the default, or batch */
  unsigned batch_size;  /* SPECPI_LEVEL_ZERO_BATCH_SIZE=N commands; 0, the default: adaptive */
  bool has_copy_engine; /* SPECPI_LEVEL_ZERO_COPY_ENGINE=1, the default, or 0: no copy engine */
} level_zero_settings;

/* Upper limit of batch_size. */
enum { LEVEL_ZERO_LARGEST_BATCH = 4096 };

/*
 * Returns the settings, which the first call reads. Safe from any thread. An invalid value counts
 * as the default; a note in piPluginGetLastError and the trace says so.
 */
const level_zero_settings *level_zero_get_settings(void);

#endif

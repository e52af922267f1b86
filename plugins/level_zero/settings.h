/* Settings of queues in the environment; docs/internals/level_zero.md describes it. */
#ifndef LEVEL_ZERO_SETTINGS_H
#define LEVEL_ZERO_SETTINGS_H

#include <stdbool.h>

typedef struct level_zero_settings {
  bool is_immediate;    /* SPECPI_LEVEL_ZERO_COMMAND_LISTS=immediate, the default, or batch */
  unsigned batch_size;  /* SPECPI_LEVEL_ZERO_BATCH_SIZE=N commands; 0, the default: as it fits */
  bool has_copy_engine; /* SPECPI_LEVEL_ZERO_COPY_ENGINE=1, the default, or 0: copies use none */
} level_zero_settings;

/* Batches have no more commands than this, whatever the environment asks for. */
enum { LEVEL_ZERO_LARGEST_BATCH = 4096 };

/*
 * Read when they are first asked for; from any thread. A value that is none of those above counts
 * as the default, and a note in piPluginGetLastError and the trace says so.
 */
const level_zero_settings *level_zero_get_settings(void);

#endif

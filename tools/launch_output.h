/* Where specpi launch writes buffers after the run. */
#ifndef SPECPI_TOOLS_LAUNCH_OUTPUT_H
#define SPECPI_TOOLS_LAUNCH_OUTPUT_H

#include "launch_argument.h"

/* A buffer's file. */
typedef struct launch_output {
  const char *spec; /* as it was given */
  size_t argument;
  const char *path;
} launch_output;

/*
 * Reads ARGUMENT=FILE, sees whether that argument is a buffer, writes its bytes as they are. NULL
 * on success, else why not, as a message without a full stop that the caller frees. spec must
 * stay.
 */
char *launch_output_parse(const char *spec, launch_output *ret);
char *launch_output_check(const launch_output *output, const launch_argument *arguments,
                          size_t count);
char *launch_output_write(const launch_output *output, const launch_argument *arguments);

#endif

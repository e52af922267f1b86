/* Where specpi launch writes buffers after the run. */
#ifndef SPECPI_TOOLS_LAUNCH_OUTPUT_H
#define SPECPI_TOOLS_LAUNCH_OUTPUT_H

#include "launch_argument.h"

/* A buffer's file. */
typedef struct launch_output {
  const char *spec; /* the option's text */
  size_t argument;
  const char *path;
} launch_output;

/*
 * launch_output_parse parses ARGUMENT=FILE, launch_output_check checks that the argument is a
 * buffer, and launch_output_write writes its bytes to the file. They return NULL on success, else
 * the reason, a message without a full stop that the caller frees. spec must stay valid.
 */
char *launch_output_parse(const char *spec, launch_output *ret);
char *launch_output_check(const launch_output *output, const launch_argument *arguments,
                          size_t count);
char *launch_output_write(const launch_output *output, const launch_argument *arguments);

#endif

/* Warnings of specpi launch about buffers whose element type differs from the kernel's. */
#ifndef SPECPI_TOOLS_LAUNCH_WARNING_H
#define SPECPI_TOOLS_LAUNCH_WARNING_H

#include "launch_argument.h"

typedef struct launch_warnings {
  char **texts; /* messages without a full stop */
  size_t count;
} launch_warnings;

/*
 * Compares the buffers' element types with the types of the kernel's pointer parameters, which
 * SPIR-V images have and PTX lacks. A pointer to i8 matches any buffer, because void * is one, too.
 * The caller frees *ret with launch_warnings_free.
 */
void launch_warnings_find(const char *kernel, const launch_argument *arguments, size_t count,
                          launch_warnings *ret);
void launch_warnings_free(launch_warnings *warnings);

#endif

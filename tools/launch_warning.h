/* Warnings of specpi launch about buffers whose numbers have another type than the kernel's. */
#ifndef SPECPI_TOOLS_LAUNCH_WARNING_H
#define SPECPI_TOOLS_LAUNCH_WARNING_H

#include "launch_argument.h"

typedef struct launch_warnings {
  char **texts; /* messages without a full stop */
  size_t count;
} launch_warnings;

/*
 * Compares the elements of buffers with what the kernel's pointers lead to, as an image of the
 * library says: SPIR-V tells, and PTX does not. Bytes (i8, which a pointer to void is, too) may be
 * anything. The caller frees *ret.
 */
void launch_warnings_find(const char *kernel, const launch_argument *arguments, size_t count,
                          launch_warnings *ret);
void launch_warnings_free(launch_warnings *warnings);

#endif

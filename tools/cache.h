/* Describes the directory in which built programs are kept. */
#ifndef SPECPI_TOOL_CACHE_H
#define SPECPI_TOOL_CACHE_H

#include <stdbool.h>

/* Prints its path and contents, or why there is none. Returns false if it cannot be used. */
bool cache_print(void);

#endif

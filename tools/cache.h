/* Descriptions of the directory in which built programs are kept. */
#ifndef SPECPI_TOOL_CACHE_H
#define SPECPI_TOOL_CACHE_H

#include <stdbool.h>

/* Prints where it is and what is in it, or why there is none; false: it cannot be used. */
bool cache_print(void);

#endif

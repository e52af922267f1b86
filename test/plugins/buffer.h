/* What the cases about buffers that only one backend has share with the others. */
#ifndef SPECPI_TEST_PLUGINS_BUFFER_H
#define SPECPI_TEST_PLUGINS_BUFFER_H

#include "world.h"

/* Fills bytes with values of which no two neighbours are the same. */
void number(unsigned char *bytes, size_t size);

/* Blocking, in w.queue. */
void read_all(pi_mem buffer, void *bytes, size_t size);
void *map(pi_mem buffer, pi_map_flags flags, size_t offset, size_t size);
void unmap(pi_mem buffer, void *mapped);

void rectangles_of_every_shape(void **state);

#endif

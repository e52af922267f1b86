/* Functions of the cases about buffers that one backend's own cases use too. */
#ifndef SPECPI_TEST_PLUGINS_BUFFER_H
#define SPECPI_TEST_PLUGINS_BUFFER_H

#include "world.h"

/* Blocking, in w.queue. */
void *map(pi_mem buffer, pi_map_flags flags, size_t offset, size_t size);
void unmap(pi_mem buffer, void *mapped);

void check_rectangles(void);

#endif

/* Functions of the cases about pooled memory that one backend's own cases use too. */
#ifndef SPECPI_TEST_PLUGINS_BLOCK_POOL_H
#define SPECPI_TEST_PLUGINS_BLOCK_POOL_H

#include "world.h"

typedef enum block_type { DEVICE, SHARED, HOST, TYPES } block_type;

/* Allocate and free memory of w.device in w.context. */
void *take_memory(block_type type, size_t size);
void give_memory(void *memory);

/* Enqueues a command that sets bytes, after the event gate unless that is NULL. */
void set_bytes(pi_queue queue, void *memory, int byte, size_t size, pi_event gate);

/* Returns the number of the driver's allocations of all types, in use or idle. */
size_t live_memory(void);

#endif

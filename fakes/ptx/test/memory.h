/* Memory of the host as the interpreter's global memory: what a driver would do. */
#ifndef SPECPI_TEST_PTX_MEMORY_H
#define SPECPI_TEST_PTX_MEMORY_H

#include "../ptx.h"

/* Blocks that kernels may use; their addresses are the host's. */
typedef struct device_memory {
  struct device_block *blocks;
} device_memory;

/* size bytes of zeroes, aligned to 256; ends the program when there are none. */
void *device_allocate(device_memory *memory, size_t size, bool writable);
void device_free(device_memory *memory, void *block);
void device_free_all(device_memory *memory);

/* ptx_hooks' memory, whose user is a device_memory. */
bool device_find(void *user, uint64_t address, ptx_range *ret);

/* Gives every variable of the program memory, and initialises it. */
void device_place(device_memory *memory, ptx_program *program);

#endif

/* Host memory as global memory for the interpreter, in place of a driver. */
#ifndef SPECPI_TEST_PTX_MEMORY_H
#define SPECPI_TEST_PTX_MEMORY_H

#include "../ptx.h"

/* Memory blocks that kernels may use. Their addresses are the host's. */
typedef struct device_memory {
  struct device_block *blocks;
} device_memory;

/* Allocates size zeroed bytes, aligned to 256. Ends the program on failure. */
void *device_allocate(device_memory *memory, size_t size, bool writable);
void device_free(device_memory *memory, void *block);
void device_free_all(device_memory *memory);

/* Implements the hook memory of ptx_hooks. user is a device_memory. */
bool device_find(void *user, uint64_t address, ptx_range *ret);

/* Allocates memory for every variable of a program, and initializes the program. */
void device_place(device_memory *memory, ptx_program *program);

#endif

/* The address space of the fake Level Zero driver's memory. */
#ifndef SPECPI_TEST_FAKE_ZE_MEMORY_H
#define SPECPI_TEST_FAKE_ZE_MEMORY_H

#include "fake.h"

/*
 * The address range of an allocation, in the region for device memory, which is mapped twice, or in
 * the one for host memory. At least one unused page follows it.
 */
typedef struct fake_place {
  struct fake_place *next; /* in the region's list, sorted by address */
  struct fake_region *region;
  char *base;
  char *view;
  size_t size; /* in bytes, a multiple of the page size */
  int file;    /* its own file; -1 for the region's */
} fake_place;

/*
 * Takes size bytes of address space, aligned to a power of 2. Returns NULL if there is none left.
 * If file is not -1, this takes it over and maps it from offset (whole pages) on. Otherwise the
 * memory is filled with garbage.
 */
fake_place *fake_place_take(bool device, size_t size, size_t alignment, int file, size_t offset);
void fake_place_give_back(fake_place *place);

/* Creates a memory file. Ends the process on failure. */
int fake_memory_file(size_t size);

/* Returns the file and the offset of a place of device memory. */
int fake_place_file(const fake_place *place, size_t *offset);

/* Returns whether an address is in one of the regions. */
bool fake_place_owns(const void *address);

/* Makes an allocation at a place, or from memory that the driver does not own (place NULL). */
fake_memory *fake_memory_new(fake_kind kind, fake_context *context, fake_place *place, char *base,
                             size_t size, ze_memory_type_t type, bool owned);
/* Ends an allocation, and releases its place. */
void fake_memory_end(fake_memory *memory);

/*
 * Checks an allocation's size and alignment, and allocates it. desc is the device's descriptor, or
 * NULL; its chain may request export, import or relaxed limits.
 */
ze_result_t fake_memory_allocate(fake_context *context, ze_memory_type_t type, fake_device *device,
                                 const void *chain, size_t size, size_t alignment,
                                 const char *function, void **ret);

/* Returns whether a range overlaps known memory. */
bool fake_memory_overlaps(const void *base, size_t size);

/* Waits until no command uses the memory. */
void fake_memory_wait(const fake_memory *memory);

/* external.c: reads a descriptor's chain; the file is -1 if there is no import. */
ze_result_t fake_external_check(const void *chain, size_t size, const char *function, int *import,
                                bool *export);

#endif

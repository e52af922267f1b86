/* Where memory of the fake Level Zero driver lies. */
#ifndef SPECPI_TEST_FAKE_ZE_MEMORY_H
#define SPECPI_TEST_FAKE_ZE_MEMORY_H

#include "fake.h"

/*
 * Address space that an allocation has taken: in the one region for device memory, which is mapped
 * twice, or in the one for memory of the host. After it is at least a page that nobody has.
 */
typedef struct fake_place {
  struct fake_place *next; /* in the region, by address */
  struct fake_region *region;
  char *base;
  char *view;
  size_t size; /* whole pages */
  int file;    /* a file of its own; -1: the region's */
} fake_place;

/*
 * size bytes, aligned to a power of 2; NULL: there is no address space. With file, which is taken
 * over then, the memory is that file's, offset (whole pages) bytes after its start; the bytes of
 * other memory are not 0.
 */
fake_place *fake_place_take(bool device, size_t size, size_t alignment, int file, size_t offset);
void fake_place_give_back(fake_place *place);

/* A new file that holds memory; the process ends without one. */
int fake_memory_file(size_t size);

/* The file and the offset in it of a place of device memory. */
int fake_place_file(const fake_place *place, size_t *offset);

/* Returns whether an address is in one of the regions. */
bool fake_place_owns(const void *address);

/* A new allocation at a place, or of memory of somebody else (place is NULL). */
fake_memory *fake_memory_new(fake_kind kind, fake_context *context, fake_place *place, char *base,
                             size_t size, ze_memory_type_t type, bool owned);
/* Ends one of them, and gives its place back. */
void fake_memory_end(fake_memory *memory);

/*
 * Checks an allocation's size and alignment, and takes the memory; desc is of the device (NULL:
 * none), whose chain may ask for export, import or relaxed limits.
 */
ze_result_t fake_memory_allocate(fake_context *context, ze_memory_type_t type, fake_device *device,
                                 const void *chain, size_t size, size_t alignment,
                                 const char *function, void **ret);

/* Returns whether some of the bytes are known already. */
bool fake_memory_overlaps(const void *base, size_t size);

/* Waits until no command uses it any more. */
void fake_memory_wait(const fake_memory *memory);

/* external.c: what the chain of a descriptor asks for; -1: no import. */
ze_result_t fake_external_check(const void *chain, size_t size, const char *function, int *import,
                                bool *export);

#endif

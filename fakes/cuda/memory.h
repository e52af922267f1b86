/* Memory and arrays of the fake CUDA driver. */
#ifndef SPECPI_TEST_FAKE_CUDA_MEMORY_H
#define SPECPI_TEST_FAKE_CUDA_MEMORY_H

#include "work.h"

/* An address range from cuMemAddressReserve. */
typedef struct fake_reservation fake_reservation;
struct fake_reservation {
  fake_object head;
  fake_reservation *next;
  CUdeviceptr base;
  size_t size;
  unsigned char *host; /* the same range in the host's memory; unmapped parts are inaccessible */
};

/* An allocation: device, host, registered or managed memory, or mapped physical memory. */
typedef struct fake_memory fake_memory;
struct fake_memory {
  fake_object head;
  CUdeviceptr base;
  size_t size;
  unsigned char *host; /* the host's address of the bytes; equal to base except for device memory */
  CUdevice device;
  unsigned flags; /* passed to the function that made it */
  bool read_only; /* kernels must not write it */
  bool coming;    /* its stream has not reached the allocation; only later commands may use it */
  bool leaving;   /* cuMemFreeAsync was called; only earlier commands may use it */
  bool read_mostly;
  int preferred, prefetched;              /* CUdevice */
  bool accessed_by[FAKE_DEVICES_MAX + 1]; /* by device; CU_DEVICE_CPU is the last element */
  void (*release)(fake_memory *memory); /* frees the bytes; NULL if the driver does not own them */
  struct fake_mapping *mapping;         /* for external memory */
  struct fake_pool *pool;               /* the pool it comes from, or NULL */
  /* For mapped memory: its reservation, the physical memory, CUmemAccess_flags by device. */
  const fake_reservation *reservation;
  struct fake_physical *physical;
  unsigned char access[FAKE_DEVICES_MAX];
};

/*
 * Allocates device memory of a context, with kind FAKE_MEMORY. Its first bytes are not 0, because
 * real device memory is not zeroed either. May fail with CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult fake_memory_new(fake_context *context, size_t size, bool owned, fake_memory **ret);
/* The same for a pool, which has already taken the size from the device. pool may be NULL. */
CUresult fake_memory_new_in(fake_context *context, struct fake_pool *pool, size_t size, bool owned,
                            fake_memory **ret);
/* Fills the first bytes with garbage. */
void fake_memory_soil(fake_memory *memory);
/*
 * pool.c: called when memory of a pool ends. was_freed: cuMemFreeAsync already subtracted it from
 * the pool's used bytes.
 */
void fake_pool_leave(struct fake_pool *pool, size_t size, bool was_freed);
/* Makes device memory from bytes that the driver does not own; NULL if no addresses are left. */
fake_memory *fake_memory_of(fake_context *context, void *host, size_t size, bool owned);
/* A release function for memory from malloc. */
void fake_memory_free(fake_memory *memory);
/* Makes memory whose address is the host's. */
fake_memory *fake_memory_on_host(fake_kind kind, fake_context *context, void *host, size_t size);
/* Makes memory of no context, at a reserved address. */
fake_memory *fake_memory_mapped(CUdeviceptr base, void *host, size_t size);
/* Removes memory from the table, and releases its bytes. */
void fake_memory_end(fake_memory *memory);

/* Returns the memory at an address, even if coming or leaving is set; NULL if there is none. */
fake_memory *fake_memory_at(CUdeviceptr address);
/* Returns the first memory that overlaps a range; NULL if there is none. */
fake_memory *fake_memory_overlap(CUdeviceptr address, size_t size);
/* Returns whether an address is in the region of device memory. */
bool fake_is_device_address(CUdeviceptr address);
/*
 * Takes device addresses, which are never reused. Returns the first one, a multiple of unit, which
 * is wish if possible; 0 if none are left.
 */
CUdeviceptr fake_addresses_take(size_t size, size_t unit, CUdeviceptr wish);
size_t fake_memory_used(CUdevice device);
/* Counts device memory without an address as used. Returns false if the device has too little. */
bool fake_memory_take(CUdevice device, size_t size);
void fake_memory_give(CUdevice device, size_t size);
/* Return whether kernels of a context may use the memory (reaches) and may write it (takes). */
bool fake_memory_reaches(const fake_memory *memory, const fake_context *context);
bool fake_memory_takes(const fake_memory *memory, const fake_context *context);

/*
 * Checks that size bytes at a device address are in one live allocation, or in mapped memory
 * without gaps.
 */
CUresult fake_device_range(CUdeviceptr address, size_t size, bool is_written, const char *function,
                           unsigned char **ret);
/* virtual.c: checks that the current context may use these bytes, which start in first. */
CUresult fake_mapped_check(const fake_memory *first, CUdeviceptr address, size_t size,
                           bool is_written, const char *function);

/* The source or the destination of a copy. */
typedef enum fake_side_kind { FAKE_SIDE_HOST, FAKE_SIDE_DEVICE, FAKE_SIDE_ANY } fake_side_kind;

typedef struct fake_side {
  unsigned char *bytes;
  size_t pitch, slice;
  bool pageable; /* host memory that the driver does not know */
} fake_side;

CUresult fake_side_find(fake_side_kind kind, CUdeviceptr address, size_t size, bool is_written,
                        const char *function, fake_side *ret);

/* A checked copy of rows and slices. */
typedef struct fake_shape {
  fake_side to, from;
  size_t width, height, depth; /* width in bytes */
} fake_shape;

CUresult fake_shape_find(const CUDA_MEMCPY3D *copy, const char *function, fake_shape *ret);
fake_task *fake_copy_task(fake_context *context, const fake_shape *shape);
/* Issues the copy. Like CUDA, it reads or writes pageable memory before it returns. */
CUresult fake_copy_issue(fake_stream *stream, const fake_shape *shape, bool wait);

typedef struct fake_fill {
  unsigned char *bytes;
  size_t pitch, width, height; /* width in elements */
  unsigned value, element;
} fake_fill;

CUresult fake_fill_find(CUdeviceptr address, size_t pitch, unsigned value, unsigned element,
                        size_t width, size_t height, const char *function, fake_fill *ret);
fake_task *fake_fill_task(fake_context *context, const fake_fill *fill);

typedef struct fake_array {
  fake_object head;
  CUDA_ARRAY3D_DESCRIPTOR desc;
  size_t element;              /* bytes */
  size_t width, height, depth; /* at least 1 each; depth is the number of layers, if layered */
  unsigned char *bytes;
  size_t size;   /* number of bytes */
  bool borrowed; /* the array does not own the bytes */
} fake_array;

typedef struct fake_mipmap {
  fake_object head;
  CUDA_ARRAY3D_DESCRIPTOR desc;
  unsigned level_count;
  fake_array **levels;
  struct fake_mapping *mapping; /* of external memory; NULL if the levels own their bytes */
  void (*release)(struct fake_mapping *mapping);
} fake_mipmap;

/* Returns the bytes of a channel; 0 for an unknown format. */
size_t fake_format_size(CUarray_format format);
CUresult fake_array_check(const CUDA_ARRAY3D_DESCRIPTOR *desc, const char *function);
fake_array *fake_array_new(fake_context *context, const CUDA_ARRAY3D_DESCRIPTOR *desc, bool owned,
                           void *bytes);
void fake_array_end(fake_array *array);
CUresult fake_mipmap_new(fake_context *context, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                         unsigned levels, void *bytes, size_t size, fake_mipmap **ret);
void fake_mipmap_end(fake_mipmap *mipmap);

#endif

/* Memory of the fake CUDA driver: what is allocated where, and arrays. */
#ifndef SPECPI_TEST_FAKE_CUDA_MEMORY_H
#define SPECPI_TEST_FAKE_CUDA_MEMORY_H

#include "work.h"

/* Addresses of cuMemAddressReserve. */
typedef struct fake_reservation fake_reservation;
struct fake_reservation {
  fake_object head;
  fake_reservation *next;
  CUdeviceptr base;
  size_t size;
  unsigned char *host; /* where the bytes are of what is mapped there; the rest has no rights */
};

/* An allocation: of a device, of the host, registered or managed; or mapped physical memory. */
typedef struct fake_memory fake_memory;
struct fake_memory {
  fake_object head;
  CUdeviceptr base;
  size_t size;
  unsigned char *host; /* where the bytes are; base itself but for a device's memory */
  CUdevice device;
  unsigned flags; /* of the function that made it */
  bool read_only; /* for kernels */
  bool coming;    /* no stream has come to its allocation: commands that follow may use it */
  bool leaving;   /* cuMemFreeAsync was called: commands that were submitted before may use it */
  bool sync_memops, read_mostly;
  int preferred, prefetched;              /* CUdevice */
  bool accessed_by[FAKE_DEVICES_MAX + 1]; /* CU_DEVICE_CPU is the last one */
  void (*release)(fake_memory *memory);   /* of the bytes; NULL: they are not ours */
  struct fake_mapping *mapping;           /* of external memory */
  struct fake_pool *pool;                 /* whose memory it is; NULL: of none */
  /* of mapped memory: where, what, and the CUmemAccess_flags of each device */
  const fake_reservation *reservation;
  struct fake_physical *physical;
  unsigned char access[FAKE_DEVICES_MAX];
};

/*
 * New device memory of a context; kind is FAKE_MEMORY. Its first bytes are no zeros, as little as
 * on a device. CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult fake_memory_new(fake_context *context, size_t size, bool owned, fake_memory **ret);
/* The same for a pool, which has taken so much of the device already; NULL: for none. */
CUresult fake_memory_new_in(fake_context *context, struct fake_pool *pool, size_t size, bool owned,
                            fake_memory **ret);
/* Its first bytes become no zeros. */
void fake_memory_soil(fake_memory *memory);
/* pool.c: memory of a pool ends; was_freed: in the order of a stream, when it counted as used no
 * more. */
void fake_pool_leave(struct fake_pool *pool, size_t size, bool was_freed);
/* Device memory whose bytes are somebody else's; NULL: no addresses are left. */
fake_memory *fake_memory_of(fake_context *context, void *host, size_t size, bool owned);
/* A release for what malloc gave. */
void fake_memory_free(fake_memory *memory);
/* Memory whose address is the host's. */
fake_memory *fake_memory_on_host(fake_kind kind, fake_context *context, void *host, size_t size);
/* Memory of no context at an address that was reserved for it. */
fake_memory *fake_memory_mapped(CUdeviceptr base, void *host, size_t size);
/* Forgets it, and frees its bytes. */
void fake_memory_end(fake_memory *memory);

/* Returns the memory at an address, also while it is being freed; NULL: none. */
fake_memory *fake_memory_at(CUdeviceptr address);
/* The first that overlaps a range; NULL: none. */
fake_memory *fake_memory_overlap(CUdeviceptr address, size_t size);
/* Returns whether the address is one that only devices have. */
bool fake_is_device_address(CUdeviceptr address);
/* Addresses of devices for good, from a multiple of unit on, from wish if it can be; 0: none left.
 */
CUdeviceptr fake_addresses_take(size_t size, size_t unit, CUdeviceptr wish);
size_t fake_memory_used(CUdevice device);
/* Takes memory of a device for something that has no address; false: there is not so much. */
bool fake_memory_take(CUdevice device, size_t size);
void fake_memory_give(CUdevice device, size_t size);
/* Returns whether kernels of a context may use the memory, and write it. */
bool fake_memory_reaches(const fake_memory *memory, const fake_context *context);
bool fake_memory_takes(const fake_memory *memory, const fake_context *context);

/*
 * Checks an address of a device: size bytes, all in one living allocation, or in mapped memory
 * without a gap.
 */
CUresult fake_device_range(CUdeviceptr address, size_t size, bool is_written, const char *function,
                           unsigned char **ret);
/* virtual.c: whether commands of the current context may use these bytes, which begin in first. */
CUresult fake_mapped_check(const fake_memory *first, CUdeviceptr address, size_t size,
                           bool is_written, const char *function);

/* One side of a copy. */
typedef enum fake_side_kind { FAKE_SIDE_HOST, FAKE_SIDE_DEVICE, FAKE_SIDE_ANY } fake_side_kind;

typedef struct fake_side {
  unsigned char *bytes;
  size_t pitch, slice;
  bool pageable; /* memory of the host that the driver does not know */
} fake_side;

CUresult fake_side_find(fake_side_kind kind, CUdeviceptr address, size_t size, bool is_written,
                        const char *function, fake_side *ret);

/* A copy of rows, all checked. */
typedef struct fake_shape {
  fake_side to, from;
  size_t width, height, depth; /* width in bytes */
} fake_shape;

CUresult fake_shape_find(const CUDA_MEMCPY3D *copy, const char *function, fake_shape *ret);
fake_task *fake_copy_task(fake_context *context, const fake_shape *shape);
/* Issues the copy as CUDA does it: what is pageable is read, or written, before the call ends. */
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
  size_t width, height, depth; /* at least 1 each; depth is the layers of layered ones */
  unsigned char *bytes;
  size_t size;   /* of bytes */
  bool borrowed; /* the bytes are somebody else's */
} fake_array;

typedef struct fake_mipmap {
  fake_object head;
  CUDA_ARRAY3D_DESCRIPTOR desc;
  unsigned level_count;
  fake_array **levels;
  struct fake_mapping *mapping; /* of external memory; NULL: the bytes are the levels' own */
  void (*release)(struct fake_mapping *mapping);
} fake_mipmap;

/* Bytes of a channel; 0: no format that is known. */
size_t fake_format_size(CUarray_format format);
CUresult fake_array_check(const CUDA_ARRAY3D_DESCRIPTOR *desc, const char *function);
fake_array *fake_array_new(fake_context *context, const CUDA_ARRAY3D_DESCRIPTOR *desc, bool owned,
                           void *bytes);
void fake_array_end(fake_array *array);
CUresult fake_mipmap_new(fake_context *context, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                         unsigned levels, void *bytes, size_t size, fake_mipmap **ret);
void fake_mipmap_end(fake_mipmap *mipmap);

#endif

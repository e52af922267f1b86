/* Copies of which at least one side is a CUDA array. */
#ifndef PI_CUDA_IMAGE_TRANSFER_H
#define PI_CUDA_IMAGE_TRANSFER_H

#include "context.h"
#include "image_shape.h"

/* Where one side of a copy begins: in an array, or in memory with rows and slices. */
typedef struct image_side {
  CUarray array;                 /* NULL: memory */
  bool is_flat;                  /* an array without slices and layers; true for memory */
  size_t x, y, z;                /* of an array: bytes, rows, slices or layers */
  CUmemorytype type;             /* of memory: CU_MEMORYTYPE_HOST or CU_MEMORYTYPE_UNIFIED */
  uintptr_t memory;              /* its first byte */
  size_t row_pitch, slice_pitch; /* bytes; at least a row, and at least the rows of a slice */
} image_side;

/* How a transfer is enqueued: in a stream, or at once, waiting for its end. */
typedef struct image_transfer_mode {
  bool is_blocking;
  CUstream stream;
} image_transfer_mode;

/*
 * Copies; the caller has checked both sides, and the context is current. A slice pitch that is no
 * multiple of the row pitch makes it a command for each slice, of which some may be under way after
 * a failure.
 */
pi_result image_transfer(const image_transfer_mode *mode, const image_side *to,
                         const image_side *from, const image_extent *extent);

/*
 * The same between a side of the device (an array, or its memory) and memory of the application,
 * in a stream. The detour of driver_copy is taken where that has to be.
 */
pi_result image_transfer_host(pi_context context, CUstream stream, const image_side *device,
                              const image_side *host, const image_extent *extent, bool is_to_host,
                              bool blocking);

/*
 * The side that is memory at pointer of which size bytes are used: of the driver or of the
 * application. PI_ERROR_INVALID_VALUE: it leaves its allocation; the sentence begins with name.
 */
pi_result image_memory_side(pi_context context, const char *name, const void *pointer, size_t size,
                            size_t row_pitch, size_t slice_pitch, image_side *ret);

#endif

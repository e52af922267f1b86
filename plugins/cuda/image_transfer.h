/* Copies with a CUDA array on at least one side. */
#ifndef CUDA_IMAGE_TRANSFER_H
#define CUDA_IMAGE_TRANSFER_H

#include "../objects/sink.h"
#include "context.h"
#include "image_shape.h"

/* Start of one side of a copy: in an array, or in memory with rows and slices. */
typedef struct image_side {
  CUarray array;                 /* NULL: memory */
  bool is_flat;                  /* an array without slices and layers; true for memory */
  size_t x, y, z;                /* of an array: bytes, rows, slices or layers */
  CUmemorytype type;             /* of memory: CU_MEMORYTYPE_HOST or CU_MEMORYTYPE_UNIFIED */
  uintptr_t memory;              /* its first byte */
  size_t row_pitch, slice_pitch; /* bytes; at least a row, and at least the rows of a slice */
} image_side;

/* Place and time of a transfer: in a stream, or at once, waiting for its end. */
typedef struct image_transfer_mode {
  bool is_blocking;
  CUstream stream;
} image_transfer_mode;

/*
 * Copies; the caller has checked both sides, and the context is current. If a slice pitch is no
 * multiple of the row pitch, each slice is a command of its own, and some may be under way after a
 * failure.
 */
pi_result image_transfer(const image_transfer_mode *mode, const image_side *to,
                         const image_side *from, const image_extent *extent);

/* Start of a part of an image. */
image_side image_side_of(const image_part *part);

/* Fills a part that no command knows yet, and waits for the end. */
pi_result image_transfer_now(const image_part *to, const image_pitched *from);

/*
 * Copies between a part and memory, as a command of a queue, by the detour of driver_copy where
 * needed.
 */
pi_result image_transfer_part(const sink *sink, const image_part *part, const image_pitched *memory,
                              bool is_to_memory);

#endif

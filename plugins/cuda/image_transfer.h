/* Copies with a CUDA array on at least one side. */
#ifndef CUDA_IMAGE_TRANSFER_H
#define CUDA_IMAGE_TRANSFER_H

#include "../objects/sink.h"
#include "context.h"
#include "image_shape.h"

/* Source or target of a copy: a position in an array, or memory with rows and slices. */
typedef struct image_side {
  CUarray array;                 /* NULL for memory */
  bool is_flat;                  /* the array has no slices and no layers; true for memory */
  size_t x, y, z;                /* in an array: position in bytes, rows, and slices or layers */
  CUmemorytype type;             /* of memory: CU_MEMORYTYPE_HOST or CU_MEMORYTYPE_UNIFIED */
  uintptr_t memory;              /* address of the first byte */
  size_t row_pitch, slice_pitch; /* of memory: bytes, at least those of a row and of a slice */
} image_side;

/* Says if a transfer is enqueued in a stream, or is done before the function returns. */
typedef struct image_transfer_mode {
  bool is_blocking;
  CUstream stream;
} image_transfer_mode;

/*
 * Copies from one side to another. The caller has checked both sides; the context is current. If a
 * slice pitch is not a multiple of the row pitch, each slice is copied by a command of its own, and
 * some commands may be under way after a failure.
 */
pi_result image_transfer(const image_transfer_mode *mode, const image_side *to,
                         const image_side *from, const image_extent *extent);

/* Returns a part of an image as a side of a copy. */
image_side image_side_of(const image_part *part);

/* Copies from memory to a part of an image that no command uses yet, and waits for the end. */
pi_result image_transfer_now(const image_part *to, const image_pitched *from);

/*
 * Enqueues a copy between a part of an image and memory. Stages the copy through pinned memory if
 * transfer_needs_stage says so.
 */
pi_result image_transfer_part(const sink *sink, const image_part *part, const image_pitched *memory,
                              bool is_to_memory);

#endif

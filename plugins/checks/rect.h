/*
 * Copies of rectangles between two places in memory. Checks PI's descriptions of rectangles, and
 * converts them.
 */
#ifndef OBJECTS_RECT_H
#define OBJECTS_RECT_H

#include <pi/pi.h>

#include <stddef.h>

/* The place of a rectangle in memory. */
typedef struct transfer_side {
  uintptr_t start; /* address of its first byte */
  size_t row;      /* row pitch in bytes */
  size_t slice;    /* slice pitch in bytes */
} transfer_side;

typedef struct transfer {
  transfer_side from, to;
  size_t width;         /* bytes of a row; 0: nothing is copied */
  size_t height, depth; /* rows of a slice, slices */
} transfer;

/* Returns a copy of contiguous bytes. */
static inline transfer transfer_plain(uintptr_t to, uintptr_t from, size_t size) {
  return (transfer){{from, size, size}, {to, size, size}, size, 1, 1};
}

/* Returns whether one side has no gaps between its rows and slices. */
static inline bool transfer_is_dense(const transfer *transfer, const transfer_side *side) {
  return (transfer->height == 1 || side->row == transfer->width) &&
         (transfer->depth == 1 || side->slice == transfer->width * transfer->height);
}

static inline bool transfer_is_plain(const transfer *transfer) {
  return transfer_is_dense(transfer, &transfer->from) && transfer_is_dense(transfer, &transfer->to);
}

/* Returns whether two ranges of size bytes overlap. */
static inline bool transfer_ranges_meet(uintptr_t first, uintptr_t second, size_t size) {
  return first < second ? second - first < size : first - second < size;
}

/*
 * Returns whether the rectangles of a copy overlap. Both sides must have the same pitches, and a
 * slice must be at least as long as its rows.
 */
bool transfer_overlaps(const transfer *transfer);

/* Target of a fill. */
typedef struct fill_area {
  uintptr_t pointer;
  size_t pitch;         /* row pitch in bytes, at least width; ignored if height is 1 */
  size_t width, height; /* bytes of a row, rows */
} fill_area;

/* A rectangle of one side of a copy, as PI describes it. */
typedef struct rect_side {
  const char *name; /* for messages */
  pi_buff_rect_offset offset;
  size_t row_pitch, slice_pitch; /* 0: tightly packed */
} rect_side;

/*
 * Checks and sides that are the same for all entry points between a buffer and the host, and for
 * all between two buffers. They use the entry points' argument names.
 */
#define REQUIRE_HOST_RECT()                                                                        \
  REQUIRE_MEM(buffer);                                                                             \
  REQUIRE_POINTER(buffer_offset);                                                                  \
  REQUIRE_POINTER(host_offset);                                                                    \
  REQUIRE_POINTER(region);                                                                         \
  REQUIRE_POINTER(ptr)
#define DEVICE_SIDE ((rect_side){"buffer", buffer_offset, buffer_row_pitch, buffer_slice_pitch})
#define HOST_SIDE ((rect_side){"ptr", host_offset, host_row_pitch, host_slice_pitch})

#define REQUIRE_TWO_RECTS()                                                                        \
  REQUIRE_MEM(src_buffer);                                                                         \
  REQUIRE_MEM(dst_buffer);                                                                         \
  REQUIRE_POINTER(src_origin);                                                                     \
  REQUIRE_POINTER(dst_origin);                                                                     \
  REQUIRE_POINTER(region)
#define FROM_SIDE ((rect_side){"src_buffer", src_origin, src_row_pitch, src_slice_pitch})
#define TO_SIDE ((rect_side){"dst_buffer", dst_origin, dst_row_pitch, dst_slice_pitch})

/* The memory of a side: a buffer, or memory of the application. */
typedef struct rect_memory {
  uintptr_t start;
  size_t size;       /* in bytes; SIZE_MAX: unknown, because it is the application's memory */
  const void *whole; /* the buffer, or a sub-buffer's parent; NULL: the application's memory */
} rect_memory;

/*
 * Checks the two sides of a copy and converts them. PI_ERROR_INVALID_VALUE with a message: the
 * region is empty or exceeds its memory or the address space, a pitch is too small, or both sides
 * are in one buffer and have different pitches. PI_ERROR_MEM_COPY_OVERLAP: both sides are in one
 * buffer and overlap. An error leaves *ret unchanged.
 */
pi_result rect_read(const rect_side *from, const rect_memory *source, const rect_side *to,
                    const rect_memory *target, pi_buff_rect_region region, transfer *ret);

#endif

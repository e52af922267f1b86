/*
 * Copies of rectangles between any two places of memory. PI's descriptions of them are checked and
 * turned into such copies.
 */
#ifndef OBJECTS_RECT_H
#define OBJECTS_RECT_H

#include <pi/pi.h>

#include <stddef.h>

/* The place of a rectangle: its first byte, and the bytes from one row or slice to the next. */
typedef struct transfer_side {
  uintptr_t start;
  size_t row;
  size_t slice;
} transfer_side;

typedef struct transfer {
  transfer_side from, to;
  size_t width; /* bytes; 0: nothing is copied */
  size_t height, depth;
} transfer;

/* A copy without rows. */
static inline transfer transfer_plain(uintptr_t to, uintptr_t from, size_t size) {
  return (transfer){{from, size, size}, {to, size, size}, size, 1, 1};
}

/* Returns whether the rows and slices of one side follow each other without gaps. */
static inline bool transfer_is_dense(const transfer *transfer, const transfer_side *side) {
  return (transfer->height == 1 || side->row == transfer->width) &&
         (transfer->depth == 1 || side->slice == transfer->width * transfer->height);
}

static inline bool transfer_is_plain(const transfer *transfer) {
  return transfer_is_dense(transfer, &transfer->from) && transfer_is_dense(transfer, &transfer->to);
}

/* Returns whether two ranges of bytes have one in common. */
static inline bool transfer_ranges_meet(uintptr_t first, uintptr_t second, size_t size) {
  return first < second ? second - first < size : first - second < size;
}

/*
 * Returns whether the rectangles of a copy have a byte in common, when both sides have the same
 * pitches, and a slice is not shorter than its rows.
 */
bool transfer_overlaps(const transfer *transfer);

/* Target of a fill: height rows of width bytes, each pitch bytes after the one before. */
typedef struct fill_area {
  uintptr_t pointer;
  size_t pitch; /* at least width; ignored when height is 1 */
  size_t width, height;
} fill_area;

/* One side of a rectangle, before its place in memory is known. */
typedef struct rect_side {
  const char *name; /* for messages */
  pi_buff_rect_offset offset;
  size_t row_pitch, slice_pitch; /* 0: tightly packed */
} rect_side;

/* The checks that all entries between a buffer and the host share, and all between two buffers. */
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

/* The memory of a side. */
typedef struct rect_memory {
  uintptr_t start;
  size_t size;       /* bytes; SIZE_MAX: memory of the application, whose size is unknown */
  const void *whole; /* the buffer, or the one that it is a part of; NULL: the application's */
} rect_memory;

/*
 * A copy between two places. PI_ERROR_INVALID_VALUE with a message: the region is empty, leaves its
 * memory or the address space, or a pitch is too small; both sides are in one buffer and have
 * different pitches. PI_ERROR_MEM_COPY_OVERLAP: they are, and overlap. *ret is untouched then.
 */
pi_result rect_read(const rect_side *from, const rect_memory *source, const rect_side *to,
                    const rect_memory *target, pi_buff_rect_region region, transfer *ret);

#endif

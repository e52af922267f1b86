/* Rectangles of buffers, which UR passes by value, and the result for wrong ranges. */
#ifndef UR_RECTS_H
#define UR_RECTS_H

#include "../plugins/checks/rect.h"
#include "result.h"

/*
 * One side of a copy, from the entry's parameters whose names begin with side. It is valid until
 * the entry returns.
 */
#define RECT_SIDE(side)                                                                            \
  (&(rect_side){#side,                                                                             \
                &(pi_buff_rect_offset_struct){side##Origin.x, side##Origin.y, side##Origin.z},     \
                side##RowPitch, side##SlicePitch})
#define RECT_REGION (&(pi_buff_rect_region_struct){region.width, region.height, region.depth})

/* The result of a range check: any wrong range, rectangle, pattern or pitch is
 * UR_RESULT_ERROR_INVALID_SIZE. */
static inline ur_result_t range_result(pi_result result) {
  return result == PI_ERROR_INVALID_VALUE ? UR_RESULT_ERROR_INVALID_SIZE : face_result(result);
}

#endif

/* Warps and their lanes: positions of work-items, and values of other lanes. */
#ifndef LIBRARY_LANES_H
#define LIBRARY_LANES_H

#include "device.h"

#define WARP 32
#define SIZE __specpi_sub_group_size()

CONVERGENT int shuffle_lane(uint lanes, int value, int lane,
                            int segment) __asm("llvm.nvvm.shfl.sync.idx.i32");
CONVERGENT uint vote(uint lanes, bool value) __asm("llvm.nvvm.vote.ballot.sync");

static inline uint lane_in(uint size) {
  return linear_id() & (size - 1);
}

/* Returns the warp's lane where this work-item's sub-group of a size starts. */
static inline uint first_lane_in(uint size) {
  return linear_id() & (WARP - 1) & ~(size - 1);
}

/* Returns the number of work-items in a sub-group of a size. */
static inline uint size_here(uint size) {
  const uint left = linear_size() - (linear_id() & ~(size - 1));
  return left < size ? left : size;
}

/* Returns the mask of the first count lanes. */
static inline uint lanes_of(uint count) {
  return count == WARP ? 0xffffffff : (1u << count) - 1;
}

/* Returns the mask of the warp's lanes in this work-item's sub-group of a size. */
static inline uint lanes_in(uint size) {
  return lanes_of(size_here(size)) << first_lane_in(size);
}

/*
 * Returns the value of another lane in the same segment of a size. lanes are those that take part;
 * all of them pass the same mask, which may include lanes of the warp's other segments.
 */
static inline uint shuffle_word(uint lanes, uint value, uint lane, uint size) {
  return (uint)shuffle_lane(lanes, (int)value, (int)lane, (int)(WARP - size) << 8 | 31);
}
static inline ulong shuffle_long(uint lanes, ulong value, uint lane, uint size) {
  const uint2 words = as_uint2(value);
  return as_ulong(
      (uint2)(shuffle_word(lanes, words.x, lane, size), shuffle_word(lanes, words.y, lane, size)));
}

/* X(type, bits, whole, shuffle): bits is the unsigned type of the same size, which is extended to
 * the type whole for the shuffle of that size. */
#define SHUFFLES(X)                                                                                \
  X(char, uchar, uint, word)                                                                       \
  X(uchar, uchar, uint, word)                                                                      \
  X(short, ushort, uint, word)                                                                     \
  X(ushort, ushort, uint, word)                                                                    \
  X(half, ushort, uint, word)                                                                      \
  X(int, uint, uint, word)                                                                         \
  X(uint, uint, uint, word)                                                                        \
  X(float, uint, uint, word)                                                                       \
  X(long, ulong, ulong, long) X(ulong, ulong, ulong, long) X(double, ulong, ulong, long)
#define FROM_LANE(type, bits, whole, shuffle)                                                      \
  static inline type API from_lane(uint lanes, type value, uint lane, uint size) {                 \
    return as_##type((bits)shuffle_##shuffle(lanes, (whole)as_##bits(value), lane, size));         \
  }
SHUFFLES(FROM_LANE)

static inline bool API from_lane(uint lanes, bool value, uint lane, uint size) {
  return shuffle_word(lanes, value, lane, size) != 0;
}

#define FROM_LANES(type, count)                                                                    \
  static inline type##count API from_lane(uint lanes, type##count value, uint lane, uint size) {   \
    type##count moved;                                                                             \
    for (uint i = 0; i < sizeof(value) / sizeof(type); i++)                                        \
      ((type *)&moved)[i] = from_lane(lanes, ((type *)&value)[i], lane, size);                     \
    return moved;                                                                                  \
  }
#define FROM_VECTORS(type, ...)                                                                    \
  FROM_LANES(type, 2)                                                                              \
  FROM_LANES(type, 3) FROM_LANES(type, 4) FROM_LANES(type, 8) FROM_LANES(type, 16)
SHUFFLES(FROM_VECTORS)

/* X(type): all types that lanes can exchange. */
#define WITH_VECTORS(type, X) X(type) X(type##2) X(type##3) X(type##4) X(type##8) X(type##16)
#define MOVED_TYPES(X)                                                                             \
  X(bool)                                                                                          \
  WITH_VECTORS(char, X)                                                                            \
  WITH_VECTORS(uchar, X)                                                                           \
  WITH_VECTORS(short, X)                                                                           \
  WITH_VECTORS(ushort, X)                                                                          \
  WITH_VECTORS(int, X)                                                                             \
  WITH_VECTORS(uint, X)                                                                            \
  WITH_VECTORS(long, X)                                                                            \
  WITH_VECTORS(ulong, X) WITH_VECTORS(half, X) WITH_VECTORS(float, X) WITH_VECTORS(double, X)

/* X(type, lowest, highest) */
#define INTEGER_LIMITS(X)                                                                          \
  X(char, CHAR_MIN, CHAR_MAX)                                                                      \
  X(uchar, 0, UCHAR_MAX)                                                                           \
  X(short, SHRT_MIN, SHRT_MAX)                                                                     \
  X(ushort, 0, USHRT_MAX)                                                                          \
  X(int, INT_MIN, INT_MAX) X(uint, 0, UINT_MAX) X(long, LONG_MIN, LONG_MAX) X(ulong, 0, ULONG_MAX)
#define FLOAT_LIMITS(X)                                                                            \
  X(half, -INFINITY, INFINITY) X(float, -INFINITY, INFINITY) X(double, -INFINITY, INFINITY)

/* X(operation, type, none, combine): operations of reductions and scans. none is the neutral value,
 * combine is an expression of a and b. */
#define NUMBER_OPERATIONS(X, type, lowest, highest)                                                \
  X(add, type, 0, a + b)                                                                           \
  X(mul, type, 1, a *b)                                                                            \
  X(min, type, highest, a < b ? a : b)                                                             \
  X(max, type, lowest, a > b ? a : b)
#define BIT_OPERATIONS(X, type)                                                                    \
  X(and, type, (type)-1, a &b)                                                                     \
  X(or, type, 0, a | b)                                                                            \
  X(xor, type, 0, a ^ b)
#define LOGICAL_OPERATIONS(X)                                                                      \
  X(logical_and, int, 1, (a != 0) & (b != 0))                                                      \
  X(logical_or, int, 0, (a != 0) | (b != 0))                                                       \
  X(logical_xor, int, 0, (a != 0) ^ (b != 0))

#endif

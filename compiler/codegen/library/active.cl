/*
 * Sub-group functions that SPIR-V also allows in divergent control flow. They include only the
 * active work-items, which are those that run together with this one.
 */
#include "lanes.h"

CONVERGENT uint __specpi_active_lanes(void);

/* Returns the lanes in this work-item's segment of a size; bit 0 is the segment's first lane. */
static inline uint in_segment(uint lanes, uint size) {
  return lanes >> first_lane_in(size) & lanes_of(size);
}
static inline uint active_in(uint size) {
  return in_segment(__specpi_active_lanes(), size);
}
static inline uint first_of(uint lanes) {
  return popcount((lanes & -lanes) - 1);
}
static inline uint last_of(uint lanes) {
  return 31 - clz(lanes);
}

/* ---- Values of other work-items ---- */

#define ACTIVE __specpi_active_lanes()
#define MOVE(type)                                                                                 \
  type API sub_group_non_uniform_broadcast(type value, uint lane) {                                \
    return from_lane(ACTIVE, value, lane, SIZE);                                                   \
  }                                                                                                \
  type API sub_group_broadcast_first(type value) {                                                 \
    const uint active = ACTIVE;                                                                    \
    return from_lane(active, value, first_of(in_segment(active, SIZE)), SIZE);                     \
  }                                                                                                \
  type API sub_group_shuffle(type value, uint lane) {                                              \
    return from_lane(ACTIVE, value, lane, SIZE);                                                   \
  }                                                                                                \
  type API sub_group_shuffle_xor(type value, uint mask) {                                          \
    return from_lane(ACTIVE, value, lane_in(SIZE) ^ mask, SIZE);                                   \
  }                                                                                                \
  type API sub_group_shuffle_up(type value, uint delta) {                                          \
    return from_lane(ACTIVE, value, lane_in(SIZE) - delta, SIZE);                                  \
  }                                                                                                \
  type API sub_group_shuffle_down(type value, uint delta) {                                        \
    return from_lane(ACTIVE, value, lane_in(SIZE) + delta, SIZE);                                  \
  }                                                                                                \
  type API sub_group_rotate(type value, int delta) {                                               \
    return from_lane(ACTIVE, value, lane_in(SIZE) + (uint)delta, SIZE);                            \
  }                                                                                                \
  type API sub_group_clustered_rotate(type value, int delta, uint size) {                          \
    return from_lane(ACTIVE, value, lane_in(size) + (uint)delta, size);                            \
  }
MOVED_TYPES(MOVE)

/* ---- Reductions and scans ---- */

/*
 * Inclusive scan by pointer jumping. Each work-item knows its predecessor, and combines its value
 * with the predecessor's partial result, so each step doubles the number of combined values. lanes
 * are the segment's lanes that take part.
 */
#define NOBODY 0x80000000
#define ACTIVE_SCAN(operation, type, none, combine)                                                \
  static type API active_##operation(uint active, uint lanes, type value, uint size) {             \
    const uint lower = lanes & ((1u << lane_in(size)) - 1);                                        \
    uint before = lower == 0 ? NOBODY : last_of(lower);                                            \
    for (uint step = 1; step < size; step *= 2) {                                                  \
      const type a = from_lane(active, value, before & (size - 1), size);                          \
      const type b = value;                                                                        \
      const uint further = from_lane(active, before, before & (size - 1), size);                   \
      value = before == NOBODY ? b : (type)(combine);                                              \
      before = before == NOBODY ? before : further;                                                \
    }                                                                                              \
    return value;                                                                                  \
  }                                                                                                \
  static type API active_##operation##_in(type value, uint size) {                                 \
    const uint active = ACTIVE;                                                                    \
    const uint lanes = in_segment(active, size);                                                   \
    return from_lane(active, active_##operation(active, lanes, value, size), last_of(lanes),       \
                     size);                                                                        \
  }                                                                                                \
  type API sub_group_non_uniform_reduce_##operation(type value) {                                  \
    return active_##operation##_in(value, SIZE);                                                   \
  }                                                                                                \
  type API sub_group_clustered_reduce_##operation(type value, uint size) {                         \
    return active_##operation##_in(value, size < SIZE ? size : SIZE);                              \
  }                                                                                                \
  type API sub_group_non_uniform_scan_inclusive_##operation(type value) {                          \
    const uint active = ACTIVE;                                                                    \
    return active_##operation(active, in_segment(active, SIZE), value, SIZE);                      \
  }                                                                                                \
  type API sub_group_non_uniform_scan_exclusive_##operation(type value) {                          \
    const uint active = ACTIVE;                                                                    \
    const uint lanes = in_segment(active, SIZE);                                                   \
    const uint lower = lanes & ((1u << lane_in(SIZE)) - 1);                                        \
    const type before = from_lane(active, active_##operation(active, lanes, value, SIZE),          \
                                  last_of(lower | 1), SIZE);                                       \
    return lower == 0 ? (type)(none) : before;                                                     \
  }
#define ACTIVE_NUMBERS(type, lowest, highest) NUMBER_OPERATIONS(ACTIVE_SCAN, type, lowest, highest)
#define ACTIVE_BITS(type, lowest, highest) BIT_OPERATIONS(ACTIVE_SCAN, type)
INTEGER_LIMITS(ACTIVE_NUMBERS)
INTEGER_LIMITS(ACTIVE_BITS)
FLOAT_LIMITS(ACTIVE_NUMBERS)
LOGICAL_OPERATIONS(ACTIVE_SCAN)

/* ---- Votes ---- */

static inline uint votes_here(bool value) {
  return in_segment(vote(ACTIVE, value), SIZE);
}
static inline uint all_here(void) {
  return lanes_of(size_here(SIZE));
}

int API sub_group_elect(void) {
  return lane_in(SIZE) == first_of(active_in(SIZE));
}
int API sub_group_non_uniform_any(int value) {
  return votes_here(value != 0) != 0;
}
int API sub_group_non_uniform_all(int value) {
  return votes_here(value == 0) == 0;
}
#define ALL_EQUAL(type)                                                                            \
  int API sub_group_non_uniform_all_equal(type value) {                                            \
    return votes_here(value != sub_group_broadcast_first(value)) == 0;                             \
  }
NUMBERS(ALL_EQUAL)
ALL_EQUAL(bool)

uint4 API sub_group_ballot(int value) {
  return (uint4)(votes_here(value != 0), 0, 0, 0);
}
int API sub_group_inverse_ballot(uint4 votes) {
  return votes.x >> lane_in(SIZE) & 1;
}
int API sub_group_ballot_bit_extract(uint4 votes, uint lane) {
  return votes.x >> lane & 1;
}
uint API sub_group_ballot_bit_count(uint4 votes) {
  return popcount(votes.x & all_here());
}
uint API sub_group_ballot_inclusive_scan(uint4 votes) {
  return popcount(votes.x & ((2u << lane_in(SIZE)) - 1));
}
uint API sub_group_ballot_exclusive_scan(uint4 votes) {
  return popcount(votes.x & ((1u << lane_in(SIZE)) - 1));
}
uint API sub_group_ballot_find_lsb(uint4 votes) {
  return popcount((votes.x & -votes.x) - 1);
}
uint API sub_group_ballot_find_msb(uint4 votes) {
  return 31 - clz(votes.x & all_here());
}
uint4 API get_sub_group_eq_mask(void) {
  return (uint4)(1u << lane_in(SIZE), 0, 0, 0);
}
uint4 API get_sub_group_ge_mask(void) {
  return (uint4)(all_here() & -(1u << lane_in(SIZE)), 0, 0, 0);
}
uint4 API get_sub_group_gt_mask(void) {
  return (uint4)(all_here() & -(1u << lane_in(SIZE)) << 1, 0, 0, 0);
}
uint4 API get_sub_group_le_mask(void) {
  return (uint4)((2u << lane_in(SIZE)) - 1, 0, 0, 0);
}
uint4 API get_sub_group_lt_mask(void) {
  return (uint4)((1u << lane_in(SIZE)) - 1, 0, 0, 0);
}

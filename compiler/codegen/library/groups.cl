/*
 * Sub-groups and work-groups. A sub-group is a warp or a segment of one, with the size that the
 * kernel requires. Warps hold a work-group's work-items in the order of their linear ids.
 */
#include "lanes.h"

local ulong *__specpi_group_memory(void);

/* ---- Sizes and ids of sub-groups ---- */

uint API get_sub_group_size(void) {
  return size_here(__specpi_sub_group_size());
}
uint API get_max_sub_group_size(void) {
  return __specpi_sub_group_size();
}
uint API get_num_sub_groups(void) {
  return (linear_size() + __specpi_sub_group_size() - 1) / __specpi_sub_group_size();
}
uint API get_enqueued_num_sub_groups(void) {
  return get_num_sub_groups();
}
uint API get_sub_group_id(void) {
  return linear_id() / __specpi_sub_group_size();
}
uint API get_sub_group_local_id(void) {
  return lane_in(__specpi_sub_group_size());
}

/* ---- Functions that libclc has, too: most modules then need no libclc ---- */

CONVERGENT void API barrier(cl_mem_fence_flags flags) {
  wait_for_group();
}

/* Every launch has three dimensions on CUDA, so trailing dimensions of size 1 are not counted. */
uint API get_work_dim(void) {
  return threads_z() * groups_z() > 1 ? 3 : threads_y() * groups_y() > 1 ? 2 : 1;
}

/* ---- Broadcasts ---- */

#define BROADCAST(type)                                                                            \
  type API sub_group_broadcast(type value, uint lane) {                                            \
    return from_lane(lanes_in(SIZE), value, lane, SIZE);                                           \
  }
MOVED_TYPES(BROADCAST)

/* ---- Intel's shuffles, which SYCL calls only in uniform control flow ---- */

#define SHUFFLE(type)                                                                              \
  type API intel_sub_group_shuffle(type value, uint lane) {                                        \
    return from_lane(lanes_in(SIZE), value, lane, SIZE);                                           \
  }                                                                                                \
  type API intel_sub_group_shuffle_xor(type value, uint mask) {                                    \
    return from_lane(lanes_in(SIZE), value, lane_in(SIZE) ^ mask, SIZE);                           \
  }                                                                                                \
  type API intel_sub_group_shuffle_up(type before, type value, uint delta) {                       \
    const uint lanes = lanes_in(SIZE);                                                             \
    const uint lane = lane_in(SIZE) - delta;                                                       \
    const type other = from_lane(lanes, before, lane & (SIZE - 1), SIZE);                          \
    const type own = from_lane(lanes, value, lane & (SIZE - 1), SIZE);                             \
    return delta > lane_in(SIZE) ? other : own;                                                    \
  }                                                                                                \
  type API intel_sub_group_shuffle_down(type value, type behind, uint delta) {                     \
    const uint lanes = lanes_in(SIZE);                                                             \
    const uint lane = lane_in(SIZE) + delta;                                                       \
    const type other = from_lane(lanes, behind, lane & (SIZE - 1), SIZE);                          \
    const type own = from_lane(lanes, value, lane & (SIZE - 1), SIZE);                             \
    return lane < SIZE ? own : other;                                                              \
  }
MOVED_TYPES(SHUFFLE)

/* ---- Reductions and scans ---- */

/* Inclusive scan in the order of the ids. */
#define SCAN(operation, type, none, combine)                                                       \
  static inline type API scan_##operation(type value, uint size) {                                 \
    const uint lane = lane_in(size);                                                               \
    for (uint step = 1; step < size; step *= 2) {                                                  \
      const type b = from_lane(lanes_in(size), value, lane - step, size);                          \
      const type a = value;                                                                        \
      value = lane >= step ? (combine) : a;                                                        \
    }                                                                                              \
    return value;                                                                                  \
  }                                                                                                \
  type API sub_group_scan_inclusive_##operation(type value) {                                      \
    return scan_##operation(value, SIZE);                                                          \
  }                                                                                                \
  type API sub_group_scan_exclusive_##operation(type value) {                                      \
    const type before =                                                                            \
        from_lane(lanes_in(SIZE), scan_##operation(value, SIZE), lane_in(SIZE) - 1, SIZE);         \
    return lane_in(SIZE) == 0 ? (type)(none) : before;                                             \
  }                                                                                                \
  type API sub_group_reduce_##operation(type value) {                                              \
    return from_lane(lanes_in(SIZE), scan_##operation(value, SIZE), size_here(SIZE) - 1, SIZE);    \
  }                                                                                                \
  /* Combines a with the results of the first count warps; scanned is this lane's scan. */         \
  static inline type API scan_warps_##operation(type scanned, uint count, type a) {                \
    local type *memory = (local type *)__specpi_group_memory();                                    \
    if (lane_in(WARP) == size_here(WARP) - 1)                                                      \
      memory[linear_id() / WARP] = scanned;                                                        \
    wait_for_group();                                                                              \
    for (uint i = 0; i < count; i++) {                                                             \
      const type b = memory[i];                                                                    \
      a = (combine);                                                                               \
    }                                                                                              \
    wait_for_group();                                                                              \
    return a;                                                                                      \
  }                                                                                                \
  type API work_group_scan_inclusive_##operation(type value) {                                     \
    const type b = scan_##operation(value, WARP);                                                  \
    const type a = scan_warps_##operation(b, linear_id() / WARP, (type)(none));                    \
    return (combine);                                                                              \
  }                                                                                                \
  type API work_group_scan_exclusive_##operation(type value) {                                     \
    const type all = scan_##operation(value, WARP);                                                \
    const type before = from_lane(lanes_in(WARP), all, lane_in(WARP) - 1, WARP);                   \
    const type b = lane_in(WARP) == 0 ? (type)(none) : before;                                     \
    const type a = scan_warps_##operation(all, linear_id() / WARP, (type)(none));                  \
    return (combine);                                                                              \
  }                                                                                                \
  type API work_group_reduce_##operation(type value) {                                             \
    return scan_warps_##operation(scan_##operation(value, WARP),                                   \
                                  (linear_size() + WARP - 1) / WARP, (type)(none));                \
  }

#define SCAN_NUMBERS(type, lowest, highest) NUMBER_OPERATIONS(SCAN, type, lowest, highest)
#define SCAN_BITS(type, lowest, highest) BIT_OPERATIONS(SCAN, type)
INTEGER_LIMITS(SCAN_NUMBERS)
INTEGER_LIMITS(SCAN_BITS)
FLOAT_LIMITS(SCAN_NUMBERS)
LOGICAL_OPERATIONS(SCAN)
#define LOGICAL(group, operation)                                                                  \
  bool API group##_##operation(bool value) { return group##_##operation((int)value) != 0; }
#define LOGICALS(operation)                                                                        \
  LOGICAL(sub_group, reduce_logical_##operation)                                                   \
  LOGICAL(sub_group, scan_inclusive_logical_##operation)                                           \
  LOGICAL(sub_group, scan_exclusive_logical_##operation)                                           \
  LOGICAL(work_group, reduce_logical_##operation)                                                  \
  LOGICAL(work_group, scan_inclusive_logical_##operation)                                          \
  LOGICAL(work_group, scan_exclusive_logical_##operation)
LOGICALS(and)
LOGICALS(or)
LOGICALS(xor)

int API work_group_any(int value) {
  return work_group_reduce_logical_or(value);
}
int API work_group_all(int value) {
  return work_group_reduce_logical_and(value);
}

/* Broadcasts from the work-item with an id of one to three dimensions. */
#define SPREAD(type, ...)                                                                          \
  static inline type API spread(type value, bool is_it) {                                          \
    local type *memory = (local type *)__specpi_group_memory();                                    \
    if (is_it)                                                                                     \
      memory[0] = value;                                                                           \
    wait_for_group();                                                                              \
    const type ret = memory[0];                                                                    \
    wait_for_group();                                                                              \
    return ret;                                                                                    \
  }                                                                                                \
  type API work_group_broadcast(type value, size_t x) { return spread(value, thread_x() == x); }   \
  type API work_group_broadcast(type value, size_t x, size_t y) {                                  \
    return spread(value, thread_x() == x && thread_y() == y);                                      \
  }                                                                                                \
  type API work_group_broadcast(type value, size_t x, size_t y, size_t z) {                        \
    return spread(value, thread_x() == x && thread_y() == y && thread_z() == z);                   \
  }
SHUFFLES(SPREAD)

/* ---- Votes ---- */

int API sub_group_any(int value) {
  return vote(lanes_in(SIZE), value != 0) != 0;
}
int API sub_group_all(int value) {
  return vote(lanes_in(SIZE), value == 0) == 0;
}

/* ---- Blocks: element i of all work-items' vectors is one row, ordered by work-item ---- */

#define BLOCK(space, suffix, type, count)                                                          \
  type##count API intel_sub_group_block_read##suffix##count(const space type *from) {              \
    type##count ret;                                                                               \
    for (uint i = 0; i < sizeof(ret) / sizeof(type); i++)                                          \
      ((type *)&ret)[i] = from[i * SIZE + lane_in(SIZE)];                                          \
    return ret;                                                                                    \
  }                                                                                                \
  void API intel_sub_group_block_write##suffix##count(space type *to, type##count value) {         \
    for (uint i = 0; i < sizeof(value) / sizeof(type); i++)                                        \
      to[i * SIZE + lane_in(SIZE)] = ((type *)&value)[i];                                          \
  }
#define BLOCKS(suffix, type)                                                                       \
  BLOCK(global, suffix, type, )                                                                    \
  BLOCK(global, suffix, type, 2)                                                                   \
  BLOCK(global, suffix, type, 4)                                                                   \
  BLOCK(global, suffix, type, 8)                                                                   \
  BLOCK(global, suffix, type, 16) BLOCK(local, suffix, type, ) BLOCK(local, suffix, type, 2)       \
      BLOCK(local, suffix, type, 4) BLOCK(local, suffix, type, 8) BLOCK(local, suffix, type, 16)
BLOCKS(_uc, uchar)
BLOCKS(_us, ushort)
BLOCKS(, uint)
BLOCKS(_ui, uint)
BLOCKS(_ul, ulong)

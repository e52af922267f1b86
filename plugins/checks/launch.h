/*
 * Checks of a launch and of a kernel's arguments, whatever the driver is. The path of a launch that
 * is right has the checks, and nothing else; only a refused launch looks for what was wrong.
 */
#ifndef OBJECTS_LAUNCH_H
#define OBJECTS_LAUNCH_H

#include "../base/error.h"
#include "local_size.h"

#include <stddef.h>
#include <stdint.h>

/* The limits and facts of a kernel on a device. Launches are checked against the first four. */
typedef struct kernel_limits {
  size_t required[3];        /* work-items of a work-group; 0 0 0 when any size will do */
  size_t max_group[3];       /* work-items of a work-group, by dimension */
  size_t max_groups[3];      /* work-groups */
  size_t max_items;          /* of a work-group */
  size_t max_device_items;   /* of a work-group of any kernel */
  size_t preferred_multiple; /* of work-items: sub-groups without idle lanes; not 0 */
  pi_uint32 local_memory;    /* bytes of the code's own */
  pi_uint32 private_memory;  /* bytes of a work-item */
  pi_uint32 registers;       /* of a work-item; UINT32_MAX: unknown */
  pi_uint32 max_sub_group, max_sub_groups;
  pi_uint32 required_sub_group, required_sub_groups; /* 0: any */
  local_size_cache chosen;
} kernel_limits;

/* A range in three dimensions; missing ones are 1, or 0 for an offset. */
typedef struct launch_range {
  pi_uint32 dimensions;
  bool has_local;
  bool is_empty; /* no work-items */
  size_t offset[3];
  size_t global[3];
  size_t local[3]; /* 1 1 1 where none is given, until one is chosen */
} launch_range;

/* Work-groups: the work-items of each, and the number of groups. */
typedef struct launch_groups {
  pi_uint32 size[3];
  pi_uint32 count[3];
} launch_groups;

/* The expensive part of check_launch: the sums and the product. */
pi_result check_large_launch(pi_uint32 dimensions, const size_t *offset, const size_t *global);

/* PI_ERROR_INVALID_WORK_DIMENSION. */
static inline pi_result check_dimensions(pi_uint32 dimensions) {
  REQUIRE(dimensions - 1 < 3, PI_ERROR_INVALID_WORK_DIMENSION, "work_dim is %u, not 1, 2 or 3",
          dimensions);
  return PI_SUCCESS;
}

/*
 * The range of a launch; offset may be NULL. PI_ERROR_INVALID_WORK_DIMENSION;
 * PI_ERROR_INVALID_VALUE: global is NULL; PI_ERROR_INVALID_GLOBAL_WORK_SIZE: more than PTRDIFF_MAX
 * work-items in all; PI_ERROR_INVALID_GLOBAL_OFFSET: an offset plus its size exceeds the largest
 * id.
 */
static inline pi_result check_launch(pi_uint32 dimensions, const size_t *offset,
                                     const size_t *global) {
  TRY(check_dimensions(dimensions));
  REQUIRE(global, PI_ERROR_INVALID_VALUE, "global_work_size is NULL");
  /* With three such numbers no product or sum overflows; most launches are done here. */
  size_t all = 0;
  for (pi_uint32 i = 0; i < dimensions; i++)
    all |= global[i] | (offset ? offset[i] : 0);
  if (__builtin_expect(all >> 20 == 0, 1))
    return PI_SUCCESS;
  return check_large_launch(dimensions, offset, global);
}

/* Fills in the range of a checked launch; offset and local may be NULL. */
static inline void launch_range_set(launch_range *range, pi_uint32 dimensions, const size_t *offset,
                                    const size_t *global, const size_t *local) {
  range->dimensions = dimensions;
  range->has_local = local != NULL;
  for (pi_uint32 i = 0; i < 3; i++) {
    const bool is_given = i < dimensions;
    range->offset[i] = is_given && offset ? offset[i] : 0;
    range->global[i] = is_given ? global[i] : 1;
    range->local[i] = is_given && local ? local[i] : 1;
  }
  range->is_empty = range->global[0] == 0 || range->global[1] == 0 || range->global[2] == 0;
}

static inline bool launch_has_offset(const launch_range *range) {
  return (range->offset[0] | range->offset[1] | range->offset[2]) != 0;
}

/* PI_ERROR_INVALID_GLOBAL_OFFSET for an offset of more than 32 bits, where a driver has no more. */
pi_result launch_check_offset(const launch_range *range);

/*
 * Divides global by local, which is not 0; false when it does not divide it. Most ranges need no
 * division of 64 bits, which takes longer than all other checks of a launch.
 */
static inline bool launch_divide(size_t global, size_t local, size_t *groups) {
  if (local == 1)
    *groups = global;
  else if (global <= UINT32_MAX)
    *groups = (uint32_t)global / (uint32_t)local;
  else
    *groups = global / local;
  return *groups * local == global;
}

/*
 * The work-groups of a range, whose local size is given or chosen; false when limits, none of which
 * is above UINT32_MAX, do not allow them: launch_check_groups has the message.
 */
static inline bool launch_make_groups(const kernel_limits *limits, const launch_range *range,
                                      launch_groups *ret) {
  const size_t *required = limits->required, *local = range->local;
  size_t items = 1;
  for (int i = 0; i < 3; i++) {
    size_t groups;
    if (local[i] - 1 >= limits->max_group[i] ||
        !launch_divide(range->global[i], local[i], &groups) || groups > limits->max_groups[i])
      return false;
    items *= local[i];
    ret->size[i] = (pi_uint32)local[i];
    ret->count[i] = (pi_uint32)groups;
  }
  return items <= limits->max_items &&
         (required[0] == 0 ||
          (local[0] == required[0] && local[1] == required[1] && local[2] == required[2]));
}

/*
 * Reports what is wrong with the work-groups of a range of the kernel of that name, if anything.
 * PI_ERROR_INVALID_WORK_ITEM_SIZE: more work-items in a dimension than the device has in any;
 * PI_ERROR_INVALID_WORK_GROUP_SIZE: other sizes; PI_ERROR_INVALID_GLOBAL_WORK_SIZE: too many
 * groups.
 */
pi_result launch_check_groups(const char *kernel, const kernel_limits *limits,
                              const launch_range *range) __attribute__((cold));

/*
 * PI_ERROR_OUT_OF_RESOURCES for a cooperative launch with more groups than run at the same time:
 * groups could not wait for each other.
 */
pi_result launch_check_cooperative(size_t groups, size_t most);

/* Checks first that there is a local size: PI_ERROR_INVALID_WORK_GROUP_SIZE. */
pi_result launch_check_cooperative_local(const size_t *local);

/* Arguments of piKernelSetExecInfo; value is not NULL. PI_ERROR_INVALID_VALUE. */
pi_result kernel_check_info(pi_kernel_exec_info name, size_t size, const void *value);

/* The local size of piKernelGetSubGroupInfo, 1 to 3 numbers or NULL. PI_ERROR_INVALID_VALUE. */
pi_result kernel_check_local_size(const void *value, size_t size);

/* The failure for an argument that a kernel does not have: PI_ERROR_INVALID_ARG_INDEX. */
pi_result refuse_argument(const char *kernel, pi_uint32 count, pi_uint32 index)
    __attribute__((cold));

/*
 * The failure for a local-memory argument of size bytes, where a work-group can have most:
 * PI_ERROR_INVALID_ARG_SIZE.
 */
pi_result refuse_local_memory(const char *kernel, pi_uint32 index, size_t size, size_t most)
    __attribute__((cold));

#endif

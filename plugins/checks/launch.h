/*
 * Checks of launches and of kernel arguments, for all drivers. A correct launch only takes fast
 * yes-or-no checks. Only when they fail do slower functions find the reason.
 */
#ifndef OBJECTS_LAUNCH_H
#define OBJECTS_LAUNCH_H

#include "../base/error.h"
#include "local_size.h"

#include <stddef.h>
#include <stdint.h>

/* Limits and facts of a kernel on a device. Launches are checked against the first four. */
typedef struct kernel_limits {
  size_t required[3];        /* required work-group size; 0 0 0: any size */
  size_t max_group[3];       /* largest work-group size in each dimension */
  size_t max_groups[3];      /* largest number of work-groups in each dimension */
  size_t max_items;          /* most work-items of a work-group */
  size_t max_device_items;   /* most work-items of a work-group of any kernel */
  size_t preferred_multiple; /* a multiple of it as work-group size leaves no lanes idle; not 0 */
  pi_uint32 local_memory;    /* bytes that the code declares */
  pi_uint32 private_memory;  /* bytes per work-item */
  pi_uint32 registers;       /* per work-item; UINT32_MAX: unknown */
  pi_uint32 max_sub_group, max_sub_groups;
  pi_uint32 required_sub_group, required_sub_groups; /* 0: any */
  local_size_cache chosen;
} kernel_limits;

/* A range, extended to three dimensions by sizes of 1 and offsets of 0. */
typedef struct launch_range {
  pi_uint32 dimensions;
  bool has_local;
  bool is_empty; /* it has no work-items */
  size_t offset[3];
  size_t global[3];
  size_t local[3]; /* 1 1 1 if the application gives none, until the plugin chooses one */
} launch_range;

/* The work-groups of a launch. */
typedef struct launch_groups {
  pi_uint32 size[3];  /* work-items of a work-group */
  pi_uint32 count[3]; /* work-groups */
} launch_groups;

/* Does the expensive part of check_launch, for sums and products that may overflow. */
pi_result check_large_launch(pi_uint32 dimensions, const size_t *offset, const size_t *global);

/* Checks the number of dimensions. PI_ERROR_INVALID_WORK_DIMENSION. */
static inline pi_result check_dimensions(pi_uint32 dimensions) {
  REQUIRE(dimensions - 1 < 3, PI_ERROR_INVALID_WORK_DIMENSION, "work_dim is %u, not 1, 2 or 3",
          dimensions);
  return PI_SUCCESS;
}

/*
 * Checks the range of a launch; offset may be NULL. PI_ERROR_INVALID_WORK_DIMENSION.
 * PI_ERROR_INVALID_VALUE: global is NULL. PI_ERROR_INVALID_GLOBAL_WORK_SIZE: the range has more
 * than PTRDIFF_MAX work-items. PI_ERROR_INVALID_GLOBAL_OFFSET: the sum of an offset and a size
 * overflows.
 */
static inline pi_result check_launch(pi_uint32 dimensions, const size_t *offset,
                                     const size_t *global) {
  TRY(check_dimensions(dimensions));
  REQUIRE(global, PI_ERROR_INVALID_VALUE, "global_work_size is NULL");
  /* No product or sum of numbers below 2^20 overflows. Most launches return here. */
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

/*
 * Checks that the offsets fit in 32 bits, for drivers with that limit.
 * PI_ERROR_INVALID_GLOBAL_OFFSET.
 */
pi_result launch_check_offset(const launch_range *range);

/*
 * Divides global by local, which is not 0. Returns whether there is no remainder. Avoids 64-bit
 * divisions if possible, because one takes longer than all other checks of a launch.
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
 * Divides a range into work-groups of range->local work-items. Returns false if the limits do not
 * allow that; launch_check_groups then makes the message. No limit may exceed UINT32_MAX.
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
 * Checks the work-groups of a range, and says what is wrong. kernel is the kernel's name.
 * PI_ERROR_INVALID_WORK_ITEM_SIZE: the local size exceeds the device's limit in a dimension.
 * PI_ERROR_INVALID_WORK_GROUP_SIZE: the local size is wrong for another reason.
 * PI_ERROR_INVALID_GLOBAL_WORK_SIZE: there are too many groups.
 */
pi_result launch_check_groups(const char *kernel, const kernel_limits *limits,
                              const launch_range *range) __attribute__((cold));

/*
 * Checks that all groups of a cooperative launch can run at the same time, because they wait for
 * each other. most is the number that can. PI_ERROR_OUT_OF_RESOURCES.
 */
pi_result launch_check_cooperative(size_t groups, size_t most);

/* Checks that a cooperative launch has a local size. PI_ERROR_INVALID_WORK_GROUP_SIZE. */
pi_result launch_check_cooperative_local(const size_t *local);

/* Checks the arguments of piKernelSetExecInfo; value is not NULL. PI_ERROR_INVALID_VALUE. */
pi_result kernel_check_info(pi_kernel_exec_info name, size_t size, const void *value);

/*
 * Checks the local size for piKernelGetSubGroupInfo, which has 1 to 3 numbers or is NULL.
 * PI_ERROR_INVALID_VALUE.
 */
pi_result kernel_check_local_size(const void *value, size_t size);

/* Fails with PI_ERROR_INVALID_ARG_INDEX because a kernel has no argument with this index. */
pi_result refuse_argument(const char *kernel, pi_uint32 count, pi_uint32 index)
    __attribute__((cold));

/*
 * Fails with PI_ERROR_INVALID_ARG_SIZE because a local-memory argument has size bytes, and a
 * work-group can have at most `most`.
 */
pi_result refuse_local_memory(const char *kernel, pi_uint32 index, size_t size, size_t most)
    __attribute__((cold));

#endif

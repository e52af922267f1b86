/* What a launch and a kernel's arguments are checked for whatever the driver is. */
#ifndef PI_OBJECTS_LAUNCH_H
#define PI_OBJECTS_LAUNCH_H

#include "../base/error.h"

#include <stddef.h>

/* All of pi_check_launch that takes more than a look: the sums and the product. */
pi_result pi_check_large_launch(pi_uint32 dimensions, const size_t *offset, const size_t *global);

/*
 * The range of a launch; offset may be NULL. PI_ERROR_INVALID_WORK_DIMENSION;
 * PI_ERROR_INVALID_VALUE: global is NULL; PI_ERROR_INVALID_GLOBAL_WORK_SIZE: more than PTRDIFF_MAX
 * work-items in all; PI_ERROR_INVALID_GLOBAL_OFFSET: an offset and its size are more than an id can
 * be.
 */
static inline pi_result pi_check_launch(pi_uint32 dimensions, const size_t *offset,
                                        const size_t *global) {
  PI_REQUIRE(dimensions - 1 < 3, PI_ERROR_INVALID_WORK_DIMENSION, "work_dim is %u, not 1, 2 or 3",
             dimensions);
  PI_REQUIRE(global, PI_ERROR_INVALID_VALUE, "global_work_size is NULL");
  /* Of three such numbers neither a product nor a sum overflows; most launches are done here. */
  size_t all = 0;
  for (pi_uint32 i = 0; i < dimensions; i++)
    all |= global[i] | (offset ? offset[i] : 0);
  if (__builtin_expect(all >> 20 == 0, 1))
    return PI_SUCCESS;
  return pi_check_large_launch(dimensions, offset, global);
}

/* The failure for an argument that a kernel does not have: PI_ERROR_INVALID_ARG_INDEX. */
pi_result pi_refuse_argument(const char *kernel, pi_uint32 count, pi_uint32 index)
    __attribute__((cold));

/*
 * The failure for local memory as an argument, of size bytes, where a work-group can have most:
 * PI_ERROR_INVALID_ARG_SIZE.
 */
pi_result pi_refuse_local_memory(const char *kernel, pi_uint32 index, size_t size, size_t most)
    __attribute__((cold));

#endif

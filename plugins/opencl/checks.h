/* Checks and macros that several files of the plugin share. */
#ifndef OPENCL_CHECKS_H
#define OPENCL_CHECKS_H

#include "opencl.h"

#include "../checks/arguments.h"
#include "../objects/handle.h"

/* The handles are the driver's, so only NULL can be refused. */
#define HANDLE_IS_LIVE(object, KIND)                                                               \
  (OBJECT_##KIND == OBJECT_COMMAND_BUFFER                                                          \
       ? object_is((const object_head *)(const void *)(object), OBJECT_COMMAND_BUFFER)             \
       : (object) != NULL)
#include "../checks/handles.h"

/* Asserts that a structure of PI is three sizes in OpenCL's order, and so passes as an array. */
#define IS_THREE_SIZES(type, first, second, third)                                                 \
  _Static_assert(sizeof(type) == 3 * sizeof(size_t) && offsetof(type, first) == 0 &&               \
                     offsetof(type, second) == sizeof(size_t) &&                                   \
                     offsetof(type, third) == 2 * sizeof(size_t),                                  \
                 #type " is size_t[3]")

static inline const size_t *sizes(const void *three_sizes) {
  return three_sizes;
}

/*
 * Checks that [offset, offset + size) is inside a buffer, because some drivers do not.
 * PI_ERROR_INVALID_VALUE when it is not, or the driver's code when the buffer is invalid.
 */
pi_result opencl_check_range(pi_mem buffer, size_t offset, size_t size);

#endif

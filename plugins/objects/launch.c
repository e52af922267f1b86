#include "launch.h"

#include "arguments.h"

#include <stdint.h>

pi_result pi_check_large_launch(pi_uint32 dimensions, const size_t *offset, const size_t *global) {
  size_t items = 1;
  bool is_counted = true;
  bool is_empty = false;
  for (pi_uint32 i = 0; i < dimensions; i++) {
    PI_REQUIRE(!offset || offset[i] <= SIZE_MAX - global[i], PI_ERROR_INVALID_GLOBAL_OFFSET,
               "global_work_offset %s and global_work_size %s are together more than an id can be, "
               "in entry %u",
               pi_text_of_sizes(offset, dimensions).text, pi_text_of_sizes(global, dimensions).text,
               i);
    is_empty = is_empty || global[i] == 0;
    is_counted = is_counted && !__builtin_mul_overflow(items, global[i], &items);
  }
  PI_REQUIRE(is_empty || (is_counted && items <= PTRDIFF_MAX), PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
             "global_work_size %s has more than %td work-items",
             pi_text_of_sizes(global, dimensions).text, PTRDIFF_MAX);
  return PI_SUCCESS;
}

pi_result pi_refuse_argument(const char *kernel, pi_uint32 count, pi_uint32 index) {
  return pi_error(PI_ERROR_INVALID_ARG_INDEX,
                  "kernel %s has %u arguments, there is none with index %u", kernel, count, index);
}

pi_result pi_refuse_local_memory(const char *kernel, pi_uint32 index, size_t size, size_t most) {
  return pi_error(PI_ERROR_INVALID_ARG_SIZE,
                  "argument %u of kernel %s is local memory of %zu bytes; a work-group of the "
                  "device has up to %zu",
                  index, kernel, size, most);
}

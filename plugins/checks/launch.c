#include "launch.h"

#include "arguments.h"

#include <string.h>

pi_result check_large_launch(pi_uint32 dimensions, const size_t *offset, const size_t *global) {
  size_t items = 1;
  bool is_counted = true;
  bool is_empty = false;
  for (pi_uint32 i = 0; i < dimensions; i++) {
    REQUIRE(!offset || offset[i] <= SIZE_MAX - global[i], PI_ERROR_INVALID_GLOBAL_OFFSET,
            "the sum of global_work_offset %s and global_work_size %s exceeds the largest id in "
            "entry %u",
            text_of_sizes(offset, dimensions).text, text_of_sizes(global, dimensions).text, i);
    is_empty = is_empty || global[i] == 0;
    is_counted = is_counted && !__builtin_mul_overflow(items, global[i], &items);
  }
  REQUIRE(is_empty || (is_counted && items <= PTRDIFF_MAX), PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
          "global_work_size %s has more than %td work-items",
          text_of_sizes(global, dimensions).text, PTRDIFF_MAX);
  return PI_SUCCESS;
}

/* Checks the work-group size by itself, without the range. */
static pi_result check_size(const char *kernel, const kernel_limits *limits,
                            const launch_range *range) {
  const sizes_text given = text_of_sizes(range->local, range->dimensions);
  const size_t *required = limits->required;
  size_t items = 1;
  for (pi_uint32 i = 0; i < 3; i++) {
    REQUIRE(range->local[i] != 0, PI_ERROR_INVALID_WORK_GROUP_SIZE,
            "local_work_size is %s: entry %u is 0", given.text, i);
    REQUIRE(required[0] == 0 || range->local[i] == required[i], PI_ERROR_INVALID_WORK_GROUP_SIZE,
            "kernel %s was compiled for work-groups of %s, local_work_size is %s", kernel,
            text_of_sizes(required, 3).text, range->has_local ? given.text : "NULL");
    REQUIRE(range->local[i] <= limits->max_group[i], PI_ERROR_INVALID_WORK_ITEM_SIZE,
            "local_work_size is %s: entry %u exceeds the device's maximum of %zu", given.text, i,
            limits->max_group[i]);
    if (__builtin_mul_overflow(items, range->local[i], &items))
      items = SIZE_MAX;
  }
  REQUIRE(items <= limits->max_items, PI_ERROR_INVALID_WORK_GROUP_SIZE,
          "local_work_size is %s = %zu work-items, kernel %s can have %zu on this device, whose "
          "maximum is %zu",
          given.text, items, kernel, limits->max_items, limits->max_device_items);
  return PI_SUCCESS;
}

pi_result launch_check_groups(const char *kernel, const kernel_limits *limits,
                              const launch_range *range) {
  TRY(check_size(kernel, limits, range));
  const sizes_text global = text_of_sizes(range->global, range->dimensions);
  const sizes_text local = text_of_sizes(range->local, range->dimensions);
  for (pi_uint32 i = 0; i < 3; i++) {
    const size_t groups = range->global[i] / range->local[i];
    REQUIRE(groups * range->local[i] == range->global[i], PI_ERROR_INVALID_WORK_GROUP_SIZE,
            "local_work_size is %s, which does not divide global_work_size %s in entry %u: all "
            "work-groups have one size",
            local.text, global.text, i);
    REQUIRE(groups <= limits->max_groups[i], PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
            "global_work_size %s in work-groups of %s has %zu groups in entry %u, the device's "
            "maximum is %zu",
            global.text, local.text, groups, i, limits->max_groups[i]);
  }
  return PI_SUCCESS;
}

pi_result launch_check_offset(const launch_range *range) {
  REQUIRE((range->offset[0] | range->offset[1] | range->offset[2]) <= UINT32_MAX,
          PI_ERROR_INVALID_GLOBAL_OFFSET,
          "global_work_offset is %s, and the driver takes offsets of 32 bits",
          text_of_sizes(range->offset, range->dimensions).text);
  return PI_SUCCESS;
}

pi_result launch_check_cooperative_local(const size_t *local) {
  REQUIRE(local, PI_ERROR_INVALID_WORK_GROUP_SIZE,
          "a cooperative launch needs a local_work_size, it is NULL");
  return PI_SUCCESS;
}

pi_result launch_check_cooperative(size_t groups, size_t most) {
  REQUIRE(groups <= most, PI_ERROR_OUT_OF_RESOURCES,
          "a cooperative launch of %zu work-groups, at most %zu run at the same time", groups,
          most);
  return PI_SUCCESS;
}

pi_result kernel_check_info(pi_kernel_exec_info name, size_t size, const void *value) {
  pi_uint32 config;
  switch (name) {
  case PI_USM_INDIRECT_ACCESS:
    REQUIRE(size == sizeof(pi_bool), PI_ERROR_INVALID_VALUE,
            "param_value_size is %zu, a pi_bool has %zu bytes", size, sizeof(pi_bool));
    return PI_SUCCESS;
  case PI_USM_PTRS:
    REQUIRE(size != 0 && size % sizeof(void *) == 0, PI_ERROR_INVALID_VALUE,
            "param_value_size is %zu, not a multiple of %zu", size, sizeof(void *));
    return PI_SUCCESS;
  case PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG:
    REQUIRE(size == sizeof config, PI_ERROR_INVALID_VALUE,
            "param_value_size is %zu, a pi_kernel_cache_config has %zu bytes", size, sizeof config);
    memcpy(&config, value, sizeof config);
    REQUIRE(config <= PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_DATA, PI_ERROR_INVALID_VALUE,
            "%u is not a pi_kernel_cache_config", config);
    return PI_SUCCESS;
  }
  return plugin_error(PI_ERROR_INVALID_VALUE, "0x%x is not a pi_kernel_exec_info", (unsigned)name);
}

pi_result kernel_check_local_size(const void *value, size_t size) {
  REQUIRE(!value || (size != 0 && size % sizeof(size_t) == 0 && size <= 3 * sizeof(size_t)),
          PI_ERROR_INVALID_VALUE, "input_value_size is %zu, not 1 to 3 times %zu", size,
          sizeof(size_t));
  return PI_SUCCESS;
}

pi_result refuse_argument(const char *kernel, pi_uint32 count, pi_uint32 index) {
  return plugin_error(PI_ERROR_INVALID_ARG_INDEX,
                      "kernel %s has %u arguments, there is none with index %u", kernel, count,
                      index);
}

pi_result refuse_local_memory(const char *kernel, pi_uint32 index, size_t size, size_t most) {
  return plugin_error(PI_ERROR_INVALID_ARG_SIZE,
                      "argument %u of kernel %s is local memory of %zu bytes; a work-group of the "
                      "device has up to %zu",
                      index, kernel, size, most);
}

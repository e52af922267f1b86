/* The driver itself, its platform, and its two devices, which have equal properties. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "../objects/device.h"

#include "../base/error.h"
#include "../code/select_image.h"
#include "../objects/driver.h"
#include "command.h"

#include <time.h>

const char driver_name[] = "the null driver";
const char driver_file[] = "libpi_null.so";

const compiler_option driver_options[] = {{"", ""},    {"-O0", ""}, {"-O1", ""},
                                          {"-O2", ""}, {"-O3", ""}, {"-ftarget-compile-fast", ""}};
const size_t driver_option_count = sizeof driver_options / sizeof driver_options[0];

/* ---- The platform ---- */

pi_result driver_platforms_list(pi_uint32 *count, pi_native_handle *ret) {
  if (ret)
    ret[0] = 1;
  *count = 1;
  return PI_SUCCESS;
}

void driver_platform_facts(pi_platform platform, platform_facts *ret) {
  *ret = (platform_facts){.name = "specpi null",
                          .vendor = "specpi",
                          .extensions = "",
                          .version = "1.0",
                          .backend = driver_backend()};
}

/* ---- The devices ---- */

pi_result driver_devices_list(pi_platform platform, pi_device parent, pi_uint32 *count,
                              pi_native_handle *ret) {
  *count = parent ? 0 : NULL_DEVICES;
  for (pi_uint32 i = 0; ret && i < *count; i++)
    ret[i] = i + 1;
  return PI_SUCCESS;
}

pi_uint64 null_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (pi_uint64)now.tv_sec * 1000000000 + (pi_uint64)now.tv_nsec;
}

/* ---- Answers ---- */

pi_result driver_device_query(pi_device device, pi_device_info query, device_value *ret) {
  static const size_t group[3] = {NULL_MAX_GROUP, NULL_MAX_GROUP, NULL_MAX_GROUP};
  static const size_t groups[3] = {NULL_MAX_GROUPS, NULL_MAX_GROUPS, NULL_MAX_GROUPS};
  static const size_t sub_groups[] = {1};
#define ANSWER(query, ...)                                                                         \
  case PI_##query:                                                                                 \
    return device_##__VA_ARGS__
  // NOLINTBEGIN(bugprone-branch-clone): queries of a list may have the same answer
  switch ((int)query) {
    ANSWER(DEVICE_INFO_NAME, text(ret, "null device %u", device->index));
    ANSWER(DEVICE_INFO_VERSION, text(ret, "1.0"));
    ANSWER(DEVICE_INFO_DRIVER_VERSION, text(ret, "1.0"));
    ANSWER(DEVICE_INFO_IL_VERSION, text(ret, "SPIR-V_1.4"));
    ANSWER(DEVICE_INFO_MAX_WORK_ITEM_SIZES, sizes(ret, 3, group));
    ANSWER(EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D, sizes(ret, 3, groups));
    ANSWER(DEVICE_INFO_SUB_GROUP_SIZES_INTEL, sizes(ret, 1, sub_groups));
    ANSWER(DEVICE_INFO_MAX_COMPUTE_UNITS, number(ret, 1));
    ANSWER(DEVICE_INFO_MAX_WORK_GROUP_SIZE, number(ret, NULL_MAX_GROUP));
    ANSWER(DEVICE_INFO_MAX_MEM_ALLOC_SIZE, number(ret, NULL_MAX_ALLOCATION));
    ANSWER(DEVICE_INFO_GLOBAL_MEM_SIZE, number(ret, NULL_MAX_ALLOCATION));
    ANSWER(DEVICE_INFO_MAX_PARAMETER_SIZE, number(ret, 4096));
    ANSWER(DEVICE_INFO_MEM_BASE_ADDR_ALIGN, number(ret, 1024));
    ANSWER(DEVICE_INFO_LOCAL_MEM_SIZE, number(ret, NULL_LOCAL_MEMORY));
    ANSWER(DEVICE_INFO_PROFILING_TIMER_RESOLUTION, number(ret, 1));
    ANSWER(DEVICE_INFO_AVAILABLE, number(ret, PI_TRUE));
    ANSWER(DEVICE_INFO_HOST_UNIFIED_MEMORY, number(ret, PI_TRUE));
    ANSWER(DEVICE_INFO_USM_HOST_SUPPORT, number(ret, PI_USM_ACCESS));
    ANSWER(DEVICE_INFO_USM_DEVICE_SUPPORT, number(ret, PI_USM_ACCESS));
    ANSWER(DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT, number(ret, PI_USM_ACCESS));
  default:
    *ret = (device_value){0}; /* 0, false or an empty text: the device lacks the feature */
    return PI_SUCCESS;
  }
  // NOLINTEND(bugprone-branch-clone)
#undef ANSWER
}

const char *const *driver_device_targets(pi_device device) {
  static const char *const targets[] = {PI_DEVICE_BINARY_TARGET_SPIRV64, NULL};
  (void)device;
  return targets;
}

pi_result driver_device_select(pi_device device, pi_device_binary *images, pi_uint32 count,
                               pi_uint32 *ret) {
  return select_image(images, count, NULL, PI_DEVICE_BINARY_TARGET_SPIRV64, ret);
}

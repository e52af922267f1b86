/* The driver itself, its platform and its devices, of which there are two that are alike. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "../objects/device.h"

#include "../base/error.h"
#include "../objects/driver.h"
#include "command.h"

#include <time.h>

const char driver_name[] = "the null driver";
const char driver_file[] = "libpi_null.so";

const pi_backend_option driver_options[] = {
    {"", ""}, {"-O0", ""}, {"-O1", ""}, {"-O2", ""}, {"-O3", ""}, {"-ftarget-compile-fast", ""}};
const size_t driver_option_count = sizeof driver_options / sizeof driver_options[0];

/* A driver whose library may be missing opens it here. */
bool driver_load(void) {
  return true;
}

/* ---- The platform ---- */

pi_result driver_platforms_list(pi_uint32 *count, pi_native_handle *ret) {
  if (ret)
    ret[0] = 1;
  *count = 1;
  return PI_SUCCESS;
}

void driver_platform_facts(pi_platform platform, platform_facts *ret) {
  /* The value says what runtimes think that they have: PI has none for a driver of one's own. */
  *ret = (platform_facts){.name = "specpi null",
                          .vendor = "specpi",
                          .extensions = "",
                          .version = "1.0",
                          .backend = PI_EXT_PLATFORM_BACKEND_NATIVE_CPU};
}

/* ---- The devices ---- */

pi_result driver_devices_list(pi_platform platform, pi_device parent, pi_uint32 *count,
                              pi_native_handle *ret) {
  *count = parent ? 0 : NULL_DEVICES;
  for (pi_uint32 i = 0; ret && i < *count; i++)
    ret[i] = i + 1;
  return PI_SUCCESS;
}

pi_result driver_device_open(pi_device device) {
  device->type = PI_DEVICE_TYPE_CPU;
  return PI_SUCCESS;
}

pi_uint64 null_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (pi_uint64)now.tv_sec * 1000000000 + (pi_uint64)now.tv_nsec;
}

/* The device has the host's clock. */
pi_result driver_device_time(pi_device device, pi_uint64 *device_time, pi_uint64 *host_time) {
  *device_time = *host_time = null_now();
  return PI_SUCCESS;
}

pi_result driver_peer_can(pi_device command_device, pi_device peer_device, pi_peer_attr attr,
                          bool *ret) {
  *ret = attr == PI_PEER_ACCESS_SUPPORTED;
  return PI_SUCCESS;
}

/* ---- Answers ---- */

/* X(query, number) */
#define NULL_NUMBERS(X)                                                                            \
  X(DEVICE_INFO_MAX_COMPUTE_UNITS, 1)                                                              \
  X(DEVICE_INFO_MAX_WORK_GROUP_SIZE, NULL_MAX_GROUP)                                               \
  X(DEVICE_INFO_MAX_MEM_ALLOC_SIZE, NULL_MAX_ALLOCATION)                                           \
  X(DEVICE_INFO_GLOBAL_MEM_SIZE, NULL_MAX_ALLOCATION)                                              \
  X(DEVICE_INFO_MAX_PARAMETER_SIZE, 4096)                                                          \
  X(DEVICE_INFO_MEM_BASE_ADDR_ALIGN, 1024)                                                         \
  X(DEVICE_INFO_LOCAL_MEM_SIZE, NULL_LOCAL_MEMORY)                                                 \
  X(DEVICE_INFO_PROFILING_TIMER_RESOLUTION, 1)                                                     \
  X(DEVICE_INFO_AVAILABLE, PI_TRUE)                                                                \
  X(DEVICE_INFO_HOST_UNIFIED_MEMORY, PI_TRUE)                                                      \
  X(DEVICE_INFO_USM_HOST_SUPPORT, PI_USM_ACCESS)                                                   \
  X(DEVICE_INFO_USM_DEVICE_SUPPORT, PI_USM_ACCESS)                                                 \
  X(DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT, PI_USM_ACCESS)

pi_result driver_device_query(pi_device device, pi_device_info query, device_value *ret) {
  static const size_t group[3] = {NULL_MAX_GROUP, NULL_MAX_GROUP, NULL_MAX_GROUP};
  static const size_t groups[3] = {NULL_MAX_GROUPS, NULL_MAX_GROUPS, NULL_MAX_GROUPS};
  static const size_t sub_groups[] = {1};
  // NOLINTBEGIN(bugprone-branch-clone): rows of a list may have the same answer
  switch ((int)query) {
#define NULL_CASE(query, number)                                                                   \
  case PI_##query:                                                                                 \
    return device_number(ret, number);
    NULL_NUMBERS(NULL_CASE)
#undef NULL_CASE
  case PI_DEVICE_INFO_NAME:
    return device_text(ret, "null device %u", device->index);
  case PI_DEVICE_INFO_VERSION:
  case PI_DEVICE_INFO_DRIVER_VERSION:
    return device_text(ret, "1.0");
  case PI_DEVICE_INFO_IL_VERSION:
    return device_text(ret, "SPIR-V_1.4");
  case PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES:
    return device_sizes(ret, 3, group);
  case PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D:
    return device_sizes(ret, 3, groups);
  case PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL:
    return device_sizes(ret, 1, sub_groups);
  default:
    *ret = (device_value){0}; /* 0, false, an empty text: it has nothing of the kind */
    return PI_SUCCESS;
  }
  // NOLINTEND(bugprone-branch-clone)
}

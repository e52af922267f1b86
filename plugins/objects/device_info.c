#include "device_info.h"

#include "../base/error.h"
#include "device.h"
#include "device_form.h"
#include "driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* X(query, number): numbers that are the same for every device. */
#define DEVICE_CONSTANTS(X)                                                                        \
  X(DEVICE_INFO_MAX_WORK_ITEM_DIMENSIONS, 3)                                                       \
  X(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_CHAR, 1)                                                    \
  X(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_SHORT, 1)                                                   \
  X(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_INT, 1)                                                     \
  X(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_LONG, 1)                                                    \
  X(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_FLOAT, 1)                                                   \
  X(DEVICE_INFO_NATIVE_VECTOR_WIDTH_CHAR, 1)                                                       \
  X(DEVICE_INFO_NATIVE_VECTOR_WIDTH_SHORT, 1)                                                      \
  X(DEVICE_INFO_NATIVE_VECTOR_WIDTH_INT, 1)                                                        \
  X(DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG, 1)                                                       \
  X(DEVICE_INFO_NATIVE_VECTOR_WIDTH_FLOAT, 1)                                                      \
  X(DEVICE_INFO_ADDRESS_BITS, 64)                                                                  \
  X(DEVICE_INFO_LOCAL_MEM_TYPE, PI_DEVICE_LOCAL_MEM_TYPE_LOCAL)                                    \
  X(DEVICE_INFO_ENDIAN_LITTLE, PI_TRUE)                                                            \
  X(DEVICE_INFO_COMPILER_AVAILABLE, PI_TRUE)                                                       \
  X(DEVICE_INFO_LINKER_AVAILABLE, PI_TRUE)                                                         \
  X(DEVICE_INFO_EXECUTION_CAPABILITIES, PI_DEVICE_EXEC_CAPABILITIES_KERNEL)                        \
  /* Also PI_DEVICE_INFO_QUEUE_PROPERTIES. */                                                      \
  X(DEVICE_INFO_QUEUE_ON_HOST_PROPERTIES,                                                          \
    PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE)                  \
  X(DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES, 0)                                                     \
  X(DEVICE_INFO_PREFERRED_INTEROP_USER_SYNC, PI_TRUE)                                              \
  X(DEVICE_INFO_IMAGE_SRGB, PI_FALSE)                                                              \
  /* Programs are built for root devices; their parts run the same build. */                       \
  X(DEVICE_INFO_BUILD_ON_SUBDEVICE, PI_FALSE)                                                      \
  X(EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT, PI_FALSE)                                           \
  /* Fusion takes bitcode, which plugins do not. */                                                \
  X(EXT_CODEPLAY_DEVICE_INFO_SUPPORTS_FUSION, PI_FALSE)                                            \
  X(EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_EXPORT_SUPPORT, PI_FALSE)                                \
  X(EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_EXPORT_SUPPORT, PI_FALSE)                             \
  /* Composite devices exist only where Level Zero lists tiles as root devices, unlike here. */    \
  X(EXT_ONEAPI_DEVICE_INFO_COMPOSITE_DEVICE, 0)

/* X(query, text): texts that are the same for every device. */
#define DEVICE_TEXTS(X)                                                                            \
  X(DEVICE_INFO_PROFILE, "FULL_PROFILE")                                                           \
  X(DEVICE_INFO_OPENCL_C_VERSION, "")                                                              \
  X(DEVICE_INFO_BUILT_IN_KERNELS, "")

/* X(query, number): numbers from the device's object. */
#define DEVICE_MEMBERS(X)                                                                          \
  X(DEVICE_INFO_TYPE, device->type)                                                                \
  X(DEVICE_INFO_PLATFORM, (uintptr_t)device->platform)                                             \
  X(DEVICE_INFO_PARENT_DEVICE, (uintptr_t)device->parent)                                          \
  X(DEVICE_INFO_PARTITION_MAX_SUB_DEVICES, device->part_count)                                     \
  X(DEVICE_INFO_PARTITION_AFFINITY_DOMAIN, device->part_count ? PARTS_DOMAINS : 0)                 \
  X(DEVICE_INFO_REFERENCE_COUNT, object_references(&device->handle))
#define PARTS_DOMAINS                                                                              \
  (PI_DEVICE_AFFINITY_DOMAIN_NUMA | PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)

/* X(query, other, number): numbers computed from ret, the driver's answer to the query other. */
#define DEVICE_DERIVED(X)                                                                          \
  /* 1 if the device has the type: each work-item computes with scalars. */                        \
  X(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_DOUBLE, DEVICE_INFO_DOUBLE_FP_CONFIG, ret->number != 0)     \
  X(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_HALF, DEVICE_INFO_HALF_FP_CONFIG, ret->number != 0)         \
  X(DEVICE_INFO_NATIVE_VECTOR_WIDTH_DOUBLE, DEVICE_INFO_DOUBLE_FP_CONFIG, ret->number != 0)        \
  X(DEVICE_INFO_NATIVE_VECTOR_WIDTH_HALF, DEVICE_INFO_HALF_FP_CONFIG, ret->number != 0)            \
  X(DEVICE_INFO_IMAGE_SUPPORT, DEVICE_INFO_IMAGE2D_MAX_WIDTH, ret->number != 0)                    \
  X(DEVICE_INFO_GLOBAL_MEM_CACHE_TYPE, DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE,                          \
    ret->number ? PI_DEVICE_MEM_CACHE_TYPE_READ_WRITE_CACHE : PI_DEVICE_MEM_CACHE_TYPE_NONE)       \
  X(EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES,                                               \
    EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, ret->number)                                 \
  X(EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES,                                               \
    EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, ret->number)                                 \
  X(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SHARED_USM_SUPPORT,                                     \
    EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT, ret->number)                                   \
  X(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_1D_USM_SUPPORT,                                         \
    EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT, ret->number)                                   \
  X(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_2D_USM_SUPPORT,                                         \
    EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT, ret->number)                                   \
  X(EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D, EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D,          \
    ret->sizes[0])                                                                                 \
  X(EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D, EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D, 0)       \
  X(EXT_ONEAPI_DEVICE_INFO_MAX_GLOBAL_WORK_GROUPS, EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D,      \
    product(ret->sizes))

pi_result device_sizes(device_value *ret, size_t count, const size_t *sizes) {
  ret->reason = NULL;
  ret->count = count;
  for (size_t i = 0; i < count; i++)
    ret->sizes[i] = sizes[i];
  return PI_SUCCESS;
}

pi_result device_bytes(device_value *ret, const void *bytes, size_t size) {
  ret->reason = NULL;
  memcpy(ret->text, bytes, size);
  return PI_SUCCESS;
}

pi_result device_text(device_value *ret, const char *format, ...) {
  ret->reason = NULL;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(ret->text, sizeof ret->text, format, arguments);
  va_end(arguments);
  return PI_SUCCESS;
}

/* The product of three sizes, or SIZE_MAX if it is larger. */
static size_t product(const size_t *sizes) {
  size_t all = 0;
  return __builtin_mul_overflow(sizes[0], sizes[1], &all) ||
                 __builtin_mul_overflow(all, sizes[2], &all)
             ? SIZE_MAX
             : all;
}

/* The number of the smallest sub-groups in the largest work-group. */
static pi_result count_sub_groups(pi_device device, device_value *ret) {
  TRY(driver_device_query(device, PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL, ret));
  size_t smallest = 0;
  for (size_t i = 0; i < ret->count; i++)
    smallest = ret->sizes[i] && (!smallest || ret->sizes[i] < smallest) ? ret->sizes[i] : smallest;
  TRY(driver_device_query(device, PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE, ret));
  return device_number(ret, ret->number / (smallest ? smallest : 1));
}

/* Lists the ways of partition, or the one that made a part. {0} means none. */
static pi_result tell_partition(pi_device device, bool is_type, device_value *ret) {
  const size_t way[] = {PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                        PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  if (is_type && device->parent)
    return device_sizes(ret, 3, way);
  return device_sizes(ret, 1, !is_type && device->part_count ? &way[0] : &way[2]);
}

pi_result device_find_value(pi_device device, pi_device_info query, device_value *ret) {
  platform_facts facts;
  ret->number = 0; /* device_give takes the number of a text, too */
  // NOLINTBEGIN(bugprone-branch-clone): rows of a list may have the same answer
  switch (query) {
#define DEVICE_CASE(query, number)                                                                 \
  case PI_##query:                                                                                 \
    return device_number(ret, number);
    DEVICE_CONSTANTS(DEVICE_CASE)
    DEVICE_MEMBERS(DEVICE_CASE)
#undef DEVICE_CASE
#define DEVICE_CASE(query, value)                                                                  \
  case PI_##query:                                                                                 \
    return device_text(ret, "%s", value);
    DEVICE_TEXTS(DEVICE_CASE)
#undef DEVICE_CASE
#define DEVICE_CASE(query, other, value)                                                           \
  case PI_##query:                                                                                 \
    TRY(driver_device_query(device, PI_##other, ret));                                             \
    return ret->reason ? PI_SUCCESS : device_number(ret, value);
    DEVICE_DERIVED(DEVICE_CASE)
#undef DEVICE_CASE
  case PI_DEVICE_INFO_VENDOR:
    driver_platform_facts(device->platform, &facts);
    return device_text(ret, "%s", facts.vendor);
  case PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS:
    return count_sub_groups(device, ret);
  case PI_DEVICE_INFO_PARTITION_PROPERTIES:
  case PI_DEVICE_INFO_PARTITION_TYPE:
    return tell_partition(device, query == PI_DEVICE_INFO_PARTITION_TYPE, ret);
  case PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES:
    return device_sizes(ret, 0, NULL);
  default:
    return driver_device_query(device, query, ret);
  }
  // NOLINTEND(bugprone-branch-clone)
}

pi_result device_answer(pi_device device, pi_device_info query, const info_answer *answer) {
  device_form form;
  if (!device_form_of(query, &form))
    return answer_unknown("pi_device_info", query);
  device_value value;
  TRY(device_find_value(device, query, &value));
  if (value.reason)
    return answer_unsupported("pi_device_info", query, value.reason);
  return device_give(&value, form, answer);
}

bool device_asks_for_nothing(pi_device device, const info_answer *answer) {
  if (answer->size || answer->value || answer->size_ret)
    return false;
  platform_facts facts;
  driver_platform_facts(device->platform, &facts);
  return facts.backend == PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO;
}

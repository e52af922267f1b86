/* Platforms and devices of the fake OpenCL. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FAKE_USM_EXTENSION "cl_intel_unified_shared_memory"

static const struct {
  const char *name;
  const char *version;
  const char *c_version;
  const char *il_version; /* NULL if the query is unknown */
  const char *extensions; /* other than the ones below */
  bool usm;
  unsigned number;
} platforms[FAKE_PLATFORMS_MAX] = {
    [FAKE_PLATFORM_FULL] = {"Fake OpenCL for tests", "OpenCL 3.0 FAKE", "OpenCL C 3.0 ",
                            "SPIR-V_1.2",
                            "cl_khr_il_program cl_khr_fp64 cl_khr_fp16 cl_khr_subgroups "
                            "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
                            "cl_intel_required_subgroup_size cl_khr_device_uuid",
                            true, 300},
    [FAKE_PLATFORM_OLD] = {"Fake OpenCL for tests, old", "OpenCL 1.2 FAKE", "OpenCL C 1.2 ", NULL,
                           "cl_khr_global_int32_base_atomics", false, 120},
    [FAKE_PLATFORM_MIDDLE] = {"Fake OpenCL for tests, middle", "OpenCL 2.0 FAKE", "OpenCL C 2.0 ",
                              "SPIR-V_1.0", "cl_khr_il_program cl_khr_subgroups", true, 200},
};

static cl_platform_id present[FAKE_PLATFORMS_MAX];
static cl_uint present_count;

enum { UNITS = 4 };

bool fake_is_left_out(const char *word) {
  const char *all = getenv("FAKE_OPENCL_WITHOUT");
  const size_t length = strlen(word);
  for (const char *i = all; i && *i; i += strcspn(i, ","), i += *i == ',')
    if (strncmp(i, word, length) == 0 && (i[length] == '\0' || i[length] == ','))
      return true;
  return false;
}

size_t fake_group_size(void) {
  return fake_is_left_out("groups") ? 512 : 1024;
}

bool fake_has_usm(cl_platform_id platform) {
  return platforms[platform->index].usm && !fake_is_left_out("usm");
}

/* Returns a platform's extensions, valid until the next call. The caller holds the lock. */
static const char *extensions_of(cl_platform_id platform) {
  static char text[512];
  snprintf(text, sizeof text, "%s%s", platforms[platform->index].extensions,
           fake_has_usm(platform) ? " " FAKE_USM_EXTENSION : "");
  return text;
}

void fake_platforms_init(void) {
  const char *wanted = getenv("FAKE_OPENCL_PLATFORMS");
  present_count = wanted ? (cl_uint)strtoul(wanted, NULL, 10) : 1;
  if (present_count > FAKE_PLATFORMS_MAX)
    present_count = FAKE_PLATFORMS_MAX;
  for (cl_uint i = 0; i < present_count; i++) {
    cl_platform_id platform = fake_new(FAKE_PLATFORM);
    platform->index = i;
    platform->device = fake_new(FAKE_DEVICE);
    platform->device->platform = platform;
    platform->device->units = UNITS;
    present[i] = platform;
  }
}

unsigned fake_version(cl_platform_id platform) {
  return platforms[platform->index].number;
}

cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id *list, cl_uint *num_platforms) {
  FAKE_ENTER(GetPlatformIDs);
  FAKE_REQUIRE((list || num_platforms) && (!list || num_entries != 0), CL_INVALID_VALUE);
  FAKE_REQUIRE(present_count != 0, CL_PLATFORM_NOT_FOUND_KHR);
  for (cl_uint i = 0; list && i < num_entries && i < present_count; i++)
    list[i] = present[i];
  if (num_platforms)
    *num_platforms = present_count;
  return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                         size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(GetPlatformInfo);
  FAKE_REQUIRE(fake_is(platform, FAKE_PLATFORM), CL_INVALID_PLATFORM);
  switch (param_name) {
  case CL_PLATFORM_PROFILE:
    return FAKE_ANSWER_TEXT("FULL_PROFILE");
  case CL_PLATFORM_VERSION:
    return FAKE_ANSWER_TEXT(platforms[platform->index].version);
  case CL_PLATFORM_NAME:
    return FAKE_ANSWER_TEXT(platforms[platform->index].name);
  case CL_PLATFORM_VENDOR:
    return FAKE_ANSWER_TEXT("specpi tests");
  case CL_PLATFORM_EXTENSIONS:
    return FAKE_ANSWER_TEXT(extensions_of(platform));
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint num_entries,
                      cl_device_id *devices, cl_uint *num_devices) {
  FAKE_ENTER(GetDeviceIDs);
  FAKE_REQUIRE(fake_is(platform, FAKE_PLATFORM), CL_INVALID_PLATFORM);
  FAKE_REQUIRE((devices || num_devices) && (!devices || num_entries != 0), CL_INVALID_VALUE);
  FAKE_REQUIRE(type == CL_DEVICE_TYPE_ALL || (type && type < 0x20), CL_INVALID_DEVICE_TYPE);
  FAKE_REQUIRE(type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT), CL_DEVICE_NOT_FOUND);
  if (devices)
    devices[0] = platform->device;
  if (num_devices)
    *num_devices = 1;
  return CL_SUCCESS;
}

/* X(query, type, value): numbers that are the same for every device. */
#define DEVICE_ANSWERS(X)                                                                          \
  X(CL_DEVICE_TYPE, cl_device_type, CL_DEVICE_TYPE_CPU)                                            \
  X(CL_DEVICE_VENDOR_ID, cl_uint, 0xfa4e)                                                          \
  X(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint, 3)                                                \
  X(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t, 1024)                                                   \
  X(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, cl_uint, 1)                                             \
  X(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, cl_uint, 1)                                            \
  X(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, cl_uint, 1)                                              \
  X(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, cl_uint, 1)                                             \
  X(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, cl_uint, 1)                                            \
  X(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, cl_uint, 1)                                           \
  X(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, cl_uint, 1)                                             \
  X(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, cl_uint, 1)                                                \
  X(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, cl_uint, 1)                                               \
  X(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, cl_uint, 1)                                                 \
  X(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, cl_uint, 1)                                                \
  X(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, cl_uint, 1)                                               \
  X(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, cl_uint, 1)                                              \
  X(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, cl_uint, 1)                                                \
  X(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint, 1000)                                                  \
  X(CL_DEVICE_ADDRESS_BITS, cl_uint, 64)                                                           \
  X(CL_DEVICE_MAX_READ_IMAGE_ARGS, cl_uint, 128)                                                   \
  X(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, cl_uint, 64)                                                   \
  X(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong, 1 << 28)                                               \
  X(CL_DEVICE_IMAGE2D_MAX_WIDTH, size_t, 16384)                                                    \
  X(CL_DEVICE_IMAGE2D_MAX_HEIGHT, size_t, 16384)                                                   \
  X(CL_DEVICE_IMAGE3D_MAX_WIDTH, size_t, 2048)                                                     \
  X(CL_DEVICE_IMAGE3D_MAX_HEIGHT, size_t, 2048)                                                    \
  X(CL_DEVICE_IMAGE3D_MAX_DEPTH, size_t, 2048)                                                     \
  X(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, size_t, 1 << 24)                                              \
  X(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, size_t, 2048)                                                  \
  X(CL_DEVICE_IMAGE_SUPPORT, cl_bool, CL_TRUE)                                                     \
  X(CL_DEVICE_MAX_PARAMETER_SIZE, size_t, 4096)                                                    \
  X(CL_DEVICE_MAX_SAMPLERS, cl_uint, 16)                                                           \
  X(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint, 1024)                                                  \
  X(CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config, CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN)       \
  X(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config, 0x3f)                                         \
  X(CL_DEVICE_HALF_FP_CONFIG, cl_device_fp_config, 0x7)                                            \
  X(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cl_device_mem_cache_type, CL_READ_WRITE_CACHE)                \
  X(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cl_uint, 64)                                              \
  X(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cl_ulong, 1 << 18)                                            \
  X(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong, 1 << 30)                                                  \
  X(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong, 1 << 17)                                         \
  X(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint, 16)                                                      \
  X(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type, CL_GLOBAL)                                 \
  X(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, 1 << 15)                                                   \
  X(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool, CL_FALSE)                                         \
  X(CL_DEVICE_HOST_UNIFIED_MEMORY, cl_bool, CL_TRUE)                                               \
  X(CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t, 1)                                               \
  X(CL_DEVICE_ENDIAN_LITTLE, cl_bool, CL_TRUE)                                                     \
  X(CL_DEVICE_AVAILABLE, cl_bool, CL_TRUE)                                                         \
  X(CL_DEVICE_EXECUTION_CAPABILITIES, cl_device_exec_capabilities, CL_EXEC_KERNEL)                 \
  X(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, cl_command_queue_properties, 3)                            \
  X(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, cl_command_queue_properties, 0)                          \
  X(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, cl_uint, UNITS)                                           \
  X(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool, CL_FALSE)                                      \
  X(CL_DEVICE_PRINTF_BUFFER_SIZE, size_t, 1 << 16)                                                 \
  X(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint, 128)                                                    \
  X(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, cl_bool, CL_FALSE)                           \
  X(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_device_atomic_capabilities, 0x7f)                     \
  X(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_device_atomic_capabilities, 0x7f)                      \
  X(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, size_t, 1 << 16)

static cl_int usm_answer(cl_platform_id platform, cl_device_info query, size_t param_value_size,
                         void *param_value, size_t *param_value_size_ret) {
  FAKE_REQUIRE(fake_has_usm(platform), CL_INVALID_VALUE);
  /* Shared system memory is not supported. */
  return FAKE_ANSWER_AS(cl_device_unified_shared_memory_capabilities_intel,
                        query == CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL ? 0 : 0xf);
}

static const cl_device_partition_property partitions[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                          CL_DEVICE_PARTITION_BY_COUNTS,
                                                          CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN};

static bool has_domains(void) {
  return getenv("FAKE_OPENCL_DOMAINS") != NULL;
}

static cl_int fixed_answer(cl_device_info param_name, size_t param_value_size, void *param_value,
                           size_t *param_value_size_ret) {
  /* On little-endian machines the first bytes are the value of a narrower type. */
  static const struct {
    cl_device_info query;
    size_t size;
    cl_ulong value;
  } numbers[] = {
#define DEVICE_ANSWER(query, type, value) {(query), sizeof(type), (value)},
      DEVICE_ANSWERS(DEVICE_ANSWER)
#undef DEVICE_ANSWER
  };
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (numbers[i].query == param_name)
      return fake_answer(&numbers[i].value, numbers[i].size, param_value_size, param_value,
                         param_value_size_ret);
  switch (param_name) {
  case CL_DEVICE_NAME:
    return FAKE_ANSWER_TEXT("Fake device for tests");
  case CL_DEVICE_VENDOR:
    return FAKE_ANSWER_TEXT("specpi tests");
  case CL_DRIVER_VERSION:
    return FAKE_ANSWER_TEXT("1.0");
  case CL_DEVICE_PROFILE:
    return FAKE_ANSWER_TEXT("FULL_PROFILE");
  case CL_DEVICE_BUILT_IN_KERNELS:
    return FAKE_ANSWER_TEXT(FAKE_BUILT_IN_KERNELS);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES:
    return FAKE_ANSWER(((const size_t[]){1024, 1024, 1024}));
  case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
    return FAKE_ANSWER(((const size_t[]){4, 8, 16}));
  case CL_DEVICE_PARTITION_PROPERTIES:
    return fake_answer(partitions, (has_domains() ? 3 : 2) * sizeof partitions[0], param_value_size,
                       param_value, param_value_size_ret);
  case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
    return FAKE_ANSWER_AS(cl_device_affinity_domain,
                          has_domains() ? CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE : 0);
  case CL_DEVICE_UUID_KHR:
    return FAKE_ANSWER(((const unsigned char[CL_UUID_SIZE_KHR]){0xfa, 0x4e}));
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size,
                       void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(GetDeviceInfo);
  FAKE_REQUIRE(fake_is(device, FAKE_DEVICE), CL_INVALID_DEVICE);
  const unsigned index = device->platform->index;
  switch (param_name) {
  case CL_DEVICE_PLATFORM:
    return FAKE_ANSWER(device->platform);
  case CL_DEVICE_PARENT_DEVICE:
    return FAKE_ANSWER(device->parent);
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    return FAKE_ANSWER(device->units);
  case CL_DEVICE_REFERENCE_COUNT:
    return FAKE_ANSWER(device->object.references);
  case CL_DEVICE_PARTITION_TYPE:
    return fake_answer(device->partition, device->parent ? sizeof device->partition : 0,
                       param_value_size, param_value, param_value_size_ret);
  case CL_DEVICE_VERSION:
    return FAKE_ANSWER_TEXT(platforms[index].version);
  case CL_DEVICE_OPENCL_C_VERSION:
    return FAKE_ANSWER_TEXT(platforms[index].c_version);
  case CL_DEVICE_EXTENSIONS:
    return FAKE_ANSWER_TEXT(extensions_of(device->platform));
  case CL_DEVICE_COMPILER_AVAILABLE:
    return FAKE_ANSWER_AS(cl_bool, !fake_is_left_out("compiler"));
  case CL_DEVICE_LINKER_AVAILABLE:
    return FAKE_ANSWER_AS(cl_bool, !fake_is_left_out("linker"));
  case CL_DEVICE_IL_VERSION:
    FAKE_REQUIRE(platforms[index].il_version, CL_INVALID_VALUE);
    return FAKE_ANSWER_TEXT(platforms[index].il_version);
  case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:
    return usm_answer(device->platform, param_name, param_value_size, param_value,
                      param_value_size_ret);
  default:
    return fixed_answer(param_name, param_value_size, param_value, param_value_size_ret);
  }
}

/* Computes the compute units of each part. Returns 0 if the device cannot be divided this way. */
static cl_uint partition_sizes(cl_device_id device, const cl_device_partition_property *properties,
                               cl_uint sizes[UNITS]) {
  cl_uint count = 0;
  cl_uint left = device->units;
  if (properties[0] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) {
    if (!has_domains() || properties[1] != CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE || left < 2)
      return 0;
    sizes[0] = left / 2;
    sizes[1] = left - left / 2;
    return 2;
  }
  if (properties[0] == CL_DEVICE_PARTITION_EQUALLY) {
    if (properties[1] <= 0)
      return 0;
    for (; left >= (cl_uint)properties[1]; left -= (cl_uint)properties[1])
      sizes[count++] = (cl_uint)properties[1];
    return count;
  }
  for (const cl_device_partition_property *part = properties + 1;
       *part != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; part++) {
    if (*part < 0 || *part > (cl_device_partition_property)left)
      return 0;
    left -= (cl_uint)*part;
    sizes[count++] = (cl_uint)*part;
  }
  return count;
}

cl_int clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties,
                          cl_uint num_entries, cl_device_id *devices, cl_uint *num_devices) {
  FAKE_ENTER(CreateSubDevices);
  FAKE_REQUIRE(fake_is(device, FAKE_DEVICE), CL_INVALID_DEVICE);
  FAKE_REQUIRE(properties && (properties[0] == CL_DEVICE_PARTITION_EQUALLY ||
                              properties[0] == CL_DEVICE_PARTITION_BY_COUNTS ||
                              properties[0] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN),
               CL_INVALID_VALUE);
  cl_uint sizes[UNITS];
  const cl_uint count = partition_sizes(device, properties, sizes);
  FAKE_REQUIRE(count != 0, CL_DEVICE_PARTITION_FAILED);
  FAKE_REQUIRE(!devices || num_entries >= count, CL_INVALID_VALUE);
  for (cl_uint i = 0; devices && i < count; i++) {
    devices[i] = fake_new(FAKE_DEVICE);
    devices[i]->platform = device->platform;
    devices[i]->parent = device;
    devices[i]->units = sizes[i];
    devices[i]->partition[0] = properties[0];
    devices[i]->partition[1] = properties[1];
    fake_pin(device);
  }
  if (num_devices)
    *num_devices = count;
  return CL_SUCCESS;
}

void fake_end_device(cl_device_id device) {
  fake_unpin(device->parent);
}

cl_int clRetainDevice(cl_device_id device) {
  FAKE_ENTER(RetainDevice);
  FAKE_REQUIRE(fake_is(device, FAKE_DEVICE), CL_INVALID_DEVICE);
  if (device->parent)
    device->object.references++;
  return CL_SUCCESS;
}

cl_int clReleaseDevice(cl_device_id device) {
  FAKE_ENTER(ReleaseDevice);
  FAKE_REQUIRE(fake_is(device, FAKE_DEVICE), CL_INVALID_DEVICE);
  if (device->parent)
    fake_release(device);
  return CL_SUCCESS;
}

cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_time, cl_ulong *host_time) {
  FAKE_ENTER(GetDeviceAndHostTimer);
  FAKE_REQUIRE(fake_is(device, FAKE_DEVICE), CL_INVALID_DEVICE);
  FAKE_REQUIRE(fake_version(device->platform) >= 210, CL_INVALID_OPERATION);
  FAKE_REQUIRE(device_time && host_time, CL_INVALID_VALUE);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  *device_time = *host_time = (cl_ulong)now.tv_sec * 1000000000U + (cl_ulong)now.tv_nsec;
  return CL_SUCCESS;
}

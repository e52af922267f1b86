/*
 * piDeviceGetInfo: one table says for every query of pi_device_info where its answer comes from: an
 * attribute of CUDA's, a number or text which is the same for every device, or a function. What has
 * no meaning on CUDA is an error with the reason.
 */
#include "backend.h"
#include "checks.h"
#include "device.h"

#include <stdio.h>
#include <string.h>

typedef struct device_query device_query;

/* Answers one row of the table. */
typedef pi_result query_answer(pi_device device, const device_query *query,
                               const pi_answer *answer);

struct device_query {
  query_answer *answer;
  const char *text; /* an answer, or why there is none */
  pi_uint64 value;
  pi_device_info name;
  CUdevice_attribute attribute;
  CUdevice_attribute second; /* 0, or another one: the smaller of the two is the answer */
};

static pi_result ask(pi_device device, CUdevice_attribute attribute, pi_uint32 *ret) {
  int value = 0;
  CU_TRY(DeviceGetAttribute, &value, attribute, device->driver.ordinal);
  *ret = (pi_uint32)value;
  return PI_SUCCESS;
}

static pi_result ask_query(pi_device device, const device_query *query, pi_uint32 *ret) {
  pi_uint32 value;
  PI_TRY(ask(device, query->attribute, &value));
  if (query->second) {
    pi_uint32 second;
    PI_TRY(ask(device, query->second, &second));
    value = value < second ? value : second;
  }
  *ret = value;
  return PI_SUCCESS;
}

static pi_result attribute4(pi_device device, const device_query *query, const pi_answer *answer) {
  pi_uint32 value;
  PI_TRY(ask_query(device, query, &value));
  return pi_answer_uint32(answer, value);
}

static pi_result attribute8(pi_device device, const device_query *query, const pi_answer *answer) {
  pi_uint32 value;
  PI_TRY(ask_query(device, query, &value));
  return pi_answer_uint64(answer, value);
}

/* CUDA counts kHz, PI MHz. */
static pi_result megahertz(pi_device device, const device_query *query, const pi_answer *answer) {
  pi_uint32 value;
  PI_TRY(ask_query(device, query, &value));
  return pi_answer_uint32(answer, value / 1000);
}

/* CUDA counts bytes, PI bits. */
static pi_result bits(pi_device device, const device_query *query, const pi_answer *answer) {
  pi_uint32 value;
  PI_TRY(ask_query(device, query, &value));
  return pi_answer_uint32(answer, value * 8);
}

static pi_result constant4(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)device;
  return pi_answer_uint32(answer, (pi_uint32)query->value);
}

static pi_result constant8(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)device;
  return pi_answer_uint64(answer, query->value);
}

static pi_result constant_text(pi_device device, const device_query *query,
                               const pi_answer *answer) {
  (void)device;
  return pi_answer_text(answer, query->text);
}

static pi_result no_answer(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)device;
  (void)answer;
  return pi_answer_unsupported("pi_device_info", query->name, query->text);
}

/* Whether the device's compute capability is at least query->value, 53 for 5.3. */
static bool is_from(pi_device device, const device_query *query) {
  return device->driver.major * 10 + device->driver.minor >= (int)query->value;
}

static pi_result from_capability(pi_device device, const device_query *query,
                                 const pi_answer *answer) {
  return pi_answer_bool(answer, is_from(device, query));
}

static pi_result from_capability_1byte(pi_device device, const device_query *query,
                                       const pi_answer *answer) {
  const bool has = is_from(device, query);
  return pi_answer_bytes(answer, &has, 1);
}

static pi_result capability(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  char text[32];
  snprintf(text, sizeof text, "%d.%d", device->driver.major, device->driver.minor);
  return pi_answer_text(answer, text);
}

/* The bits of OpenCL's cl_version, whose number the query has. */
static pi_result ip_version(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_uint32(answer, (pi_uint32)device->driver.major << 22 |
                                      (pi_uint32)device->driver.minor << 12);
}

/* Runtimes that take the platform for OpenCL read OpenCL's form of text. */
static pi_result version(pi_device device, const device_query *query, const pi_answer *answer) {
  if (cuda_backend_chosen()->backend != PI_EXT_PLATFORM_BACKEND_OPENCL)
    return capability(device, query, answer);
  char text[64];
  cuda_backend_version(cuda_backend_chosen(), cuda_driver_version, text, sizeof text);
  return pi_answer_text(answer, text);
}

static pi_result driver_version(pi_device device, const device_query *query,
                                const pi_answer *answer) {
  (void)device;
  char text[64];
  snprintf(text, sizeof text, query->text, cuda_driver_version / 1000,
           cuda_driver_version % 1000 / 10);
  return pi_answer_text(answer, text);
}

static pi_result il_version(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)device;
  (void)query;
  char text[32];
  const int ptx = cuda_ptx_version();
  snprintf(text, sizeof text, "PTX_%d.%d", ptx / 10, ptx % 10);
  return pi_answer_text(answer, text);
}

static pi_result name(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  char text[256] = "";
  CU_TRY(DeviceGetName, text, sizeof text, device->driver.ordinal);
  return pi_answer_text(answer, text);
}

static pi_result uuid(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  CUuuid bytes;
  CU_TRY(DeviceGetUuid, &bytes, device->driver.ordinal);
  return pi_answer_bytes(answer, bytes.bytes, sizeof bytes.bytes);
}

static pi_result pci_address(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  char text[32] = "";
  CU_TRY(DeviceGetPCIBusId, text, sizeof text, device->driver.ordinal);
  return pi_answer_text(answer, text);
}

/* The attribute, which came with CUDA 12.8, has the device's id in its upper half. */
static pi_result device_id(pi_device device, const device_query *query, const pi_answer *answer) {
  const CUdevice_attribute gpu_pci_device_id = (CUdevice_attribute)139;
  pi_uint32 value;
  if (cuda_driver_version < 12080)
    return pi_answer_unsupported("pi_device_info", query->name,
                                 "drivers before CUDA 12.8 do not tell it");
  PI_TRY(ask(device, gpu_pci_device_id, &value));
  return pi_answer_uint32(answer, value >> 16);
}

static pi_result extensions(pi_device device, const device_query *query, const pi_answer *answer) {
  char text[1024];
  snprintf(text, sizeof text, "%s%s%s%s", query->text,
           device->driver.major * 10 + device->driver.minor >= 53 ? " cl_khr_fp16" : "",
           *cuda_backend_chosen()->extensions ? " " : "", cuda_backend_chosen()->extensions);
  return pi_answer_text(answer, text);
}

static pi_result total_memory(pi_device device, const device_query *query,
                              const pi_answer *answer) {
  (void)query;
  size_t bytes = 0;
  CU_TRY(DeviceTotalMem, &bytes, device->driver.ordinal);
  return pi_answer_uint64(answer, bytes);
}

static pi_result free_memory(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  pi_uint64 bytes;
  PI_TRY(cuda_free_memory(device, &bytes));
  return pi_answer_uint64(answer, bytes);
}

/* Two transfers in each period of the memory's clock. */
static pi_result bandwidth(pi_device device, const device_query *query, const pi_answer *answer) {
  pi_uint32 kilohertz;
  pi_uint32 bus;
  PI_TRY(ask(device, query->attribute, &kilohertz));
  PI_TRY(ask(device, query->second, &bus));
  return pi_answer_uint64(answer, (pi_uint64)kilohertz * 1000 * 2 * (bus / 8));
}

static pi_result work_item_sizes(pi_device device, const device_query *query,
                                 const pi_answer *answer) {
  (void)query;
  const size_t sizes[3] = {(size_t)device->driver.max_block_x, (size_t)device->driver.max_block_y,
                           (size_t)device->driver.max_block_z};
  return pi_answer_bytes(answer, sizes, sizeof sizes);
}

/* value is how many dimensions are asked for. */
static pi_result work_groups(pi_device device, const device_query *query, const pi_answer *answer) {
  const size_t sizes[3] = {(size_t)device->driver.max_grid_x, (size_t)device->driver.max_grid_y,
                           (size_t)device->driver.max_grid_z};
  return pi_answer_bytes(answer, sizes, (size_t)query->value * sizeof sizes[0]);
}

static pi_result global_work_groups(pi_device device, const device_query *query,
                                    const pi_answer *answer) {
  (void)query;
  return pi_answer_size(answer, (size_t)device->driver.max_grid_x *
                                    (size_t)device->driver.max_grid_y *
                                    (size_t)device->driver.max_grid_z);
}

static pi_result sub_groups(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_uint32(answer,
                          (pi_uint32)(device->driver.max_threads / device->driver.warp_size));
}

static pi_result sub_group_sizes(pi_device device, const device_query *query,
                                 const pi_answer *answer) {
  (void)query;
  return pi_answer_size(answer, (size_t)device->driver.warp_size);
}

static pi_result half_width(pi_device device, const device_query *query, const pi_answer *answer) {
  return pi_answer_uint32(answer, is_from(device, query) ? 1 : 0);
}

static pi_result half_config(pi_device device, const device_query *query, const pi_answer *answer) {
  return pi_answer_uint64(answer, is_from(device, query) ? PI_FP_DENORM | PI_FP_INF_NAN |
                                                               PI_FP_ROUND_TO_NEAREST | PI_FP_FMA
                                                         : 0);
}

static pi_result usm(pi_device device, const device_query *query, const pi_answer *answer) {
  pi_uint64 abilities;
  PI_TRY(cuda_usm_abilities(device, query->name, &abilities));
  return pi_answer_uint64(answer, abilities);
}

static pi_result atomic_orders(pi_device device, const device_query *query,
                               const pi_answer *answer) {
  (void)query;
  return pi_answer_uint64(answer, cuda_atomic_orders(device));
}

static pi_result atomic_scopes(pi_device device, const device_query *query,
                               const pi_answer *answer) {
  (void)query;
  return pi_answer_uint64(answer, cuda_atomic_scopes(device));
}

static pi_result platform(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_handle(answer, device->platform);
}

static pi_result no_devices(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)device;
  (void)query;
  return pi_answer_bytes(answer, NULL, 0);
}

#define FP_ALL                                                                                     \
  (PI_FP_DENORM | PI_FP_INF_NAN | PI_FP_ROUND_TO_NEAREST | PI_FP_ROUND_TO_ZERO |                   \
   PI_FP_ROUND_TO_INF | PI_FP_FMA)
#define NO_UNITS "CUDA does not tell what a multiprocessor is made of"

/* What every device has; a runtime links no fallback of a library that it finds here. */
#define EXTENSIONS                                                                                 \
  "cl_khr_fp64 cl_khr_subgroups cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "          \
  "cl_intel_unified_shared_memory ur_exp_command_buffer pi_ext_intel_devicelib_assert "            \
  "cl_intel_devicelib_assert cl_intel_devicelib_math cl_intel_devicelib_math_fp64 "                \
  "cl_intel_devicelib_complex cl_intel_devicelib_complex_fp64 cl_intel_devicelib_cstring "         \
  "cl_intel_devicelib_imf cl_intel_devicelib_imf_fp64 cl_intel_devicelib_imf_bf16"

/* Rows: an attribute, the smaller of two, a number or text, a function with what it reads. */
#define QUERY(name, form, value, text, first, second)                                              \
  { form, text, value, PI_##name, (CUdevice_attribute)(first), (CUdevice_attribute)(second) }
#define ATTRIBUTE(name, form, first) QUERY(name, form, 0, NULL, CU_DEVICE_ATTRIBUTE_##first, 0)
#define SMALLER(name, form, first, second)                                                         \
  QUERY(name, form, 0, NULL, CU_DEVICE_ATTRIBUTE_##first, CU_DEVICE_ATTRIBUTE_##second)
#define NUMBER(name, form, value) QUERY(name, form, value, NULL, 0, 0)
#define TEXT(name, form, text) QUERY(name, form, 0, text, 0, 0)
#define FUNCTION(name, form) QUERY(name, form, 0, NULL, 0, 0)

static const device_query device_queries[] = {
    NUMBER(DEVICE_INFO_TYPE, constant8, PI_DEVICE_TYPE_GPU),
    NUMBER(DEVICE_INFO_VENDOR_ID, constant4, 0x10de),
    ATTRIBUTE(DEVICE_INFO_MAX_COMPUTE_UNITS, attribute4, MULTIPROCESSOR_COUNT),
    NUMBER(DEVICE_INFO_MAX_WORK_ITEM_DIMENSIONS, constant4, 3),
    ATTRIBUTE(DEVICE_INFO_MAX_WORK_GROUP_SIZE, attribute8, MAX_THREADS_PER_BLOCK),
    FUNCTION(DEVICE_INFO_MAX_WORK_ITEM_SIZES, work_item_sizes),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_CHAR, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_SHORT, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_INT, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_LONG, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_FLOAT, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_DOUBLE, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_HALF, half_width, 53),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_CHAR, constant4, 1),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_SHORT, constant4, 1),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_INT, constant4, 1),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG, constant4, 1),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_FLOAT, constant4, 1),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_DOUBLE, constant4, 1),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_HALF, half_width, 53),
    ATTRIBUTE(DEVICE_INFO_MAX_CLOCK_FREQUENCY, megahertz, CLOCK_RATE),
    NUMBER(DEVICE_INFO_ADDRESS_BITS, constant4, 64),
    NUMBER(DEVICE_INFO_MAX_READ_IMAGE_ARGS, constant4, 128),
    NUMBER(DEVICE_INFO_MAX_WRITE_IMAGE_ARGS, constant4, 128),
    FUNCTION(DEVICE_INFO_MAX_MEM_ALLOC_SIZE, total_memory),
    SMALLER(DEVICE_INFO_IMAGE2D_MAX_WIDTH, attribute8, MAXIMUM_TEXTURE2D_WIDTH,
            MAXIMUM_SURFACE2D_WIDTH),
    SMALLER(DEVICE_INFO_IMAGE2D_MAX_HEIGHT, attribute8, MAXIMUM_TEXTURE2D_HEIGHT,
            MAXIMUM_SURFACE2D_HEIGHT),
    SMALLER(DEVICE_INFO_IMAGE3D_MAX_WIDTH, attribute8, MAXIMUM_TEXTURE3D_WIDTH,
            MAXIMUM_SURFACE3D_WIDTH),
    SMALLER(DEVICE_INFO_IMAGE3D_MAX_HEIGHT, attribute8, MAXIMUM_TEXTURE3D_HEIGHT,
            MAXIMUM_SURFACE3D_HEIGHT),
    SMALLER(DEVICE_INFO_IMAGE3D_MAX_DEPTH, attribute8, MAXIMUM_TEXTURE3D_DEPTH,
            MAXIMUM_SURFACE3D_DEPTH),
    /* Images have memory of their own here, never a buffer's. */
    NUMBER(DEVICE_INFO_IMAGE_MAX_BUFFER_SIZE, constant8, 0),
    SMALLER(DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE, attribute8, MAXIMUM_TEXTURE2D_LAYERED_LAYERS,
            MAXIMUM_SURFACE2D_LAYERED_LAYERS),
    NUMBER(DEVICE_INFO_IMAGE_SUPPORT, constant4, PI_TRUE),
    /* CUDA's own limit is 4096 or more; it leaves room for the offset of <kernel>_with_offset. */
    NUMBER(DEVICE_INFO_MAX_PARAMETER_SIZE, constant8, 4000),
    NUMBER(DEVICE_INFO_MAX_SAMPLERS, constant4, 16),
    ATTRIBUTE(DEVICE_INFO_MEM_BASE_ADDR_ALIGN, bits, TEXTURE_ALIGNMENT),
    NUMBER(DEVICE_INFO_SINGLE_FP_CONFIG, constant8, FP_ALL | PI_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT),
    NUMBER(DEVICE_INFO_DOUBLE_FP_CONFIG, constant8, FP_ALL),
    NUMBER(DEVICE_INFO_HALF_FP_CONFIG, half_config, 53),
    NUMBER(DEVICE_INFO_GLOBAL_MEM_CACHE_TYPE, constant4, PI_DEVICE_MEM_CACHE_TYPE_READ_WRITE_CACHE),
    NUMBER(DEVICE_INFO_GLOBAL_MEM_CACHELINE_SIZE, constant4, 128),
    ATTRIBUTE(DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE, attribute8, L2_CACHE_SIZE),
    FUNCTION(DEVICE_INFO_GLOBAL_MEM_SIZE, total_memory),
    ATTRIBUTE(DEVICE_INFO_MAX_CONSTANT_BUFFER_SIZE, attribute8, TOTAL_CONSTANT_MEMORY),
    NUMBER(DEVICE_INFO_MAX_CONSTANT_ARGS, constant4, 8),
    NUMBER(DEVICE_INFO_LOCAL_MEM_TYPE, constant4, PI_DEVICE_LOCAL_MEM_TYPE_LOCAL),
    ATTRIBUTE(DEVICE_INFO_LOCAL_MEM_SIZE, attribute8, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
    ATTRIBUTE(DEVICE_INFO_ERROR_CORRECTION_SUPPORT, attribute4, ECC_ENABLED),
    ATTRIBUTE(DEVICE_INFO_HOST_UNIFIED_MEMORY, attribute4, INTEGRATED),
    /* Nanoseconds, of cuEventElapsedTime. */
    NUMBER(DEVICE_INFO_PROFILING_TIMER_RESOLUTION, constant8, 500),
    NUMBER(DEVICE_INFO_ENDIAN_LITTLE, constant4, PI_TRUE),
    NUMBER(DEVICE_INFO_AVAILABLE, constant4, PI_TRUE),
    NUMBER(DEVICE_INFO_COMPILER_AVAILABLE, constant4, PI_TRUE),
    NUMBER(DEVICE_INFO_LINKER_AVAILABLE, constant4, PI_TRUE),
    NUMBER(DEVICE_INFO_EXECUTION_CAPABILITIES, constant8, PI_DEVICE_EXEC_CAPABILITIES_KERNEL),
    /* Also PI_DEVICE_INFO_QUEUE_PROPERTIES. */
    NUMBER(DEVICE_INFO_QUEUE_ON_HOST_PROPERTIES, constant8,
           PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE),
    NUMBER(DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES, constant8, 0),
    FUNCTION(DEVICE_INFO_NAME, name),
    TEXT(DEVICE_INFO_VENDOR, constant_text, "NVIDIA Corporation"),
    TEXT(DEVICE_INFO_DRIVER_VERSION, driver_version, "CUDA %d.%d"),
    TEXT(DEVICE_INFO_PROFILE, constant_text, "FULL_PROFILE"),
    FUNCTION(DEVICE_INFO_VERSION, version),
    TEXT(DEVICE_INFO_OPENCL_C_VERSION, constant_text, ""),
    TEXT(DEVICE_INFO_BUILT_IN_KERNELS, constant_text, ""),
    FUNCTION(DEVICE_INFO_IL_VERSION, il_version),
    TEXT(DEVICE_INFO_EXTENSIONS, extensions, EXTENSIONS),
    FUNCTION(DEVICE_INFO_PLATFORM, platform),
    NUMBER(DEVICE_INFO_PARENT_DEVICE, constant8, 0),
    NUMBER(DEVICE_INFO_PARTITION_MAX_SUB_DEVICES, constant4, 0),
    /* Lists whose one entry says that there is none. */
    NUMBER(DEVICE_INFO_PARTITION_PROPERTIES, constant8, 0),
    NUMBER(DEVICE_INFO_PARTITION_TYPE, constant8, 0),
    NUMBER(DEVICE_INFO_PARTITION_AFFINITY_DOMAIN, constant8, 0),
    NUMBER(DEVICE_INFO_REFERENCE_COUNT, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_INTEROP_USER_SYNC, constant4, PI_TRUE),
    /* The driver's default. */
    NUMBER(DEVICE_INFO_PRINTF_BUFFER_SIZE, constant8, 1 << 20),
    FUNCTION(DEVICE_INFO_MAX_NUM_SUB_GROUPS, sub_groups),
    NUMBER(DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, from_capability, 70),
    FUNCTION(DEVICE_INFO_SUB_GROUP_SIZES_INTEL, sub_group_sizes),
    FUNCTION(DEVICE_INFO_UUID, uuid),
    FUNCTION(DEVICE_INFO_USM_HOST_SUPPORT, usm),
    FUNCTION(DEVICE_INFO_USM_DEVICE_SUPPORT, usm),
    FUNCTION(DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT, usm),
    FUNCTION(DEVICE_INFO_USM_CROSS_SHARED_SUPPORT, usm),
    FUNCTION(DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT, usm),
    FUNCTION(DEVICE_INFO_DEVICE_ID, device_id),
    FUNCTION(DEVICE_INFO_PCI_ADDRESS, pci_address),
    TEXT(DEVICE_INFO_GPU_EU_COUNT, no_answer, NO_UNITS),
    TEXT(DEVICE_INFO_GPU_EU_SIMD_WIDTH, no_answer, NO_UNITS),
    TEXT(DEVICE_INFO_GPU_SLICES, no_answer, NO_UNITS),
    TEXT(DEVICE_INFO_GPU_SUBSLICES_PER_SLICE, no_answer, NO_UNITS),
    TEXT(DEVICE_INFO_GPU_EU_COUNT_PER_SUBSLICE, no_answer, NO_UNITS),
    TEXT(DEVICE_INFO_GPU_HW_THREADS_PER_EU, no_answer, NO_UNITS),
    SMALLER(DEVICE_INFO_MAX_MEM_BANDWIDTH, bandwidth, MEMORY_CLOCK_RATE, GLOBAL_MEMORY_BUS_WIDTH),
    /* Image formats of PI's that are sRGB have no array format in CUDA. */
    NUMBER(DEVICE_INFO_IMAGE_SRGB, constant4, PI_FALSE),
    NUMBER(DEVICE_INFO_BUILD_ON_SUBDEVICE, constant4, PI_FALSE),
    NUMBER(DEVICE_INFO_ATOMIC_64, constant4, PI_TRUE),
    FUNCTION(DEVICE_INFO_BACKEND_VERSION, capability),
    FUNCTION(EXT_INTEL_DEVICE_INFO_FREE_MEMORY, free_memory),
    ATTRIBUTE(EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE, megahertz, MEMORY_CLOCK_RATE),
    ATTRIBUTE(EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH, attribute4, GLOBAL_MEMORY_BUS_WIDTH),
    NUMBER(EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES, constant4, 1),
    NUMBER(EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT, constant4, PI_FALSE),
    NUMBER(EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT, constant4, PI_FALSE),
    /* It takes bitcode, which this plugin does not. */
    NUMBER(EXT_CODEPLAY_DEVICE_INFO_SUPPORTS_FUSION, constant4, PI_FALSE),
    ATTRIBUTE(EXT_CODEPLAY_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP, attribute4,
              MAX_REGISTERS_PER_BLOCK),
    FUNCTION(EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, atomic_orders),
    FUNCTION(EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, atomic_scopes),
    FUNCTION(EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES, atomic_orders),
    FUNCTION(EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, atomic_scopes),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_IP_VERSION, ip_version),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS, from_capability_1byte, 80),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_MAX_GLOBAL_WORK_GROUPS, global_work_groups),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D, work_groups, 1),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D, work_groups, 2),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D, work_groups, 3),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_CUDA_ASYNC_BARRIER, from_capability, 80),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT, constant4, PI_TRUE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SHARED_USM_SUPPORT, constant4, PI_TRUE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_1D_USM_SUPPORT, constant4, PI_TRUE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_2D_USM_SUPPORT, constant4, PI_TRUE),
    ATTRIBUTE(EXT_ONEAPI_DEVICE_INFO_IMAGE_PITCH_ALIGN, attribute4, TEXTURE_PITCH_ALIGNMENT),
    ATTRIBUTE(EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH, attribute4,
              MAXIMUM_TEXTURE2D_LINEAR_WIDTH),
    ATTRIBUTE(EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_HEIGHT, attribute4,
              MAXIMUM_TEXTURE2D_LINEAR_HEIGHT),
    ATTRIBUTE(EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_PITCH, attribute4,
              MAXIMUM_TEXTURE2D_LINEAR_PITCH),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MIPMAP_SUPPORT, constant4, PI_TRUE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MIPMAP_ANISOTROPY_SUPPORT, constant4, PI_TRUE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MIPMAP_MAX_ANISOTROPY, constant4, 16),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MIPMAP_LEVEL_REFERENCE_SUPPORT, constant4, PI_TRUE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_IMPORT_SUPPORT, constant4, PI_TRUE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_EXPORT_SUPPORT, constant4, PI_FALSE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_IMPORT_SUPPORT, constant4, PI_TRUE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_EXPORT_SUPPORT, constant4, PI_FALSE),
    TEXT(EXT_ONEAPI_DEVICE_INFO_MATRIX_COMBINATIONS, no_answer,
         "no layout of an answer is agreed on for CUDA"),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES, no_devices),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_COMPOSITE_DEVICE, constant8, 0),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SUPPORT, constant4, PI_TRUE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SEAMLESS_FILTERING_SUPPORT, constant4, PI_TRUE),
};

pi_result device_answer(pi_device device, pi_device_info query, const pi_answer *answer) {
  for (size_t i = 0; i < sizeof device_queries / sizeof device_queries[0]; i++)
    if (device_queries[i].name == query)
      return device_queries[i].answer(device, &device_queries[i], answer);
  return pi_answer_unknown("pi_device_info", query);
}

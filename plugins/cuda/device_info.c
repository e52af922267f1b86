/* CUDA's answers to device queries. ../objects/device_info.c has the answers of every driver. */
#include "../objects/device_info.h"

#include "../code/generated_form.h"
#include "../objects/driver.h"
#include "backend.h"
#include "blocks.h"
#include "device.h"
#include "pci.h"

/* X(query, attribute, factor, divisor): factor and divisor convert CUDA's unit to PI's. */
#define CUDA_ATTRIBUTES(X)                                                                         \
  X(DEVICE_INFO_MAX_COMPUTE_UNITS, MULTIPROCESSOR_COUNT, 1, 1)                                     \
  X(DEVICE_INFO_MAX_WORK_GROUP_SIZE, MAX_THREADS_PER_BLOCK, 1, 1)                                  \
  X(DEVICE_INFO_MAX_CLOCK_FREQUENCY, CLOCK_RATE, 1, 1000)                                          \
  X(DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE, L2_CACHE_SIZE, 1, 1)                                        \
  X(DEVICE_INFO_MAX_CONSTANT_BUFFER_SIZE, TOTAL_CONSTANT_MEMORY, 1, 1)                             \
  X(DEVICE_INFO_LOCAL_MEM_SIZE, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 1, 1)                           \
  X(DEVICE_INFO_ERROR_CORRECTION_SUPPORT, ECC_ENABLED, 1, 1)                                       \
  X(DEVICE_INFO_HOST_UNIFIED_MEMORY, INTEGRATED, 1, 1)                                             \
  X(EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE, MEMORY_CLOCK_RATE, 1, 1000)                           \
  X(EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH, GLOBAL_MEMORY_BUS_WIDTH, 1, 1)                         \
  X(EXT_CODEPLAY_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP, MAX_REGISTERS_PER_BLOCK, 1, 1)          \
  X(EXT_ONEAPI_DEVICE_INFO_IMAGE_PITCH_ALIGN, TEXTURE_PITCH_ALIGNMENT, 1, 1)                       \
  X(EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH, MAXIMUM_TEXTURE2D_LINEAR_WIDTH, 1, 1)           \
  X(EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_HEIGHT, MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, 1, 1)         \
  X(EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_PITCH, MAXIMUM_TEXTURE2D_LINEAR_PITCH, 1, 1)

/* X(query, limit): the answer is the smaller one of the limits of textures and of surfaces. */
#define CUDA_IMAGE_LIMITS(X)                                                                       \
  X(DEVICE_INFO_IMAGE2D_MAX_WIDTH, 2D_WIDTH)                                                       \
  X(DEVICE_INFO_IMAGE2D_MAX_HEIGHT, 2D_HEIGHT)                                                     \
  X(DEVICE_INFO_IMAGE3D_MAX_WIDTH, 3D_WIDTH)                                                       \
  X(DEVICE_INFO_IMAGE3D_MAX_HEIGHT, 3D_HEIGHT)                                                     \
  X(DEVICE_INFO_IMAGE3D_MAX_DEPTH, 3D_DEPTH)                                                       \
  X(DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE, 2D_LAYERED_LAYERS)

/* X(query, number): the answer is a constant, or follows from the device's compute capability. */
#define CUDA_NUMBERS(X)                                                                            \
  X(DEVICE_INFO_VENDOR_ID, 0x10de)                                                                 \
  X(DEVICE_INFO_MAX_READ_IMAGE_ARGS, 128)                                                          \
  X(DEVICE_INFO_MAX_WRITE_IMAGE_ARGS, 128)                                                         \
  /* No image can be made from a buffer's memory. */                                               \
  X(DEVICE_INFO_IMAGE_MAX_BUFFER_SIZE, 0)                                                          \
  /* So no texture lies in a part of a buffer, and only the largest type counts, long16. */        \
  X(DEVICE_INFO_MEM_BASE_ADDR_ALIGN, 1024)                                                         \
  /* CUDA's limit is at least 4096; the rest is for the offset of <kernel>_with_offset. */         \
  X(DEVICE_INFO_MAX_PARAMETER_SIZE, 4000)                                                          \
  X(DEVICE_INFO_MAX_SAMPLERS, 16)                                                                  \
  X(DEVICE_INFO_SINGLE_FP_CONFIG, FP_ALL | PI_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)                    \
  X(DEVICE_INFO_DOUBLE_FP_CONFIG, FP_ALL)                                                          \
  X(DEVICE_INFO_HALF_FP_CONFIG,                                                                    \
    capability >= 53 ? PI_FP_DENORM | PI_FP_INF_NAN | PI_FP_ROUND_TO_NEAREST | PI_FP_FMA : 0)      \
  X(DEVICE_INFO_GLOBAL_MEM_CACHELINE_SIZE, 128)                                                    \
  X(DEVICE_INFO_MAX_CONSTANT_ARGS, 8)                                                              \
  /* The resolution of cuEventElapsedTime, in nanoseconds. */                                      \
  X(DEVICE_INFO_PROFILING_TIMER_RESOLUTION, 500)                                                   \
  X(DEVICE_INFO_AVAILABLE, PI_TRUE)                                                                \
  /* The driver's default size. */                                                                 \
  X(DEVICE_INFO_PRINTF_BUFFER_SIZE, 1 << 20)                                                       \
  X(DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, capability >= 70)                          \
  X(DEVICE_INFO_ATOMIC_64, PI_TRUE)                                                                \
  X(EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES, 1)                                            \
  X(EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT, PI_FALSE)                                                 \
  /* sm_70 and later have sequentially consistent fences. */                                       \
  X(EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES,                                              \
    PI_MEMORY_ORDER_RELAXED | PI_MEMORY_ORDER_ACQUIRE | PI_MEMORY_ORDER_RELEASE |                  \
        PI_MEMORY_ORDER_ACQ_REL | (capability >= 70 ? PI_MEMORY_ORDER_SEQ_CST : 0))                \
  /* sm_60 and later have atomics of system scope. */                                              \
  X(EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES,                                              \
    PI_MEMORY_SCOPE_WORK_ITEM | PI_MEMORY_SCOPE_SUB_GROUP | PI_MEMORY_SCOPE_WORK_GROUP |           \
        PI_MEMORY_SCOPE_DEVICE | (capability >= 60 ? PI_MEMORY_SCOPE_SYSTEM : 0))                  \
  /* In the bit layout of OpenCL's cl_version. */                                                  \
  X(EXT_ONEAPI_DEVICE_INFO_IP_VERSION, (pi_uint32)own->major << 22 | (pi_uint32)own->minor << 12)  \
  X(EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS, capability >= 80)                              \
  X(EXT_ONEAPI_DEVICE_INFO_CUDA_ASYNC_BARRIER, capability >= 80)                                   \
  X(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT, PI_TRUE)                                       \
  X(EXT_ONEAPI_DEVICE_INFO_MIPMAP_SUPPORT, PI_TRUE)                                                \
  X(EXT_ONEAPI_DEVICE_INFO_MIPMAP_ANISOTROPY_SUPPORT, PI_TRUE)                                     \
  X(EXT_ONEAPI_DEVICE_INFO_MIPMAP_MAX_ANISOTROPY, 16)                                              \
  X(EXT_ONEAPI_DEVICE_INFO_MIPMAP_LEVEL_REFERENCE_SUPPORT, PI_TRUE)                                \
  X(EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_IMPORT_SUPPORT, PI_TRUE)                                 \
  X(EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_IMPORT_SUPPORT, PI_TRUE)                              \
  X(EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SUPPORT, PI_TRUE)                                               \
  X(EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SEAMLESS_FILTERING_SUPPORT, PI_TRUE)
#define FP_ALL                                                                                     \
  (PI_FP_DENORM | PI_FP_INF_NAN | PI_FP_ROUND_TO_NEAREST | PI_FP_ROUND_TO_ZERO |                   \
   PI_FP_ROUND_TO_INF | PI_FP_FMA)

/*
 * Extensions of every device. For a cl_intel_devicelib_ name in this list a runtime does not link
 * its own fallback of that library.
 */
#define EXTENSIONS                                                                                 \
  "cl_khr_fp64 cl_khr_subgroups cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "          \
  "cl_intel_unified_shared_memory ur_exp_command_buffer pi_ext_intel_devicelib_assert "            \
  "cl_intel_devicelib_assert cl_intel_devicelib_math cl_intel_devicelib_math_fp64 "                \
  "cl_intel_devicelib_complex cl_intel_devicelib_complex_fp64 cl_intel_devicelib_cstring "         \
  "cl_intel_devicelib_imf cl_intel_devicelib_imf_fp64 cl_intel_devicelib_imf_bf16"

static pi_result ask_attribute(pi_device device, CUdevice_attribute attribute, pi_uint32 *ret) {
  int value = 0;
  CU_TRY(DeviceGetAttribute, &value, attribute, device->driver.ordinal);
  *ret = (pi_uint32)value;
  return PI_SUCCESS;
}

static pi_result ask_smaller(pi_device device, CUdevice_attribute first, CUdevice_attribute second,
                             device_value *ret) {
  pi_uint32 one;
  pi_uint32 other;
  TRY(ask_attribute(device, first, &one));
  TRY(ask_attribute(device, second, &other));
  return device_number(ret, one < other ? one : other);
}

/*
 * Asks in the primary context, because CUDA answers only in a context. Counts the pool's idle
 * memory as free, because the pool reuses it or gives it back to the driver when memory is short.
 */
static pi_result free_memory(pi_device device, device_value *ret) {
  CUcontext primary = NULL;
  CUcontext previous = NULL;
  CU_TRY(CtxGetCurrent, &previous);
  CU_TRY(DevicePrimaryCtxRetain, &primary, device->driver.ordinal);
  size_t available = 0;
  size_t total = 0;
  pi_result result = CU_CALL(CtxSetCurrent, primary);
  if (result == PI_SUCCESS)
    result = CU_CALL(MemGetInfo, &available, &total);
  cu.CtxSetCurrent(previous);
  cu.DevicePrimaryCtxRelease(device->driver.ordinal);
  return result == PI_SUCCESS ? device_number(ret, available + blocks_idle(device)) : result;
}

static pi_result total_memory(pi_device device, device_value *ret) {
  size_t bytes = 0;
  CU_TRY(DeviceTotalMem, &bytes, device->driver.ordinal);
  return device_number(ret, bytes);
}

/* The memory transfers data twice in each period of its clock. */
static pi_result bandwidth(pi_device device, device_value *ret) {
  pi_uint32 kilohertz;
  pi_uint32 bus;
  TRY(ask_attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, &kilohertz));
  TRY(ask_attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, &bus));
  return device_number(ret, (pi_uint64)kilohertz * 1000 * 2 * (bus / 8));
}

/*
 * The upper half of an attribute has the device's PCI id, from CUDA 12.8 on. With older drivers the
 * id comes from Linux's files in PCI_DEVICES, if they can be read.
 */
static pi_result device_id(pi_device device, device_value *ret) {
  const CUdevice_attribute gpu_pci_device_id = (CUdevice_attribute)139;
  pi_uint32 value;
  if (cuda_driver_version < 12080) {
    char address[32] = "";
    CU_TRY(DeviceGetPCIBusId, address, sizeof address, device->driver.ordinal);
    return pci_read_id(PCI_DEVICES, address, &value)
               ? device_number(ret, value)
               : device_no_answer(ret, "drivers before CUDA 12.8 do not report it, and " PCI_DEVICES
                                       " does not have the device");
  }
  TRY(ask_attribute(device, gpu_pci_device_id, &value));
  return device_number(ret, value >> 16);
}

/*
 * Reports what kernels and the host can do with one kind of USM. Kernels can access every kind that
 * exists, and have system-scope atomics from sm_60 on. The driver reports if host and device may
 * access managed memory at the same time, and if the bus has atomics, without which atomics of host
 * and device on host memory are not atomic for each other.
 */
static pi_result usm(pi_device device, pi_device_info query, device_value *ret) {
  pi_uint32 exists = 1;
  pi_uint32 concurrent = 1;
  pi_uint32 both = 1; /* atomics of host and device are atomic for each other */
  if (query == PI_DEVICE_INFO_USM_HOST_SUPPORT) {
    TRY(ask_attribute(device, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, &exists));
    TRY(ask_attribute(device, CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, &both));
  } else if (query == PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT)
    TRY(ask_attribute(device, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, &exists));
  else if (query != PI_DEVICE_INFO_USM_DEVICE_SUPPORT)
    TRY(ask_attribute(device, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, &exists));
  if (query != PI_DEVICE_INFO_USM_HOST_SUPPORT && query != PI_DEVICE_INFO_USM_DEVICE_SUPPORT)
    TRY(ask_attribute(device, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, &concurrent));
  if (!exists)
    return device_number(ret, 0);
  const bool atomics = device->driver.major >= 6;
  return device_number(ret,
                       (pi_uint64)PI_USM_ACCESS | (atomics ? PI_USM_ATOMIC_ACCESS : 0) |
                           (concurrent ? PI_USM_CONCURRENT_ACCESS : 0) |
                           (concurrent && atomics && both ? PI_USM_CONCURRENT_ATOMIC_ACCESS : 0));
}

static pi_result uuid(pi_device device, device_value *ret) {
  CUuuid bytes;
  CU_TRY(DeviceGetUuid, &bytes, device->driver.ordinal);
  return device_bytes(ret, bytes.bytes, sizeof bytes.bytes);
}

static pi_result tell_capability(const struct driver_device *own, device_value *ret) {
  return device_text(ret, "%d.%d", own->major, own->minor);
}

/* On a platform that reports backend opencl, runtimes expect a version text in OpenCL's form. */
static pi_result tell_version(pi_device device, device_value *ret) {
  platform_facts facts;
  driver_platform_facts(device->platform, &facts);
  return facts.backend == PI_EXT_PLATFORM_BACKEND_OPENCL ? device_text(ret, "%s", facts.version)
                                                         : tell_capability(&device->driver, ret);
}

static pi_result extensions(pi_device device, int capability, device_value *ret) {
  const char *added = device->platform->driver.backend->extensions;
  return device_text(ret, EXTENSIONS "%s%s%s", capability >= 53 ? " cl_khr_fp16" : "",
                     *added ? " " : "", added);
}

static pi_result find_text(pi_device device, pi_device_info query, device_value *ret) {
  const struct driver_device *own = &device->driver;
  const int ptx = ptx_version_of_cuda(cuda_driver_version);
  char text[256] = "";
  switch ((int)query) {
  case PI_DEVICE_INFO_NAME:
    CU_TRY(DeviceGetName, text, sizeof text, own->ordinal);
    return device_text(ret, "%s", text);
  case PI_DEVICE_INFO_PCI_ADDRESS:
    CU_TRY(DeviceGetPCIBusId, text, sizeof text, own->ordinal);
    return device_text(ret, "%s", text);
  case PI_DEVICE_INFO_DRIVER_VERSION:
    return device_text(ret, "CUDA %d.%d", cuda_driver_version / 1000,
                       cuda_driver_version % 1000 / 10);
  case PI_DEVICE_INFO_VERSION:
    return tell_version(device, ret);
  case PI_DEVICE_INFO_BACKEND_VERSION:
    return tell_capability(own, ret);
  case PI_DEVICE_INFO_IL_VERSION:
    return device_text(ret, "%sPTX_%d.%d", generated_is_possible() ? "SPIR-V_1.4 " : "", ptx / 10,
                       ptx % 10);
  case PI_DEVICE_INFO_EXTENSIONS:
    return extensions(device, own->major * 10 + own->minor, ret);
  default:
    return device_no_answer(ret, "CUDA does not report it");
  }
}

static pi_result find_sizes(const struct driver_device *own, pi_device_info query,
                            device_value *ret) {
  const size_t warp = (size_t)own->warp_size;
  const size_t sub_groups[] = {warp / 4, warp / 2, warp}; /* parts of a warp, and a whole warp */
  const size_t block[] = {(size_t)own->max_block_x, (size_t)own->max_block_y,
                          (size_t)own->max_block_z};
  const size_t grid[] = {(size_t)own->max_grid_x, (size_t)own->max_grid_y, (size_t)own->max_grid_z};
  if (query == PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL)
    return generated_is_possible() ? device_sizes(ret, 3, sub_groups)
                                   : device_sizes(ret, 1, &sub_groups[2]);
  return device_sizes(ret, 3, query == PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES ? block : grid);
}

pi_result driver_device_query(pi_device device, pi_device_info query, device_value *ret) {
  const struct driver_device *own = &device->driver;
  const int capability = own->major * 10 + own->minor; /* 53 for 5.3 */
  pi_uint32 value;
  // NOLINTBEGIN(bugprone-branch-clone): queries of a list may have the same answer
  switch ((int)query) {
#define CUDA_CASE(query, attribute, factor, divisor)                                               \
  case PI_##query:                                                                                 \
    TRY(ask_attribute(device, CU_DEVICE_ATTRIBUTE_##attribute, &value));                           \
    return device_number(ret, value * factor / divisor);
    CUDA_ATTRIBUTES(CUDA_CASE)
#undef CUDA_CASE
#define CUDA_CASE(query, limit)                                                                    \
  case PI_##query:                                                                                 \
    return ask_smaller(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE##limit,                         \
                       CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE##limit, ret);
    CUDA_IMAGE_LIMITS(CUDA_CASE)
#undef CUDA_CASE
#define CUDA_CASE(query, number)                                                                   \
  case PI_##query:                                                                                 \
    return device_number(ret, (pi_uint64)(number));
    CUDA_NUMBERS(CUDA_CASE)
#undef CUDA_CASE
  case PI_DEVICE_INFO_MAX_MEM_ALLOC_SIZE:
  case PI_DEVICE_INFO_GLOBAL_MEM_SIZE:
    return total_memory(device, ret);
  case PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY:
    return free_memory(device, ret);
  case PI_DEVICE_INFO_MAX_MEM_BANDWIDTH:
    return bandwidth(device, ret);
  case PI_DEVICE_INFO_DEVICE_ID:
    return device_id(device, ret);
  case PI_DEVICE_INFO_UUID:
    return uuid(device, ret);
  case PI_DEVICE_INFO_USM_HOST_SUPPORT:
  case PI_DEVICE_INFO_USM_DEVICE_SUPPORT:
  case PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT:
  case PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT:
  case PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT:
    return usm(device, query, ret);
  case PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES:
  case PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL:
  case PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D:
    return find_sizes(own, query, ret);
  default:
    return find_text(device, query, ret);
  }
  // NOLINTEND(bugprone-branch-clone)
}

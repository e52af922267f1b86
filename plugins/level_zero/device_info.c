/* Level Zero's own answers to device queries; ../objects/device_info.c has the others. */
#include "../objects/device_info.h"

#include "../objects/driver.h"
#include "bindless.h"
#include "device_abilities.h"
#include "newer.h"

/* X(query, number): constants, and numbers from the device's properties. */
#define LEVEL_ZERO_NUMBERS(X)                                                                      \
  X(DEVICE_INFO_VENDOR_ID, own->properties.vendorId)                                               \
  X(DEVICE_INFO_MAX_COMPUTE_UNITS, device_units_of(device))                                        \
  X(DEVICE_INFO_MAX_WORK_GROUP_SIZE, own->compute.maxTotalGroupSize)                               \
  X(DEVICE_INFO_MAX_CLOCK_FREQUENCY, own->properties.coreClockRate)                                \
  X(DEVICE_INFO_MAX_MEM_ALLOC_SIZE, own->properties.maxMemAllocSize)                               \
  X(DEVICE_INFO_MAX_PARAMETER_SIZE, own->module.maxArgumentsSize)                                  \
  /* In bits: the size of OpenCL's largest vector. Drivers compile for it without reporting it. */ \
  X(DEVICE_INFO_MEM_BASE_ADDR_ALIGN, 1024)                                                         \
  X(DEVICE_INFO_SINGLE_FP_CONFIG, device_fp_of(own->module.fp32flags))                             \
  X(DEVICE_INFO_DOUBLE_FP_CONFIG,                                                                  \
    flags &ZE_DEVICE_MODULE_FLAG_FP64 ? device_fp_of(own->module.fp64flags) : 0)                   \
  X(DEVICE_INFO_HALF_FP_CONFIG,                                                                    \
    flags &ZE_DEVICE_MODULE_FLAG_FP16 ? device_fp_of(own->module.fp16flags) : 0)                   \
  /* Level Zero does not report the size; all of Intel's GPUs have this one. */                    \
  X(DEVICE_INFO_GLOBAL_MEM_CACHELINE_SIZE, 64)                                                     \
  /* Constant memory is global memory. */                                                          \
  X(DEVICE_INFO_MAX_CONSTANT_BUFFER_SIZE, own->properties.maxMemAllocSize)                         \
  X(DEVICE_INFO_MAX_CONSTANT_ARGS, 64)                                                             \
  X(DEVICE_INFO_LOCAL_MEM_SIZE, own->compute.maxSharedLocalMemory)                                 \
  X(DEVICE_INFO_ERROR_CORRECTION_SUPPORT, own->properties.flags &ZE_DEVICE_PROPERTY_FLAG_ECC)      \
  X(DEVICE_INFO_HOST_UNIFIED_MEMORY, own->properties.flags &ZE_DEVICE_PROPERTY_FLAG_INTEGRATED)    \
  X(DEVICE_INFO_PROFILING_TIMER_RESOLUTION, clock_resolution(&own->clock))                         \
  X(DEVICE_INFO_AVAILABLE, ze.DeviceGetStatus(own->device) == ZE_RESULT_SUCCESS)                   \
  X(DEVICE_INFO_PRINTF_BUFFER_SIZE, own->module.printfBufferSize)                                  \
  X(DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, PI_FALSE)                                  \
  X(DEVICE_INFO_DEVICE_ID, own->properties.deviceId)                                               \
  X(DEVICE_INFO_ATOMIC_64, flags &ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS)                             \
  X(EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES, own->compute_queues)                          \
  /* Only Intel's GPUs run explicit SIMD kernels. */                                               \
  X(EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT, is_gpu && own->properties.vendorId == VENDOR_INTEL)       \
  X(EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES,                                              \
    PI_MEMORY_ORDER_RELAXED | PI_MEMORY_ORDER_ACQUIRE | PI_MEMORY_ORDER_RELEASE |                  \
        PI_MEMORY_ORDER_ACQ_REL | PI_MEMORY_ORDER_SEQ_CST)                                         \
  X(EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES,                                              \
    PI_MEMORY_SCOPE_WORK_ITEM | PI_MEMORY_SCOPE_SUB_GROUP | PI_MEMORY_SCOPE_WORK_GROUP |           \
        PI_MEMORY_SCOPE_DEVICE | PI_MEMORY_SCOPE_SYSTEM)                                           \
  X(EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS,                                                \
    platform_has_extension(device->platform, NEWER_BFLOAT16_NAME))                                 \
  X(EXT_ONEAPI_DEVICE_INFO_CUDA_ASYNC_BARRIER, PI_FALSE)                                           \
  X(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT, bindless_is_there(device))                     \
  X(EXT_ONEAPI_DEVICE_INFO_MIPMAP_SUPPORT, PI_FALSE)                                               \
  X(EXT_ONEAPI_DEVICE_INFO_MIPMAP_ANISOTROPY_SUPPORT, PI_FALSE)                                    \
  X(EXT_ONEAPI_DEVICE_INFO_MIPMAP_LEVEL_REFERENCE_SUPPORT, PI_FALSE)                               \
  X(EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_IMPORT_SUPPORT, interop_has_memory(device))              \
  X(EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_IMPORT_SUPPORT, interop_has_semaphores(device))       \
  X(EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SUPPORT, PI_FALSE)                                              \
  X(EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SEAMLESS_FILTERING_SUPPORT, PI_FALSE)

/* X(query, number): numbers that only GPUs have. */
#define LEVEL_ZERO_GPU_NUMBERS(X)                                                                  \
  X(DEVICE_INFO_GPU_EU_COUNT, device_units_of(device))                                             \
  X(DEVICE_INFO_GPU_EU_SIMD_WIDTH, own->properties.physicalEUSimdWidth)                            \
  X(DEVICE_INFO_GPU_SLICES, own->properties.numSlices)                                             \
  X(DEVICE_INFO_GPU_SUBSLICES_PER_SLICE, own->properties.numSubslicesPerSlice)                     \
  X(DEVICE_INFO_GPU_EU_COUNT_PER_SUBSLICE, own->properties.numEUsPerSubslice)                      \
  X(DEVICE_INFO_GPU_HW_THREADS_PER_EU, own->properties.numThreadsPerEU)

/* X(query, member of ze_device_image_properties_t) */
#define LEVEL_ZERO_IMAGES(X)                                                                       \
  X(DEVICE_INFO_MAX_READ_IMAGE_ARGS, maxReadImageArgs)                                             \
  X(DEVICE_INFO_MAX_WRITE_IMAGE_ARGS, maxWriteImageArgs)                                           \
  X(DEVICE_INFO_IMAGE2D_MAX_WIDTH, maxImageDims2D)                                                 \
  X(DEVICE_INFO_IMAGE2D_MAX_HEIGHT, maxImageDims2D)                                                \
  X(DEVICE_INFO_IMAGE3D_MAX_WIDTH, maxImageDims3D)                                                 \
  X(DEVICE_INFO_IMAGE3D_MAX_HEIGHT, maxImageDims3D)                                                \
  X(DEVICE_INFO_IMAGE3D_MAX_DEPTH, maxImageDims3D)                                                 \
  X(DEVICE_INFO_IMAGE_MAX_BUFFER_SIZE, maxImageBufferSize)                                         \
  X(DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE, maxImageArraySlices)                                         \
  X(DEVICE_INFO_MAX_SAMPLERS, maxSamplers)

/* X(query, member of device_memory) */
#define LEVEL_ZERO_MEMORIES(X)                                                                     \
  X(DEVICE_INFO_GLOBAL_MEM_SIZE, size)                                                             \
  X(EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE, clock)                                                \
  X(EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH, bus)

/* Extensions of every Level Zero device. Runtimes send SPIR-V only if the first one is there. */
#define EXTENSIONS                                                                                 \
  "cl_khr_il_program cl_khr_subgroups cl_intel_subgroups cl_intel_subgroups_short "                \
  "cl_intel_required_subgroup_size cl_intel_unified_shared_memory ur_exp_command_buffer"

/* Reads the image properties. All sizes are 0 for a device without images, for which some drivers
 * return an error instead. */
static pi_result images(pi_device device, ze_device_image_properties_t *ret) {
  *ret = (ze_device_image_properties_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  const ze_result_t code = ze.DeviceGetImageProperties(device->driver.device, ret);
  return code == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE
             ? PI_SUCCESS
             : ze_result(code, "zeDeviceGetImageProperties");
}

static pi_result bandwidth(pi_device device, device_value *ret) {
  device_memory memory;
  TRY(device_memory_of(device, &memory));
  return memory.bandwidth ? device_number(ret, memory.bandwidth)
                          : device_no_answer(ret, "the driver does not tell it");
}

/* Returns the largest width or height of images in plain memory. */
static pi_result bindless_limit(pi_device device, bool is_width, device_value *ret) {
  size_t width;
  size_t height;
  if (!bindless_is_there(device))
    return device_no_answer(ret, "it has no bindless images");
  TRY(bindless_limits(device, &width, &height));
  return device_number(ret, is_width ? width : height);
}

static pi_result ip_version(pi_device device, device_value *ret) {
  if (!platform_has_extension(device->platform, NEWER_IP_VERSION_NAME))
    return device_no_answer(ret, "the driver lacks " NEWER_IP_VERSION_NAME);
  newer_ip_version version = {.stype = NEWER_STRUCTURE_IP_VERSION};
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
                                       .pNext = &version};
  ZE_TRY(DeviceGetProperties, device->driver.device, &properties);
  return device_number(ret, version.ipVersion);
}

static pi_result pci_address(pi_device device, device_value *ret) {
  if (!ze.DevicePciGetPropertiesExt ||
      !platform_has_extension(device->platform, ZE_PCI_PROPERTIES_EXT_NAME))
    return device_no_answer(ret, "the driver lacks " ZE_PCI_PROPERTIES_EXT_NAME);
  ze_pci_ext_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
  ZE_TRY(DevicePciGetPropertiesExt, device->driver.device, &properties);
  return device_text(ret, "%04x:%02x:%02x.%x", properties.address.domain, properties.address.bus,
                     properties.address.device, properties.address.function);
}

/* Splits the driver's version number as Intel does (1.3.24595), for all drivers. */
static pi_result driver_version(pi_device device, device_value *ret) {
  ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
  ZE_TRY(DriverGetProperties, device->platform->driver.driver, &properties);
  const uint32_t version = properties.driverVersion;
  return device_text(ret, "%u.%u.%u", version >> 24, version >> 16 & 0xff, version & 0xffff);
}

static pi_result extensions(pi_device device, device_value *ret) {
  const ze_device_module_flags_t flags = device->driver.module.flags;
  ze_device_image_properties_t properties;
  TRY(images(device, &properties));
  return device_text(ret, EXTENSIONS "%s%s%s%s%s",
                     flags & ZE_DEVICE_MODULE_FLAG_FP16 ? " cl_khr_fp16" : "",
                     flags & ZE_DEVICE_MODULE_FLAG_FP64 ? " cl_khr_fp64" : "",
                     flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS
                         ? " cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"
                         : "",
                     properties.maxImageDims3D ? " cl_khr_3d_image_writes" : "",
                     platform_has_extension(device->platform, NEWER_BFLOAT16_NAME)
                         ? " cl_intel_bfloat16_conversions"
                         : "");
}

static pi_result find_text(pi_device device, pi_device_info query, device_value *ret) {
  const uint32_t spirv = device->driver.module.spirvVersionSupported;
  platform_facts facts;
  switch ((int)query) {
  case PI_DEVICE_INFO_NAME:
    return device_text(ret, "%s", device->driver.properties.name);
  case PI_DEVICE_INFO_DRIVER_VERSION:
    return driver_version(device, ret);
  case PI_DEVICE_INFO_VERSION:
  case PI_DEVICE_INFO_BACKEND_VERSION:
    driver_platform_facts(device->platform, &facts);
    return device_text(ret, "%s", facts.version);
  case PI_DEVICE_INFO_IL_VERSION:
    return device_text(ret, "SPIR-V_%u.%u", ZE_MAJOR_VERSION(spirv), ZE_MINOR_VERSION(spirv));
  case PI_DEVICE_INFO_EXTENSIONS:
    return extensions(device, ret);
  case PI_DEVICE_INFO_PCI_ADDRESS:
    return pci_address(device, ret);
  case PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY:
    return device_no_answer(
        ret, "Level Zero tells it through its Sysman interface only, which is not used here");
  case PI_EXT_ONEAPI_DEVICE_INFO_MIPMAP_MAX_ANISOTROPY:
    return device_no_answer(ret, "Level Zero has no mipmaps");
  default:
    return device_no_answer(ret, "Level Zero has no query for it");
  }
}

static pi_result find_sizes(const ze_device_compute_properties_t *compute, pi_device_info query,
                            device_value *ret) {
  size_t sizes[DEVICE_SIZES_MAX];
  const size_t count =
      compute->numSubGroupSizes < DEVICE_SIZES_MAX ? compute->numSubGroupSizes : DEVICE_SIZES_MAX;
  const size_t items[] = {compute->maxGroupSizeX, compute->maxGroupSizeY, compute->maxGroupSizeZ};
  const size_t groups[] = {compute->maxGroupCountX, compute->maxGroupCountY,
                           compute->maxGroupCountZ};
  for (size_t i = 0; i < count; i++)
    sizes[i] = compute->subGroupSizes[i];
  if (query == PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL)
    return device_sizes(ret, count, sizes);
  return device_sizes(ret, 3, query == PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES ? items : groups);
}
_Static_assert(ZE_SUBGROUPSIZE_COUNT == DEVICE_SIZES_MAX, "");

/* Answers the queries that need a call of the driver, and those for texts. */
static pi_result ask_driver(pi_device device, pi_device_info query, device_value *ret) {
  pi_uint64 number;
  switch ((int)query) {
  case PI_DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE:
    TRY(device_cache_of(device, &number));
    return device_number(ret, number);
  case PI_DEVICE_INFO_USM_HOST_SUPPORT:
  case PI_DEVICE_INFO_USM_DEVICE_SUPPORT:
  case PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT:
  case PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT:
  case PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT:
    TRY(device_usm_of(device, query, &number));
    return device_number(ret, number);
  case PI_DEVICE_INFO_MAX_MEM_BANDWIDTH:
    return bandwidth(device, ret);
  case PI_EXT_ONEAPI_DEVICE_INFO_IP_VERSION:
    return ip_version(device, ret);
  case PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH:
  case PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_HEIGHT:
    return bindless_limit(device, query == PI_EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH, ret);
  default:
    return find_text(device, query, ret);
  }
}

pi_result driver_device_query(pi_device device, pi_device_info query, device_value *ret) {
  enum { VENDOR_INTEL = 0x8086 };
  const struct driver_device *own = &device->driver;
  const ze_device_module_flags_t flags = own->module.flags;
  const bool is_gpu = device->type == PI_DEVICE_TYPE_GPU;
  ze_device_image_properties_t image;
  device_memory memory;
  // NOLINTBEGIN(bugprone-branch-clone): rows of a list may have the same answer
  switch ((int)query) {
#define LEVEL_ZERO_CASE(query, number)                                                             \
  case PI_##query:                                                                                 \
    return device_number(ret, (pi_uint64)(number));
    LEVEL_ZERO_NUMBERS(LEVEL_ZERO_CASE)
#undef LEVEL_ZERO_CASE
#define LEVEL_ZERO_CASE(query, number)                                                             \
  case PI_##query:                                                                                 \
    return is_gpu ? device_number(ret, number) : device_no_answer(ret, "the device is no GPU");
    LEVEL_ZERO_GPU_NUMBERS(LEVEL_ZERO_CASE)
#undef LEVEL_ZERO_CASE
#define LEVEL_ZERO_CASE(query, member)                                                             \
  case PI_##query:                                                                                 \
    TRY(images(device, &image));                                                                   \
    return device_number(ret, image.member);
    LEVEL_ZERO_IMAGES(LEVEL_ZERO_CASE)
#undef LEVEL_ZERO_CASE
#define LEVEL_ZERO_CASE(query, member)                                                             \
  case PI_##query:                                                                                 \
    TRY(device_memory_of(device, &memory));                                                        \
    return device_number(ret, memory.member);
    LEVEL_ZERO_MEMORIES(LEVEL_ZERO_CASE)
#undef LEVEL_ZERO_CASE
  case PI_DEVICE_INFO_UUID:
    return device_bytes(ret, own->properties.uuid.id, sizeof own->properties.uuid.id);
  case PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES:
  case PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL:
  case PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D:
    return find_sizes(&own->compute, query, ret);
  default:
    return ask_driver(device, query, ret);
  }
  // NOLINTEND(bugprone-branch-clone)
}

/*
 * piDeviceGetInfo: one table says for every query of pi_device_info where its answer comes from: a
 * member of the device's properties, a number or text which is the same for every device, or a
 * function. What Level Zero has no word for is an error with the reason.
 */
#include "bindless.h"
#include "checks.h"
#include "device_abilities.h"
#include "newer.h"

#include <stdio.h>
#include <string.h>

typedef struct device_query device_query;

/* Answers one row of the table. */
typedef pi_result query_answer(pi_device device, const device_query *query,
                               const pi_answer *answer);

struct device_query {
  query_answer *answer;
  const char *text; /* an answer, or why there is none */
  pi_uint64 value;  /* an answer, or the offset of a member */
  pi_device_info name;
};

static pi_uint32 member(pi_device device, const device_query *query) {
  pi_uint32 value;
  memcpy(&value, (const char *)&device->driver + query->value, sizeof value);
  return value;
}

static pi_result member4(pi_device device, const device_query *query, const pi_answer *answer) {
  return pi_answer_uint32(answer, member(device, query));
}

static pi_result member8(pi_device device, const device_query *query, const pi_answer *answer) {
  return pi_answer_uint64(answer, member(device, query));
}

/* What only GPUs are made of. */
static pi_result gpu4(pi_device device, const device_query *query, const pi_answer *answer) {
  if (device->type != PI_DEVICE_TYPE_GPU)
    return pi_answer_unsupported("pi_device_info", query->name, "the device is no GPU");
  return member4(device, query, answer);
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

static pi_result type(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_uint64(answer, device->type);
}

/* Of the device's flags. */
static pi_result property_flag(pi_device device, const device_query *query,
                               const pi_answer *answer) {
  return pi_answer_bool(answer, (device->driver.properties.flags & query->value) != 0);
}

static pi_result module_flag(pi_device device, const device_query *query, const pi_answer *answer) {
  return pi_answer_bool(answer, (device->driver.module.flags & query->value) != 0);
}

/* 1 where the device has a type at all: Level Zero's devices are programmed by the element. */
static pi_result module_width(pi_device device, const device_query *query,
                              const pi_answer *answer) {
  return pi_answer_uint32(answer, (device->driver.module.flags & query->value) != 0);
}

static pi_result single_config(pi_device device, const device_query *query,
                               const pi_answer *answer) {
  (void)query;
  return pi_answer_uint64(answer, device_fp_of(device->driver.module.fp32flags));
}

static pi_result double_config(pi_device device, const device_query *query,
                               const pi_answer *answer) {
  (void)query;
  const bool has = (device->driver.module.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0;
  return pi_answer_uint64(answer, has ? device_fp_of(device->driver.module.fp64flags) : 0);
}

static pi_result half_config(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  const bool has = (device->driver.module.flags & ZE_DEVICE_MODULE_FLAG_FP16) != 0;
  return pi_answer_uint64(answer, has ? device_fp_of(device->driver.module.fp16flags) : 0);
}

static pi_result compute_units(pi_device device, const device_query *query,
                               const pi_answer *answer) {
  (void)query;
  return pi_answer_uint32(answer, device_units_of(device));
}

static pi_result eu_count(pi_device device, const device_query *query, const pi_answer *answer) {
  if (device->type != PI_DEVICE_TYPE_GPU)
    return pi_answer_unsupported("pi_device_info", query->name, "the device is no GPU");
  return pi_answer_uint32(answer, device_units_of(device));
}

static pi_result work_item_sizes(pi_device device, const device_query *query,
                                 const pi_answer *answer) {
  (void)query;
  const size_t sizes[3] = {device->driver.compute.maxGroupSizeX,
                           device->driver.compute.maxGroupSizeY,
                           device->driver.compute.maxGroupSizeZ};
  return pi_answer_bytes(answer, sizes, sizeof sizes);
}

/* value is how many dimensions are asked for. */
static pi_result work_groups(pi_device device, const device_query *query, const pi_answer *answer) {
  const size_t sizes[3] = {device->driver.compute.maxGroupCountX,
                           device->driver.compute.maxGroupCountY,
                           device->driver.compute.maxGroupCountZ};
  return pi_answer_bytes(answer, sizes, (size_t)query->value * sizeof sizes[0]);
}

/* The product, which may be more than a size_t holds. */
static pi_result global_work_groups(pi_device device, const device_query *query,
                                    const pi_answer *answer) {
  (void)query;
  const ze_device_compute_properties_t *compute = &device->driver.compute;
  const size_t plane = (size_t)compute->maxGroupCountX * compute->maxGroupCountY;
  const size_t depth = compute->maxGroupCountZ;
  return pi_answer_size(answer, depth && plane > SIZE_MAX / depth ? SIZE_MAX : plane * depth);
}

static size_t sub_group_count(pi_device device) {
  const size_t count = device->driver.compute.numSubGroupSizes;
  return count < ZE_SUBGROUPSIZE_COUNT ? count : ZE_SUBGROUPSIZE_COUNT;
}

static pi_result sub_group_sizes(pi_device device, const device_query *query,
                                 const pi_answer *answer) {
  (void)query;
  size_t sizes[ZE_SUBGROUPSIZE_COUNT];
  for (size_t i = 0; i < sub_group_count(device); i++)
    sizes[i] = device->driver.compute.subGroupSizes[i];
  return pi_answer_bytes(answer, sizes, sub_group_count(device) * sizeof sizes[0]);
}

/* As many as the largest work-group has of the smallest size. */
static pi_result sub_groups(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  pi_uint32 smallest = 0;
  for (size_t i = 0; i < sub_group_count(device); i++) {
    const pi_uint32 size = device->driver.compute.subGroupSizes[i];
    smallest = size && (!smallest || size < smallest) ? size : smallest;
  }
  return pi_answer_uint32(answer,
                          device->driver.compute.maxTotalGroupSize / (smallest ? smallest : 1));
}

static pi_result max_allocation(pi_device device, const device_query *query,
                                const pi_answer *answer) {
  (void)query;
  return pi_answer_uint64(answer, device->driver.properties.maxMemAllocSize);
}

static pi_result memory_size(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  device_memory memory;
  PI_TRY(device_memory_of(device, &memory));
  return pi_answer_uint64(answer, memory.size);
}

static pi_result memory_clock(pi_device device, const device_query *query,
                              const pi_answer *answer) {
  (void)query;
  device_memory memory;
  PI_TRY(device_memory_of(device, &memory));
  return pi_answer_uint32(answer, memory.clock);
}

static pi_result memory_bus(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  device_memory memory;
  PI_TRY(device_memory_of(device, &memory));
  return pi_answer_uint32(answer, memory.bus);
}

static pi_result bandwidth(pi_device device, const device_query *query, const pi_answer *answer) {
  device_memory memory;
  PI_TRY(device_memory_of(device, &memory));
  if (memory.bandwidth == 0)
    return pi_answer_unsupported("pi_device_info", query->name, "the driver does not tell it");
  return pi_answer_uint64(answer, memory.bandwidth);
}

static pi_result cache_size(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  pi_uint64 bytes;
  PI_TRY(device_cache_of(device, &bytes));
  return pi_answer_uint64(answer, bytes);
}

static pi_result cache_type(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  pi_uint64 bytes;
  PI_TRY(device_cache_of(device, &bytes));
  return pi_answer_uint32(answer, bytes ? PI_DEVICE_MEM_CACHE_TYPE_READ_WRITE_CACHE
                                        : PI_DEVICE_MEM_CACHE_TYPE_NONE);
}

/* All sizes are 0 for a device without images, of which some drivers say that they have no answer.
 */
static pi_result images(pi_device device, ze_device_image_properties_t *ret) {
  *ret = (ze_device_image_properties_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  const ze_result_t code = ze.DeviceGetImageProperties(device->driver.device, ret);
  return code == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE
             ? PI_SUCCESS
             : ze_result(code, "zeDeviceGetImageProperties");
}

/* value is the offset of the member, 4 bytes of Level Zero's, in the images' properties. */
static pi_result image_member(pi_device device, const device_query *query, pi_uint32 *ret) {
  ze_device_image_properties_t properties;
  PI_TRY(images(device, &properties));
  memcpy(ret, (const char *)&properties + query->value, sizeof *ret);
  return PI_SUCCESS;
}

static pi_result image4(pi_device device, const device_query *query, const pi_answer *answer) {
  pi_uint32 value;
  PI_TRY(image_member(device, query, &value));
  return pi_answer_uint32(answer, value);
}

static pi_result image8(pi_device device, const device_query *query, const pi_answer *answer) {
  pi_uint32 value;
  PI_TRY(image_member(device, query, &value));
  return pi_answer_uint64(answer, value);
}

static pi_result image_buffer_size(pi_device device, const device_query *query,
                                   const pi_answer *answer) {
  (void)query;
  ze_device_image_properties_t properties;
  PI_TRY(images(device, &properties));
  return pi_answer_size(answer, properties.maxImageBufferSize);
}

static pi_result bindless(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_bool(answer, bindless_is_there(device));
}

/* Of images in plain memory: value is 0 for the width, 1 for the height. */
static pi_result bindless_limit(pi_device device, const device_query *query,
                                const pi_answer *answer) {
  size_t limits[2];
  if (!bindless_is_there(device))
    return pi_answer_unsupported("pi_device_info", query->name, "it has no bindless images");
  PI_TRY(bindless_limits(device, &limits[0], &limits[1]));
  return pi_answer_uint32(answer, (pi_uint32)limits[query->value]);
}

static pi_result imports_memory(pi_device device, const device_query *query,
                                const pi_answer *answer) {
  (void)query;
  return pi_answer_bool(answer, interop_has_memory(device));
}

static pi_result imports_semaphores(pi_device device, const device_query *query,
                                    const pi_answer *answer) {
  (void)query;
  return pi_answer_bool(answer, interop_has_semaphores(device));
}

static pi_result image_support(pi_device device, const device_query *query,
                               const pi_answer *answer) {
  (void)query;
  ze_device_image_properties_t properties;
  PI_TRY(images(device, &properties));
  return pi_answer_bool(answer, properties.maxImageDims2D > 0);
}

static pi_result timer_resolution(pi_device device, const device_query *query,
                                  const pi_answer *answer) {
  (void)query;
  return pi_answer_size(answer, clock_resolution(&device->driver.clock));
}

static pi_result available(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_bool(answer, ze.DeviceGetStatus(device->driver.device) == ZE_RESULT_SUCCESS);
}

static pi_result name(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_text(answer, device->driver.properties.name);
}

static pi_result vendor(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_text(answer, platform_vendor(device->platform));
}

/* The parts of the number are Intel's, 1.3.24595; other drivers' numbers are shown alike. */
static pi_result driver_version(pi_device device, const device_query *query,
                                const pi_answer *answer) {
  (void)query;
  ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
  ZE_TRY(DriverGetProperties, device->platform->driver.driver, &properties);
  const uint32_t version = properties.driverVersion;
  char text[64];
  snprintf(text, sizeof text, "%u.%u.%u", version >> 24, version >> 16 & 0xff, version & 0xffff);
  return pi_answer_text(answer, text);
}

static pi_result version(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  const uint32_t number = (uint32_t)device->platform->driver.api_version;
  char text[64];
  snprintf(text, sizeof text, "%u.%u", ZE_MAJOR_VERSION(number), ZE_MINOR_VERSION(number));
  return pi_answer_text(answer, text);
}

static pi_result il_version(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  const uint32_t number = device->driver.module.spirvVersionSupported;
  char text[64];
  snprintf(text, sizeof text, "SPIR-V_%u.%u", ZE_MAJOR_VERSION(number), ZE_MINOR_VERSION(number));
  return pi_answer_text(answer, text);
}

static pi_result extensions(pi_device device, const device_query *query, const pi_answer *answer) {
  const ze_device_module_flags_t flags = device->driver.module.flags;
  ze_device_image_properties_t properties;
  PI_TRY(images(device, &properties));
  char text[1024];
  snprintf(text, sizeof text, "%s%s%s%s%s%s", query->text,
           flags & ZE_DEVICE_MODULE_FLAG_FP16 ? " cl_khr_fp16" : "",
           flags & ZE_DEVICE_MODULE_FLAG_FP64 ? " cl_khr_fp64" : "",
           flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS
               ? " cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"
               : "",
           properties.maxImageDims3D ? " cl_khr_3d_image_writes" : "",
           platform_has_extension(device->platform, NEWER_BFLOAT16_NAME)
               ? " cl_intel_bfloat16_conversions"
               : "");
  return pi_answer_text(answer, text);
}

static pi_result platform(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_handle(answer, device->platform);
}

static pi_result parent(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_handle(answer, device->parent);
}

static pi_result part_count(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_uint32(answer, device->part_count);
}

static pi_result partition_properties(pi_device device, const device_query *query,
                                      const pi_answer *answer) {
  (void)query;
  /* A list whose one entry is 0 says that there is no way. */
  const pi_device_partition_property way =
      device->part_count ? PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN : 0;
  return pi_answer_bytes(answer, &way, sizeof way);
}

static pi_result partition_type(pi_device device, const device_query *query,
                                const pi_answer *answer) {
  (void)query;
  const pi_device_partition_property made[] = {PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                               PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  const pi_device_partition_property none = 0;
  return device->parent ? pi_answer_bytes(answer, made, sizeof made)
                        : pi_answer_bytes(answer, &none, sizeof none);
}

static pi_result affinity_domain(pi_device device, const device_query *query,
                                 const pi_answer *answer) {
  (void)query;
  return pi_answer_uint64(answer, device->part_count
                                      ? PI_DEVICE_AFFINITY_DOMAIN_NUMA |
                                            PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE
                                      : 0);
}

static pi_result reference_count(pi_device device, const device_query *query,
                                 const pi_answer *answer) {
  (void)query;
  return pi_answer_uint32(answer, pi_handle_references(&device->handle));
}

static pi_result uuid(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  return pi_answer_bytes(answer, device->driver.properties.uuid.id,
                         sizeof device->driver.properties.uuid.id);
}

static pi_result usm(pi_device device, const device_query *query, const pi_answer *answer) {
  pi_uint64 abilities;
  PI_TRY(device_usm_of(device, query->name, &abilities));
  return pi_answer_uint64(answer, abilities);
}

static pi_result pci_address(pi_device device, const device_query *query, const pi_answer *answer) {
  if (!ze.DevicePciGetPropertiesExt ||
      !platform_has_extension(device->platform, ZE_PCI_PROPERTIES_EXT_NAME))
    return pi_answer_unsupported("pi_device_info", query->name,
                                 "the driver lacks " ZE_PCI_PROPERTIES_EXT_NAME);
  ze_pci_ext_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
  ZE_TRY(DevicePciGetPropertiesExt, device->driver.device, &properties);
  char text[48];
  snprintf(text, sizeof text, "%04x:%02x:%02x.%x", properties.address.domain,
           properties.address.bus, properties.address.device, properties.address.function);
  return pi_answer_text(answer, text);
}

static pi_result ip_version(pi_device device, const device_query *query, const pi_answer *answer) {
  if (!platform_has_extension(device->platform, NEWER_IP_VERSION_NAME))
    return pi_answer_unsupported("pi_device_info", query->name,
                                 "the driver lacks " NEWER_IP_VERSION_NAME);
  newer_ip_version version = {.stype = NEWER_STRUCTURE_IP_VERSION};
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
                                       .pNext = &version};
  ZE_TRY(DeviceGetProperties, device->driver.device, &properties);
  return pi_answer_uint32(answer, version.ipVersion);
}

static pi_result bfloat16(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  const bool has = platform_has_extension(device->platform, NEWER_BFLOAT16_NAME);
  return pi_answer_bytes(answer, &has, 1);
}

/* Explicit SIMD is the language of Intel's GPUs. */
static pi_result esimd(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)query;
  enum { VENDOR_INTEL = 0x8086 };
  return pi_answer_bool(answer, device->type == PI_DEVICE_TYPE_GPU &&
                                    device->driver.properties.vendorId == VENDOR_INTEL);
}

static pi_result no_devices(pi_device device, const device_query *query, const pi_answer *answer) {
  (void)device;
  (void)query;
  return pi_answer_bytes(answer, NULL, 0);
}

#define ORDERS                                                                                     \
  (PI_MEMORY_ORDER_RELAXED | PI_MEMORY_ORDER_ACQUIRE | PI_MEMORY_ORDER_RELEASE |                   \
   PI_MEMORY_ORDER_ACQ_REL | PI_MEMORY_ORDER_SEQ_CST)
#define SCOPES                                                                                     \
  (PI_MEMORY_SCOPE_WORK_ITEM | PI_MEMORY_SCOPE_SUB_GROUP | PI_MEMORY_SCOPE_WORK_GROUP |            \
   PI_MEMORY_SCOPE_DEVICE | PI_MEMORY_SCOPE_SYSTEM)
#define NO_QUERY "Level Zero has no query for it"
#define NO_SYSMAN "Level Zero tells it through its Sysman interface only, which is not used here"

/* What every device of Level Zero takes; without the first one a runtime sends no SPIR-V. */
#define EXTENSIONS                                                                                 \
  "cl_khr_il_program cl_khr_subgroups cl_intel_subgroups cl_intel_subgroups_short "                \
  "cl_intel_required_subgroup_size cl_intel_unified_shared_memory ur_exp_command_buffer"

/* Rows: a member of the device, of its images' properties, a number or text, a function. */
#define QUERY(name, form, value, text)                                                             \
  { form, text, value, PI_##name }
#define MEMBER(name, form, member) QUERY(name, form, offsetof(struct driver_device, member), NULL)
#define IMAGE(name, form, member)                                                                  \
  QUERY(name, form, offsetof(ze_device_image_properties_t, member), NULL)
#define NUMBER(name, form, value) QUERY(name, form, value, NULL)
#define TEXT(name, form, text) QUERY(name, form, 0, text)
#define FUNCTION(name, form) QUERY(name, form, 0, NULL)

static const device_query device_queries[] = {
    FUNCTION(DEVICE_INFO_TYPE, type),
    MEMBER(DEVICE_INFO_VENDOR_ID, member4, properties.vendorId),
    FUNCTION(DEVICE_INFO_MAX_COMPUTE_UNITS, compute_units),
    NUMBER(DEVICE_INFO_MAX_WORK_ITEM_DIMENSIONS, constant4, 3),
    MEMBER(DEVICE_INFO_MAX_WORK_GROUP_SIZE, member8, compute.maxTotalGroupSize),
    FUNCTION(DEVICE_INFO_MAX_WORK_ITEM_SIZES, work_item_sizes),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_CHAR, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_SHORT, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_INT, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_LONG, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_FLOAT, constant4, 1),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_DOUBLE, module_width, ZE_DEVICE_MODULE_FLAG_FP64),
    NUMBER(DEVICE_INFO_PREFERRED_VECTOR_WIDTH_HALF, module_width, ZE_DEVICE_MODULE_FLAG_FP16),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_CHAR, constant4, 1),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_SHORT, constant4, 1),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_INT, constant4, 1),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG, constant4, 1),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_FLOAT, constant4, 1),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_DOUBLE, module_width, ZE_DEVICE_MODULE_FLAG_FP64),
    NUMBER(DEVICE_INFO_NATIVE_VECTOR_WIDTH_HALF, module_width, ZE_DEVICE_MODULE_FLAG_FP16),
    MEMBER(DEVICE_INFO_MAX_CLOCK_FREQUENCY, member4, properties.coreClockRate),
    NUMBER(DEVICE_INFO_ADDRESS_BITS, constant4, 64),
    IMAGE(DEVICE_INFO_MAX_READ_IMAGE_ARGS, image4, maxReadImageArgs),
    IMAGE(DEVICE_INFO_MAX_WRITE_IMAGE_ARGS, image4, maxWriteImageArgs),
    FUNCTION(DEVICE_INFO_MAX_MEM_ALLOC_SIZE, max_allocation),
    IMAGE(DEVICE_INFO_IMAGE2D_MAX_WIDTH, image8, maxImageDims2D),
    IMAGE(DEVICE_INFO_IMAGE2D_MAX_HEIGHT, image8, maxImageDims2D),
    IMAGE(DEVICE_INFO_IMAGE3D_MAX_WIDTH, image8, maxImageDims3D),
    IMAGE(DEVICE_INFO_IMAGE3D_MAX_HEIGHT, image8, maxImageDims3D),
    IMAGE(DEVICE_INFO_IMAGE3D_MAX_DEPTH, image8, maxImageDims3D),
    FUNCTION(DEVICE_INFO_IMAGE_MAX_BUFFER_SIZE, image_buffer_size),
    IMAGE(DEVICE_INFO_IMAGE_MAX_ARRAY_SIZE, image8, maxImageArraySlices),
    FUNCTION(DEVICE_INFO_IMAGE_SUPPORT, image_support),
    MEMBER(DEVICE_INFO_MAX_PARAMETER_SIZE, member8, module.maxArgumentsSize),
    IMAGE(DEVICE_INFO_MAX_SAMPLERS, image4, maxSamplers),
    /* Bits, of OpenCL's largest vector: drivers compile for that alignment and do not tell it. */
    NUMBER(DEVICE_INFO_MEM_BASE_ADDR_ALIGN, constant4, 1024),
    FUNCTION(DEVICE_INFO_SINGLE_FP_CONFIG, single_config),
    FUNCTION(DEVICE_INFO_DOUBLE_FP_CONFIG, double_config),
    FUNCTION(DEVICE_INFO_HALF_FP_CONFIG, half_config),
    FUNCTION(DEVICE_INFO_GLOBAL_MEM_CACHE_TYPE, cache_type),
    /* Not told by Level Zero; of all of Intel's GPUs. */
    NUMBER(DEVICE_INFO_GLOBAL_MEM_CACHELINE_SIZE, constant4, 64),
    FUNCTION(DEVICE_INFO_GLOBAL_MEM_CACHE_SIZE, cache_size),
    FUNCTION(DEVICE_INFO_GLOBAL_MEM_SIZE, memory_size),
    /* Constant memory is global memory. */
    FUNCTION(DEVICE_INFO_MAX_CONSTANT_BUFFER_SIZE, max_allocation),
    NUMBER(DEVICE_INFO_MAX_CONSTANT_ARGS, constant4, 64),
    NUMBER(DEVICE_INFO_LOCAL_MEM_TYPE, constant4, PI_DEVICE_LOCAL_MEM_TYPE_LOCAL),
    MEMBER(DEVICE_INFO_LOCAL_MEM_SIZE, member8, compute.maxSharedLocalMemory),
    NUMBER(DEVICE_INFO_ERROR_CORRECTION_SUPPORT, property_flag, ZE_DEVICE_PROPERTY_FLAG_ECC),
    NUMBER(DEVICE_INFO_HOST_UNIFIED_MEMORY, property_flag, ZE_DEVICE_PROPERTY_FLAG_INTEGRATED),
    FUNCTION(DEVICE_INFO_PROFILING_TIMER_RESOLUTION, timer_resolution),
    NUMBER(DEVICE_INFO_ENDIAN_LITTLE, constant4, PI_TRUE),
    FUNCTION(DEVICE_INFO_AVAILABLE, available),
    NUMBER(DEVICE_INFO_COMPILER_AVAILABLE, constant4, PI_TRUE),
    NUMBER(DEVICE_INFO_LINKER_AVAILABLE, constant4, PI_TRUE),
    NUMBER(DEVICE_INFO_EXECUTION_CAPABILITIES, constant8, PI_DEVICE_EXEC_CAPABILITIES_KERNEL),
    /* Also PI_DEVICE_INFO_QUEUE_PROPERTIES. */
    NUMBER(DEVICE_INFO_QUEUE_ON_HOST_PROPERTIES, constant8,
           PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE),
    NUMBER(DEVICE_INFO_QUEUE_ON_DEVICE_PROPERTIES, constant8, 0),
    FUNCTION(DEVICE_INFO_NAME, name),
    FUNCTION(DEVICE_INFO_VENDOR, vendor),
    FUNCTION(DEVICE_INFO_DRIVER_VERSION, driver_version),
    TEXT(DEVICE_INFO_PROFILE, constant_text, "FULL_PROFILE"),
    FUNCTION(DEVICE_INFO_VERSION, version),
    TEXT(DEVICE_INFO_OPENCL_C_VERSION, constant_text, ""),
    TEXT(DEVICE_INFO_BUILT_IN_KERNELS, constant_text, ""),
    FUNCTION(DEVICE_INFO_IL_VERSION, il_version),
    TEXT(DEVICE_INFO_EXTENSIONS, extensions, EXTENSIONS),
    FUNCTION(DEVICE_INFO_PLATFORM, platform),
    FUNCTION(DEVICE_INFO_PARENT_DEVICE, parent),
    FUNCTION(DEVICE_INFO_PARTITION_MAX_SUB_DEVICES, part_count),
    FUNCTION(DEVICE_INFO_PARTITION_PROPERTIES, partition_properties),
    FUNCTION(DEVICE_INFO_PARTITION_TYPE, partition_type),
    FUNCTION(DEVICE_INFO_PARTITION_AFFINITY_DOMAIN, affinity_domain),
    FUNCTION(DEVICE_INFO_REFERENCE_COUNT, reference_count),
    NUMBER(DEVICE_INFO_PREFERRED_INTEROP_USER_SYNC, constant4, PI_TRUE),
    MEMBER(DEVICE_INFO_PRINTF_BUFFER_SIZE, member8, module.printfBufferSize),
    FUNCTION(DEVICE_INFO_MAX_NUM_SUB_GROUPS, sub_groups),
    NUMBER(DEVICE_INFO_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, constant4, PI_FALSE),
    FUNCTION(DEVICE_INFO_SUB_GROUP_SIZES_INTEL, sub_group_sizes),
    FUNCTION(DEVICE_INFO_UUID, uuid),
    FUNCTION(DEVICE_INFO_USM_HOST_SUPPORT, usm),
    FUNCTION(DEVICE_INFO_USM_DEVICE_SUPPORT, usm),
    FUNCTION(DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT, usm),
    FUNCTION(DEVICE_INFO_USM_CROSS_SHARED_SUPPORT, usm),
    FUNCTION(DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT, usm),
    MEMBER(DEVICE_INFO_DEVICE_ID, member4, properties.deviceId),
    FUNCTION(DEVICE_INFO_PCI_ADDRESS, pci_address),
    FUNCTION(DEVICE_INFO_GPU_EU_COUNT, eu_count),
    MEMBER(DEVICE_INFO_GPU_EU_SIMD_WIDTH, gpu4, properties.physicalEUSimdWidth),
    MEMBER(DEVICE_INFO_GPU_SLICES, gpu4, properties.numSlices),
    MEMBER(DEVICE_INFO_GPU_SUBSLICES_PER_SLICE, gpu4, properties.numSubslicesPerSlice),
    MEMBER(DEVICE_INFO_GPU_EU_COUNT_PER_SUBSLICE, gpu4, properties.numEUsPerSubslice),
    MEMBER(DEVICE_INFO_GPU_HW_THREADS_PER_EU, gpu4, properties.numThreadsPerEU),
    FUNCTION(DEVICE_INFO_MAX_MEM_BANDWIDTH, bandwidth),
    NUMBER(DEVICE_INFO_IMAGE_SRGB, constant4, PI_FALSE),
    /* A module is the root device's, and its parts run it. */
    NUMBER(DEVICE_INFO_BUILD_ON_SUBDEVICE, constant4, PI_FALSE),
    NUMBER(DEVICE_INFO_ATOMIC_64, module_flag, ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS),
    FUNCTION(DEVICE_INFO_BACKEND_VERSION, version),
    TEXT(EXT_INTEL_DEVICE_INFO_FREE_MEMORY, no_answer, NO_SYSMAN),
    FUNCTION(EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE, memory_clock),
    FUNCTION(EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH, memory_bus),
    MEMBER(EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES, member4, compute_queues),
    NUMBER(EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT, constant4, PI_FALSE),
    FUNCTION(EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT, esimd),
    /* It takes bitcode, which this plugin does not. */
    NUMBER(EXT_CODEPLAY_DEVICE_INFO_SUPPORTS_FUSION, constant4, PI_FALSE),
    TEXT(EXT_CODEPLAY_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP, no_answer, NO_QUERY),
    NUMBER(EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, constant8, ORDERS),
    NUMBER(EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, constant8, SCOPES),
    NUMBER(EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES, constant8, ORDERS),
    NUMBER(EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, constant8, SCOPES),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_IP_VERSION, ip_version),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS, bfloat16),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_MAX_GLOBAL_WORK_GROUPS, global_work_groups),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D, work_groups, 1),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D, work_groups, 2),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D, work_groups, 3),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_CUDA_ASYNC_BARRIER, constant4, PI_FALSE),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT, bindless),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SHARED_USM_SUPPORT, bindless),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_1D_USM_SUPPORT, bindless),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_2D_USM_SUPPORT, bindless),
    TEXT(EXT_ONEAPI_DEVICE_INFO_IMAGE_PITCH_ALIGN, no_answer, NO_QUERY),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_WIDTH, bindless_limit, 0),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_HEIGHT, bindless_limit, 1),
    TEXT(EXT_ONEAPI_DEVICE_INFO_MAX_IMAGE_LINEAR_PITCH, no_answer, NO_QUERY),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MIPMAP_SUPPORT, constant4, PI_FALSE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MIPMAP_ANISOTROPY_SUPPORT, constant4, PI_FALSE),
    TEXT(EXT_ONEAPI_DEVICE_INFO_MIPMAP_MAX_ANISOTROPY, no_answer, "Level Zero has no mipmaps"),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_MIPMAP_LEVEL_REFERENCE_SUPPORT, constant4, PI_FALSE),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_IMPORT_SUPPORT, imports_memory),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_INTEROP_MEMORY_EXPORT_SUPPORT, constant4, PI_FALSE),
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_IMPORT_SUPPORT, imports_semaphores),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_INTEROP_SEMAPHORE_EXPORT_SUPPORT, constant4, PI_FALSE),
    TEXT(EXT_ONEAPI_DEVICE_INFO_MATRIX_COMBINATIONS, no_answer, NO_QUERY),
    /* Level Zero makes composite devices of the roots it has taken apart; here roots are whole. */
    FUNCTION(EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES, no_devices),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_COMPOSITE_DEVICE, constant8, 0),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SUPPORT, constant4, PI_FALSE),
    NUMBER(EXT_ONEAPI_DEVICE_INFO_CUBEMAP_SEAMLESS_FILTERING_SUPPORT, constant4, PI_FALSE),
};

pi_result device_answer(pi_device device, pi_device_info query, const pi_answer *answer) {
  for (size_t i = 0; i < sizeof device_queries / sizeof device_queries[0]; i++)
    if (device_queries[i].name == query)
      return device_queries[i].answer(device, &device_queries[i], answer);
  return pi_answer_unknown("pi_device_info", query);
}

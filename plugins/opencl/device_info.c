/*
 * piDeviceGetInfo. A query that OpenCL also has keeps its number in PI; the driver's answer is
 * passed on, in the form that pi_enums.def declares. A table has all other queries. If a query
 * needs an extension or version that the driver lacks, or has no answer at all, the error says so.
 */
#include "checks.h"
#include "device.h"

#include "../base/names.h"
#include "../objects/device_form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct device_query device_query;

/* Answers one row of the table for a device. */
typedef pi_result device_answer(cl_device_id device, const device_query *query,
                                const info_answer *answer);

struct device_query {
  device_answer *answer;
  const char *reason; /* message of no_answer: why there is none */
  pi_device_info name;
  cl_device_info source; /* OpenCL's query that the answer needs, or 0 */
};

/*
 * Asks the driver; *size receives the bytes of the answer. PI_ERROR_INVALID_VALUE with a message
 * that names PI's query: the driver does not know the query.
 */
static pi_result ask_driver(cl_device_id device, const device_query *query, size_t capacity,
                            void *value, size_t *size) {
  const cl_int code = cl.GetDeviceInfo(device, query->source, capacity, value, size);
  REQUIRE(code != CL_INVALID_VALUE, PI_ERROR_INVALID_VALUE,
          "%s is not answered here: the device's driver does not know it",
          enumerator_name("pi_device_info", query->name));
  return cl_result(code, "clGetDeviceInfo");
}

/* Answers with a 64-bit number; 0 if the driver does not know the query, as it then lacks the
 * ability. */
static pi_result bytes8_or_0(cl_device_id device, const device_query *query,
                             const info_answer *answer) {
  cl_ulong value = 0;
  const cl_int code = cl.GetDeviceInfo(device, query->source, sizeof value, &value, NULL);
  if (code == CL_INVALID_VALUE)
    return answer_uint64(answer, 0);
  TRY(cl_result(code, "clGetDeviceInfo"));
  return answer_uint64(answer, value);
}

/* Returns a text or an array of the driver, which the caller frees with free. */
static pi_result ask_list(cl_device_id device, const device_query *query, void **ret,
                          size_t *size) {
  TRY(ask_driver(device, query, 0, NULL, size));
  void *value = calloc(*size + 1, 1);
  REQUIRE_MEMORY(value, "%zu bytes of %s", *size, enumerator_name("pi_device_info", query->name));
  const pi_result result = ask_driver(device, query, *size, value, NULL);
  if (result == PI_SUCCESS)
    *ret = value;
  else
    free(value);
  return result;
}

static pi_result list(cl_device_id device, const device_query *query, const info_answer *answer) {
  void *value;
  size_t size;
  TRY(ask_list(device, query, &value, &size));
  const pi_result result = answer_bytes(answer, value, size);
  free(value);
  return result;
}

/* Answers with a list of the driver; an empty one if the driver does not know the query. */
static pi_result list_or_empty(cl_device_id device, const device_query *query,
                               const info_answer *answer) {
  size_t size;
  const cl_int code = cl.GetDeviceInfo(device, query->source, 0, NULL, &size);
  if (code == CL_INVALID_VALUE)
    return answer_bytes(answer, NULL, 0);
  TRY(cl_result(code, "clGetDeviceInfo"));
  return list(device, query, answer);
}

static pi_result extensions(cl_device_id device, const device_query *query,
                            const info_answer *answer) {
  void *driver;
  size_t driver_size;
  TRY(ask_list(device, query, &driver, &driver_size));
  const char *added = OPENCL_ADDED_EXTENSIONS;
  if (*(const char *)driver == '\0')
    added++; /* skips the blank after the driver's names, as there are none */
  const size_t size = strlen(driver) + strlen(added) + 1;
  char *text = malloc(size);
  pi_result result;
  if (text) {
    snprintf(text, size, "%s%s", (const char *)driver, added);
    result = answer_bytes(answer, text, size);
  } else {
    result = plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of extension names",
                          size);
  }
  free(text);
  free(driver);
  return result;
}

/* Removes the bit that OpenCL adds for the platform's default device; PI has one bit per device. */
static pi_result type(cl_device_id device, const device_query *query, const info_answer *answer) {
  cl_device_type value;
  TRY(ask_driver(device, query, sizeof value, &value, NULL));
  return answer_uint64(answer, value & ~(cl_device_type)CL_DEVICE_TYPE_DEFAULT);
}

/*
 * Answers with the ways to partition that PI also has; drivers list others, too, such as Intel's
 * partition by names. If there are none, the list has one 0. Incomplete entries are ignored,
 * because Intel's CPU driver answers with 4 bytes for a sub-device of one compute unit.
 */
static pi_result partition_properties(cl_device_id device, const device_query *query,
                                      const info_answer *answer) {
  void *driver;
  size_t size;
  TRY(ask_list(device, query, &driver, &size));
  pi_device_partition_property known[4] = {0};
  size_t count = 0;
  for (size_t i = 0; i < size / sizeof known[0] && count < 4; i++) {
    pi_device_partition_property property;
    memcpy(&property, (char *)driver + i * sizeof property, sizeof property);
    if (property == PI_DEVICE_PARTITION_EQUALLY || property == PI_DEVICE_PARTITION_BY_COUNTS ||
        property == PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN)
      known[count++] = property;
  }
  free(driver);
  return answer_bytes(answer, known, (count ? count : 1) * sizeof known[0]);
}

/* Answers with at least one entry, because PI's callers read the first one. For a root device,
 * drivers return one 0 or nothing. */
static pi_result partition_type(cl_device_id device, const device_query *query,
                                const info_answer *answer) {
  void *driver;
  size_t size;
  TRY(ask_list(device, query, &driver, &size));
  const pi_device_partition_property none = 0;
  const pi_result result = size < sizeof none ? answer_bytes(answer, &none, sizeof none)
                                              : answer_bytes(answer, driver, size);
  free(driver);
  return result;
}

/* Asks the driver about a GPU. Refuses CPUs, for which cl_intel_device_attribute_query returns
 * meaningless numbers. */
static pi_result ask_gpu(cl_device_id device, const device_query *query, cl_device_info source,
                         cl_uint *value) {
  cl_device_type device_type;
  TRY(CL_GET(Device, device, CL_DEVICE_TYPE, &device_type));
  REQUIRE(device_type & CL_DEVICE_TYPE_GPU, PI_ERROR_INVALID_VALUE,
          "%s is not answered here: the device is no GPU",
          enumerator_name("pi_device_info", query->name));
  const device_query part = {query->answer, NULL, query->name, source};
  return ask_driver(device, &part, sizeof *value, value, NULL);
}

static pi_result gpu(cl_device_id device, const device_query *query, const info_answer *answer) {
  cl_uint value;
  TRY(ask_gpu(device, query, query->source, &value));
  return answer_uint32(answer, value);
}

static pi_result gpu_eu_count(cl_device_id device, const device_query *query,
                              const info_answer *answer) {
  cl_uint slices;
  cl_uint sub_slices;
  cl_uint units;
  TRY(ask_gpu(device, query, CL_DEVICE_NUM_SLICES_INTEL, &slices));
  TRY(ask_gpu(device, query, CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL, &sub_slices));
  TRY(ask_gpu(device, query, CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL, &units));
  return answer_uint32(answer, slices * sub_slices * units);
}

static pi_result pci_address(cl_device_id device, const device_query *query,
                             const info_answer *answer) {
  cl_device_pci_bus_info_khr bus;
  TRY(ask_driver(device, query, sizeof bus, &bus, NULL));
  char text[48];
  snprintf(text, sizeof text, "%04x:%02x:%02x.%x", bus.pci_domain, bus.pci_bus, bus.pci_device,
           bus.pci_function);
  return answer_text(answer, text);
}

/* Answers with the OpenCL version, as in "3.0". */
static pi_result backend_version(cl_device_id device, const device_query *query,
                                 const info_answer *answer) {
  (void)query;
  unsigned version;
  TRY(opencl_device_version(device, &version));
  char text[16];
  snprintf(text, sizeof text, "%u.%u", version / 100, version / 10 % 10);
  return answer_text(answer, text);
}

/* Answers whether the device has images and OpenCL 2.0, where images include reading sRGB. */
static pi_result image_srgb(cl_device_id device, const device_query *query,
                            const info_answer *answer) {
  cl_bool images;
  unsigned version;
  TRY(ask_driver(device, query, sizeof images, &images, NULL));
  TRY(opencl_device_version(device, &version));
  return answer_bool(answer, images && version >= 200);
}

/*
 * Answers whether programs for a sub-device must be built on the sub-device. GPU drivers need that;
 * on other devices a program of the root device also works on its sub-devices.
 */
static pi_result build_on_subdevice(cl_device_id device, const device_query *query,
                                    const info_answer *answer) {
  cl_device_type value;
  TRY(ask_driver(device, query, sizeof value, &value, NULL));
  return answer_bool(answer, (value & CL_DEVICE_TYPE_GPU) != 0);
}

static pi_result atomic_64(cl_device_id device, const device_query *query,
                           const info_answer *answer) {
  (void)query;
  bool base;
  bool extended = false;
  TRY(opencl_device_has_extension(device, "cl_khr_int64_base_atomics", &base));
  if (base)
    TRY(opencl_device_has_extension(device, "cl_khr_int64_extended_atomics", &extended));
  return answer_bool(answer, extended);
}

static pi_result mem_channel(cl_device_id device, const device_query *query,
                             const info_answer *answer) {
  (void)query;
  bool has;
  TRY(opencl_device_has_extension(device, "cl_intel_mem_channel_property", &has));
  return answer_bool(answer, has);
}

/* Answers whether the device is an Intel GPU: only those run explicit SIMD kernels, and OpenCL has
 * no query for that. */
static pi_result esimd(cl_device_id device, const device_query *query, const info_answer *answer) {
  (void)query;
  enum { VENDOR_INTEL = 0x8086 };
  cl_device_type device_type;
  cl_uint vendor;
  TRY(CL_GET(Device, device, CL_DEVICE_TYPE, &device_type));
  TRY(CL_GET(Device, device, CL_DEVICE_VENDOR_ID, &vendor));
  return answer_bool(answer, (device_type & CL_DEVICE_TYPE_GPU) && vendor == VENDOR_INTEL);
}

static pi_result atomics(cl_device_id device, const device_query *query,
                         const info_answer *answer) {
  pi_uint64 value;
  TRY(opencl_device_atomics(device, query->name, &value));
  return answer_uint64(answer, value);
}

/* Answers with the device's largest size_t, OpenCL's only limit of the number of work-groups. */
static pi_result max_work_groups(cl_device_id device, const device_query *query,
                                 const info_answer *answer) {
  cl_uint bits;
  TRY(ask_driver(device, query, sizeof bits, &bits, NULL));
  const size_t limit = bits >= 64 ? SIZE_MAX : UINT32_MAX;
  const size_t limits[3] = {limit, limit, limit};
  const size_t dimensions = query->name == PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D   ? 3
                            : query->name == PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D ? 2
                                                                                          : 1;
  return answer_bytes(answer, limits, dimensions * sizeof limit);
}

/* Answers with the number of queue indexes, which is 1 for every OpenCL device. */
static pi_result one(cl_device_id device, const device_query *query, const info_answer *answer) {
  (void)device;
  (void)query;
  return answer_uint32(answer, 1);
}

/* Answers false, an empty list or NULL for an ability that OpenCL does not have. */
static pi_result no(cl_device_id device, const device_query *query, const info_answer *answer) {
  (void)device;
  const device_value none = {.number = 0};
  device_form form;
  return device_form_of(query->name, &form) ? device_give(&none, form, answer)
                                            : answer_unknown("pi_device_info", query->name);
}

static pi_result no_answer(cl_device_id device, const device_query *query,
                           const info_answer *answer) {
  (void)device;
  (void)answer;
  return answer_unsupported("pi_device_info", query->name, query->reason);
}

#define NO_QUERY "OpenCL has no query for it"
#define NO_BINDLESS "OpenCL has no bindless images"
/* A query with the same number in PI and OpenCL. */
#define SAME(name, form)                                                                           \
  { form, NULL, PI_DEVICE_INFO_##name, PI_DEVICE_INFO_##name }
#define OWN(name, form, source)                                                                    \
  { form, NULL, PI_DEVICE_INFO_##name, source }
#define ONEAPI(name, form, source, reason)                                                         \
  { form, reason, PI_EXT_ONEAPI_DEVICE_INFO_##name, source }
#define ATOMICS(name)                                                                              \
  { atomics, NULL, PI_EXT_DEVICE_INFO_ATOMIC_##name##_CAPABILITIES, 0 }

static const device_query device_queries[] = {
    SAME(TYPE, type),
    SAME(DOUBLE_FP_CONFIG, bytes8_or_0),
    SAME(HALF_FP_CONFIG, bytes8_or_0),
    SAME(QUEUE_ON_DEVICE_PROPERTIES, bytes8_or_0),
    SAME(EXTENSIONS, extensions),
    SAME(PARTITION_PROPERTIES, partition_properties),
    SAME(PARTITION_TYPE, partition_type),
    SAME(SUB_GROUP_SIZES_INTEL, list_or_empty),
    SAME(USM_HOST_SUPPORT, bytes8_or_0),
    SAME(USM_DEVICE_SUPPORT, bytes8_or_0),
    SAME(USM_SINGLE_SHARED_SUPPORT, bytes8_or_0),
    SAME(USM_CROSS_SHARED_SUPPORT, bytes8_or_0),
    SAME(USM_SYSTEM_SHARED_SUPPORT, bytes8_or_0),
    OWN(PCI_ADDRESS, pci_address, CL_DEVICE_PCI_BUS_INFO_KHR),
    OWN(GPU_EU_COUNT, gpu_eu_count, 0),
    OWN(GPU_SLICES, gpu, CL_DEVICE_NUM_SLICES_INTEL),
    OWN(GPU_SUBSLICES_PER_SLICE, gpu, CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL),
    OWN(GPU_EU_COUNT_PER_SUBSLICE, gpu, CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL),
    OWN(GPU_HW_THREADS_PER_EU, gpu, CL_DEVICE_NUM_THREADS_PER_EU_INTEL),
    OWN(IMAGE_SRGB, image_srgb, CL_DEVICE_IMAGE_SUPPORT),
    OWN(BUILD_ON_SUBDEVICE, build_on_subdevice, CL_DEVICE_TYPE),
    OWN(ATOMIC_64, atomic_64, 0),
    OWN(BACKEND_VERSION, backend_version, 0),
    {no_answer, NO_QUERY, PI_DEVICE_INFO_GPU_EU_SIMD_WIDTH, 0},
    {no_answer, NO_QUERY, PI_DEVICE_INFO_MAX_MEM_BANDWIDTH, 0},
    {no_answer, NO_QUERY, PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY, 0},
    {no_answer, NO_QUERY, PI_EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE, 0},
    {no_answer, NO_QUERY, PI_EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH, 0},
    {one, NULL, PI_EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES, 0},
    {mem_channel, NULL, PI_EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT, 0},
    {esimd, NULL, PI_EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT, 0},
    {no, NULL, PI_EXT_CODEPLAY_DEVICE_INFO_SUPPORTS_FUSION, 0},
    {no_answer, NO_QUERY, PI_EXT_CODEPLAY_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP, 0},
    ATOMICS(MEMORY_ORDER),
    ATOMICS(MEMORY_SCOPE),
    ATOMICS(FENCE_ORDER),
    ATOMICS(FENCE_SCOPE),
    ONEAPI(BFLOAT16_MATH_FUNCTIONS, no, 0, NULL),
    ONEAPI(MAX_GLOBAL_WORK_GROUPS, max_work_groups, CL_DEVICE_ADDRESS_BITS, NULL),
    ONEAPI(MAX_WORK_GROUPS_1D, max_work_groups, CL_DEVICE_ADDRESS_BITS, NULL),
    ONEAPI(MAX_WORK_GROUPS_2D, max_work_groups, CL_DEVICE_ADDRESS_BITS, NULL),
    ONEAPI(MAX_WORK_GROUPS_3D, max_work_groups, CL_DEVICE_ADDRESS_BITS, NULL),
    ONEAPI(CUDA_ASYNC_BARRIER, no, 0, NULL),
    ONEAPI(BINDLESS_IMAGES_SUPPORT, no, 0, NULL),
    ONEAPI(BINDLESS_IMAGES_SHARED_USM_SUPPORT, no, 0, NULL),
    ONEAPI(BINDLESS_IMAGES_1D_USM_SUPPORT, no, 0, NULL),
    ONEAPI(BINDLESS_IMAGES_2D_USM_SUPPORT, no, 0, NULL),
    ONEAPI(IMAGE_PITCH_ALIGN, no_answer, 0, NO_BINDLESS),
    ONEAPI(MAX_IMAGE_LINEAR_WIDTH, no_answer, 0, NO_BINDLESS),
    ONEAPI(MAX_IMAGE_LINEAR_HEIGHT, no_answer, 0, NO_BINDLESS),
    ONEAPI(MAX_IMAGE_LINEAR_PITCH, no_answer, 0, NO_BINDLESS),
    ONEAPI(MIPMAP_SUPPORT, no, 0, NULL),
    ONEAPI(MIPMAP_ANISOTROPY_SUPPORT, no, 0, NULL),
    ONEAPI(MIPMAP_MAX_ANISOTROPY, no_answer, 0, NO_BINDLESS),
    ONEAPI(MIPMAP_LEVEL_REFERENCE_SUPPORT, no, 0, NULL),
    ONEAPI(INTEROP_MEMORY_IMPORT_SUPPORT, no, 0, NULL),
    ONEAPI(INTEROP_MEMORY_EXPORT_SUPPORT, no, 0, NULL),
    ONEAPI(INTEROP_SEMAPHORE_IMPORT_SUPPORT, no, 0, NULL),
    ONEAPI(INTEROP_SEMAPHORE_EXPORT_SUPPORT, no, 0, NULL),
    ONEAPI(MATRIX_COMBINATIONS, no_answer, 0, NO_QUERY),
    ONEAPI(COMPONENT_DEVICES, no, 0, NULL),
    ONEAPI(COMPOSITE_DEVICE, no, 0, NULL),
    ONEAPI(CUBEMAP_SUPPORT, no, 0, NULL),
    ONEAPI(CUBEMAP_SEAMLESS_FILTERING_SUPPORT, no, 0, NULL),
};

/* Passes on the driver's answer. Numbers, booleans and handles have the same 4 or 8 bytes in both
 * interfaces; all other forms are lists. */
static pi_result pass_on(cl_device_id device, const device_query *query, device_form form,
                         const info_answer *answer) {
  cl_uint number = 0;
  cl_ulong long_number = 0;
  switch (form) {
  case FORM_UINT32:
  case FORM_BOOL:
    TRY(ask_driver(device, query, sizeof number, &number, NULL));
    return answer_uint32(answer, number);
  case FORM_UINT64:
  case FORM_BITS64:
  case FORM_SIZE:
  case FORM_HANDLE:
    TRY(ask_driver(device, query, sizeof long_number, &long_number, NULL));
    return answer_uint64(answer, long_number);
  default:
    return list(device, query, answer);
  }
}

pi_result piDeviceGetInfo(pi_device device, pi_device_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_DEVICE(device);
  TRY(answer_check(&answer));
  const cl_device_id asked = cl_from_device(device);
  for (size_t i = 0; i < sizeof device_queries / sizeof device_queries[0]; i++)
    if (device_queries[i].name == param_name)
      return device_queries[i].answer(asked, &device_queries[i], &answer);
  device_form form;
  if (!device_form_of(param_name, &form))
    return answer_unknown("pi_device_info", param_name);
  const device_query same = {NULL, NULL, param_name, (cl_device_info)param_name};
  return pass_on(asked, &same, form, &answer);
}

/*
 * UR's answers about devices. Some lists map UR's queries to PI's, with the form of UR's answer;
 * another list has the answers to queries that PI does not have.
 */
#include "../plugins/objects/device.h"
#include "../plugins/objects/driver.h"
#include "handles.h"
#include "reply.h"
#include "table.h"

#include <string.h>

/* X(query, form): queries of the same name in UR and PI, and the form of UR's answer. */
#define SAME_QUERIES(X)                                                                            \
  X(TYPE, TYPE)                                                                                    \
  X(VENDOR_ID, UINT32)                                                                             \
  X(DEVICE_ID, UINT32)                                                                             \
  X(MAX_COMPUTE_UNITS, UINT32)                                                                     \
  X(MAX_WORK_ITEM_DIMENSIONS, UINT32)                                                              \
  X(MAX_WORK_ITEM_SIZES, SIZES)                                                                    \
  X(MAX_WORK_GROUP_SIZE, SIZE)                                                                     \
  X(SINGLE_FP_CONFIG, FP)                                                                          \
  X(HALF_FP_CONFIG, FP)                                                                            \
  X(DOUBLE_FP_CONFIG, FP)                                                                          \
  X(QUEUE_PROPERTIES, FLAGS)                                                                       \
  X(PREFERRED_VECTOR_WIDTH_CHAR, UINT32)                                                           \
  X(PREFERRED_VECTOR_WIDTH_SHORT, UINT32)                                                          \
  X(PREFERRED_VECTOR_WIDTH_INT, UINT32)                                                            \
  X(PREFERRED_VECTOR_WIDTH_LONG, UINT32)                                                           \
  X(PREFERRED_VECTOR_WIDTH_FLOAT, UINT32)                                                          \
  X(PREFERRED_VECTOR_WIDTH_DOUBLE, UINT32)                                                         \
  X(PREFERRED_VECTOR_WIDTH_HALF, UINT32)                                                           \
  X(NATIVE_VECTOR_WIDTH_CHAR, UINT32)                                                              \
  X(NATIVE_VECTOR_WIDTH_SHORT, UINT32)                                                             \
  X(NATIVE_VECTOR_WIDTH_INT, UINT32)                                                               \
  X(NATIVE_VECTOR_WIDTH_LONG, UINT32)                                                              \
  X(NATIVE_VECTOR_WIDTH_FLOAT, UINT32)                                                             \
  X(NATIVE_VECTOR_WIDTH_DOUBLE, UINT32)                                                            \
  X(NATIVE_VECTOR_WIDTH_HALF, UINT32)                                                              \
  X(MAX_CLOCK_FREQUENCY, UINT32)                                                                   \
  X(ADDRESS_BITS, UINT32)                                                                          \
  X(MAX_MEM_ALLOC_SIZE, UINT64)                                                                    \
  X(IMAGE_SUPPORT, BOOL)                                                                           \
  X(MAX_READ_IMAGE_ARGS, UINT32)                                                                   \
  X(MAX_WRITE_IMAGE_ARGS, UINT32)                                                                  \
  X(IMAGE2D_MAX_WIDTH, SIZE)                                                                       \
  X(IMAGE2D_MAX_HEIGHT, SIZE)                                                                      \
  X(IMAGE3D_MAX_WIDTH, SIZE)                                                                       \
  X(IMAGE3D_MAX_HEIGHT, SIZE)                                                                      \
  X(IMAGE3D_MAX_DEPTH, SIZE)                                                                       \
  X(IMAGE_MAX_BUFFER_SIZE, SIZE)                                                                   \
  X(IMAGE_MAX_ARRAY_SIZE, SIZE)                                                                    \
  X(MAX_SAMPLERS, UINT32)                                                                          \
  X(MAX_PARAMETER_SIZE, SIZE)                                                                      \
  X(MEM_BASE_ADDR_ALIGN, UINT32)                                                                   \
  X(GLOBAL_MEM_CACHE_TYPE, UINT32)                                                                 \
  X(GLOBAL_MEM_CACHELINE_SIZE, UINT32)                                                             \
  X(GLOBAL_MEM_CACHE_SIZE, UINT64)                                                                 \
  X(GLOBAL_MEM_SIZE, UINT64)                                                                       \
  X(MAX_CONSTANT_BUFFER_SIZE, UINT64)                                                              \
  X(MAX_CONSTANT_ARGS, UINT32)                                                                     \
  X(LOCAL_MEM_TYPE, UINT32)                                                                        \
  X(LOCAL_MEM_SIZE, UINT64)                                                                        \
  X(ERROR_CORRECTION_SUPPORT, BOOL)                                                                \
  X(HOST_UNIFIED_MEMORY, BOOL)                                                                     \
  X(PROFILING_TIMER_RESOLUTION, SIZE)                                                              \
  X(ENDIAN_LITTLE, BOOL)                                                                           \
  X(AVAILABLE, BOOL)                                                                               \
  X(COMPILER_AVAILABLE, BOOL)                                                                      \
  X(LINKER_AVAILABLE, BOOL)                                                                        \
  X(EXECUTION_CAPABILITIES, FLAGS)                                                                 \
  X(QUEUE_ON_DEVICE_PROPERTIES, FLAGS)                                                             \
  X(QUEUE_ON_HOST_PROPERTIES, FLAGS)                                                               \
  X(BUILT_IN_KERNELS, TEXT)                                                                        \
  X(PLATFORM, HANDLE)                                                                              \
  X(REFERENCE_COUNT, UINT32)                                                                       \
  X(IL_VERSION, TEXT)                                                                              \
  X(NAME, TEXT)                                                                                    \
  X(VENDOR, TEXT)                                                                                  \
  X(DRIVER_VERSION, TEXT)                                                                          \
  X(PROFILE, TEXT)                                                                                 \
  X(VERSION, TEXT)                                                                                 \
  X(EXTENSIONS, TEXT)                                                                              \
  X(PRINTF_BUFFER_SIZE, SIZE)                                                                      \
  X(PREFERRED_INTEROP_USER_SYNC, BOOL)                                                             \
  X(PARENT_DEVICE, HANDLE)                                                                         \
  X(PARTITION_MAX_SUB_DEVICES, UINT32)                                                             \
  X(PARTITION_AFFINITY_DOMAIN, FLAGS)                                                              \
  X(PARTITION_TYPE, PARTITION)                                                                     \
  X(MAX_NUM_SUB_GROUPS, UINT32)                                                                    \
  X(SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, BOOL)                                                  \
  X(SUB_GROUP_SIZES_INTEL, UINT32S)                                                                \
  X(USM_HOST_SUPPORT, FLAGS)                                                                       \
  X(USM_DEVICE_SUPPORT, FLAGS)                                                                     \
  X(USM_SINGLE_SHARED_SUPPORT, FLAGS)                                                              \
  X(USM_CROSS_SHARED_SUPPORT, FLAGS)                                                               \
  X(USM_SYSTEM_SHARED_SUPPORT, FLAGS)                                                              \
  X(UUID, BYTES16)                                                                                 \
  X(PCI_ADDRESS, TEXT)                                                                             \
  X(GPU_EU_COUNT, UINT32)                                                                          \
  X(GPU_EU_SIMD_WIDTH, UINT32)                                                                     \
  X(GPU_EU_COUNT_PER_SUBSLICE, UINT32)                                                             \
  X(GPU_SUBSLICES_PER_SLICE, UINT32)                                                               \
  X(GPU_HW_THREADS_PER_EU, UINT32)                                                                 \
  X(IMAGE_SRGB, BOOL)                                                                              \
  X(BUILD_ON_SUBDEVICE, BOOL)                                                                      \
  X(ATOMIC_64, BOOL)

/* X(query, PI's name of it, form) */
#define OTHER_QUERIES(X)                                                                           \
  X(GLOBAL_MEM_FREE, EXT_INTEL_DEVICE_INFO_FREE_MEMORY, UINT64)                                    \
  X(MEMORY_CLOCK_RATE, EXT_INTEL_DEVICE_INFO_MEMORY_CLOCK_RATE, UINT32)                            \
  X(MEMORY_BUS_WIDTH, EXT_INTEL_DEVICE_INFO_MEMORY_BUS_WIDTH, UINT32)                              \
  /* Early headers specify four bytes, but runtimes ask for eight. */                              \
  X(MAX_MEMORY_BANDWIDTH, DEVICE_INFO_MAX_MEM_BANDWIDTH, UINT64)                                   \
  X(BACKEND_RUNTIME_VERSION, DEVICE_INFO_BACKEND_VERSION, TEXT)                                    \
  X(GPU_EU_SLICES, DEVICE_INFO_GPU_SLICES, UINT32)                                                 \
  X(SUPPORTED_PARTITIONS, DEVICE_INFO_PARTITION_PROPERTIES, UINT32S)                               \
  X(ATOMIC_MEMORY_ORDER_CAPABILITIES, EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES, FLAGS)     \
  X(ATOMIC_MEMORY_SCOPE_CAPABILITIES, EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES, FLAGS)     \
  X(ATOMIC_FENCE_ORDER_CAPABILITIES, EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES, FLAGS)       \
  X(ATOMIC_FENCE_SCOPE_CAPABILITIES, EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES, FLAGS)       \
  X(BFLOAT16, EXT_ONEAPI_DEVICE_INFO_BFLOAT16_MATH_FUNCTIONS, BOOL)                                \
  X(MAX_COMPUTE_QUEUE_INDICES, EXT_INTEL_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES, UINT32)            \
  X(MAX_WORK_GROUPS_3D, EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D, SIZES)                          \
  X(ASYNC_BARRIER, EXT_ONEAPI_DEVICE_INFO_CUDA_ASYNC_BARRIER, BOOL)                                \
  X(MEM_CHANNEL_SUPPORT, EXT_INTEL_DEVICE_INFO_MEM_CHANNEL_SUPPORT, BOOL)                          \
  X(MAX_REGISTERS_PER_WORK_GROUP, EXT_CODEPLAY_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP, UINT32)   \
  X(IP_VERSION, EXT_ONEAPI_DEVICE_INFO_IP_VERSION, UINT32)                                         \
  X(ESIMD_SUPPORT, EXT_INTEL_DEVICE_INFO_ESIMD_SUPPORT, BOOL)                                      \
  X(COMPONENT_DEVICES, EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES, SIZES)                            \
  X(COMPOSITE_DEVICE, EXT_ONEAPI_DEVICE_INFO_COMPOSITE_DEVICE, HANDLE)                             \
  X(NUM_COMPUTE_UNITS, DEVICE_INFO_MAX_COMPUTE_UNITS, UINT32)                                      \
  X(PREFERRED_VECTOR_WIDTH_LONG_LONG, DEVICE_INFO_PREFERRED_VECTOR_WIDTH_LONG, UINT32)             \
  X(NATIVE_VECTOR_WIDTH_LONG_LONG, DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG, UINT32)                   \
  X(IS_INTEGRATED_GPU, DEVICE_INFO_HOST_UNIFIED_MEMORY, BOOL)

/*
 * X(query, form, number): the answers to queries that PI does not have. The answer is "no" where
 * the entries return UR_RESULT_ERROR_UNSUPPORTED_FEATURE, or where kernels cannot use the feature.
 */
#define OWN_QUERIES(X)                                                                             \
  X(MAX_READ_WRITE_IMAGE_ARGS, UINT32, 0)                                                          \
  /* Constants can be set in a program before the build, not in a built kernel. */                 \
  X(PROGRAM_SET_SPECIALIZATION_CONSTANTS, BOOL, true)                                              \
  X(KERNEL_SET_SPECIALIZATION_CONSTANTS, BOOL, false)                                              \
  X(GLOBAL_VARIABLE_SUPPORT, BOOL, true)                                                           \
  X(HOST_PIPE_READ_WRITE_SUPPORT, BOOL, false)                                                     \
  X(USM_POOL_SUPPORT, BOOL, true)                                                                  \
  /* This needs instructions of SPIR-V that the compilers here do not know. */                     \
  X(BFLOAT16_CONVERSIONS_NATIVE, BOOL, false)                                                      \
  X(KERNEL_LAUNCH_CAPABILITIES, FLAGS, UR_KERNEL_LAUNCH_PROPERTIES_FLAG_COOPERATIVE)               \
  X(COMMAND_BUFFER_SUPPORT_EXP, BOOL, true)                                                        \
  X(COMMAND_BUFFER_EVENT_SUPPORT_EXP, BOOL, false)                                                 \
  X(COMMAND_BUFFER_SUBGRAPH_SUPPORT_EXP, BOOL, false)                                              \
  X(CLUSTER_LAUNCH_EXP, BOOL, false)                                                               \
  X(TIMESTAMP_RECORDING_SUPPORT_EXP, BOOL, true)                                                   \
  X(ENQUEUE_NATIVE_COMMAND_SUPPORT_EXP, BOOL, true)                                                \
  X(LOW_POWER_EVENTS_SUPPORT_EXP, BOOL, false)                                                     \
  X(2D_BLOCK_ARRAY_CAPABILITIES_EXP, FLAGS, 0)                                                     \
  X(IPC_MEMORY_SUPPORT_EXP, BOOL, false)                                                           \
  X(IPC_PHYSICAL_MEMORY_SUPPORT_EXP, BOOL, false)                                                  \
  X(REUSABLE_EVENTS_SUPPORT_EXP, BOOL, false)                                                      \
  X(IPC_EVENT_SUPPORT_EXP, BOOL, false)                                                            \
  X(ASYNC_USM_ALLOCATIONS_SUPPORT_EXP, BOOL, true)                                                 \
  X(CLOCK_SUB_GROUP_SUPPORT_EXP, BOOL, false)                                                      \
  X(CLOCK_WORK_GROUP_SUPPORT_EXP, BOOL, false)                                                     \
  X(CLOCK_DEVICE_SUPPORT_EXP, BOOL, false)                                                         \
  X(GRAPH_RECORD_AND_REPLAY_SUPPORT_EXP, BOOL, false)                                              \
  X(USM_HOST_ALLOC_REGISTER_SUPPORT_EXP, BOOL, false)                                              \
  X(PER_EVENT_PROFILING_SUPPORT_EXP, BOOL, false)                                                  \
  X(LAUNCH_PROPERTIES_SUPPORT_EXP, BOOL, true)                                                     \
  X(USM_P2P_SUPPORT_EXP, BOOL, true)                                                               \
  X(COOPERATIVE_KERNEL_SUPPORT_EXP, BOOL, true)                                                    \
  X(MULTI_DEVICE_COMPILE_SUPPORT_EXP, BOOL, true)                                                  \
  X(DEVICE_WAIT_SUPPORT_EXP, BOOL, false)                                                          \
  X(DYNAMIC_LINK_SUPPORT_EXP, BOOL, false)                                                         \
  X(USM_CONTEXT_MEMCPY_SUPPORT_EXP, BOOL, true)                                                    \
  X(MEMORY_EXPORT_EXPORTABLE_DEVICE_MEM_EXP, BOOL, false)                                          \
  X(ENQUEUE_HOST_TASK_SUPPORT_EXP, BOOL, false)                                                    \
  /* Bindless images. */                                                                           \
  X(BINDLESS_IMAGES_SUPPORT_EXP, BOOL, false)                                                      \
  X(BINDLESS_IMAGES_SHARED_USM_SUPPORT_EXP, BOOL, false)                                           \
  X(BINDLESS_IMAGES_1D_USM_SUPPORT_EXP, BOOL, false)                                               \
  X(BINDLESS_IMAGES_2D_USM_SUPPORT_EXP, BOOL, false)                                               \
  X(IMAGE_PITCH_ALIGN_EXP, UINT32, 0)                                                              \
  X(MAX_IMAGE_LINEAR_WIDTH_EXP, SIZE, 0)                                                           \
  X(MAX_IMAGE_LINEAR_HEIGHT_EXP, SIZE, 0)                                                          \
  X(MAX_IMAGE_LINEAR_PITCH_EXP, SIZE, 0)                                                           \
  X(MIPMAP_SUPPORT_EXP, BOOL, false)                                                               \
  X(MIPMAP_ANISOTROPY_SUPPORT_EXP, BOOL, false)                                                    \
  X(MIPMAP_MAX_ANISOTROPY_EXP, UINT32, 0)                                                          \
  X(MIPMAP_LEVEL_REFERENCE_SUPPORT_EXP, BOOL, false)                                               \
  X(EXTERNAL_MEMORY_IMPORT_SUPPORT_EXP, BOOL, false)                                               \
  X(EXTERNAL_SEMAPHORE_IMPORT_SUPPORT_EXP, BOOL, false)                                            \
  X(CUBEMAP_SUPPORT_EXP, BOOL, false)                                                              \
  X(CUBEMAP_SEAMLESS_FILTERING_SUPPORT_EXP, BOOL, false)                                           \
  X(BINDLESS_SAMPLED_IMAGE_FETCH_1D_USM_SUPPORT_EXP, BOOL, false)                                  \
  X(BINDLESS_SAMPLED_IMAGE_FETCH_1D_SUPPORT_EXP, BOOL, false)                                      \
  X(BINDLESS_SAMPLED_IMAGE_FETCH_2D_USM_SUPPORT_EXP, BOOL, false)                                  \
  X(BINDLESS_SAMPLED_IMAGE_FETCH_2D_SUPPORT_EXP, BOOL, false)                                      \
  X(BINDLESS_SAMPLED_IMAGE_FETCH_3D_SUPPORT_EXP, BOOL, false)                                      \
  X(IMAGE_ARRAY_SUPPORT_EXP, BOOL, false)                                                          \
  X(BINDLESS_UNIQUE_ADDRESSING_PER_DIM_SUPPORT_EXP, BOOL, false)                                   \
  X(BINDLESS_SAMPLE_1D_USM_SUPPORT_EXP, BOOL, false)                                               \
  X(BINDLESS_SAMPLE_2D_USM_SUPPORT_EXP, BOOL, false)                                               \
  X(BINDLESS_IMAGES_GATHER_SUPPORT_EXP, BOOL, false)

/* X(query): queries that no driver here can answer. */
#define UNTOLD "the driver does not tell it"
#define UNTOLD_QUERIES(X)                                                                          \
  X(CURRENT_CLOCK_THROTTLE_REASONS)                                                                \
  X(FAN_SPEED)                                                                                     \
  X(MIN_POWER_LIMIT)                                                                               \
  X(MAX_POWER_LIMIT)                                                                               \
  X(LUID)                                                                                          \
  X(NODE_MASK)                                                                                     \
  X(XE_STACK_COUNT)                                                                                \
  X(XE_REGIONS_PER_STACK)                                                                          \
  X(XE_CLUSTERS_PER_REGION)                                                                        \
  X(XE_CORES_PER_CLUSTER)                                                                          \
  X(EUS_PER_XE_CORE)                                                                               \
  X(MAX_LANES_PER_HW_THREAD)

/* X(name): bits for floating-point capabilities, with the same name in PI and UR. */
#define FP_BITS(X)                                                                                 \
  X(CORRECTLY_ROUNDED_DIVIDE_SQRT)                                                                 \
  X(ROUND_TO_NEAREST)                                                                              \
  X(ROUND_TO_ZERO)                                                                                 \
  X(ROUND_TO_INF)                                                                                  \
  X(INF_NAN)                                                                                       \
  X(DENORM)                                                                                        \
  X(FMA)                                                                                           \
  X(SOFT_FLOAT)

typedef enum reply_form {
  REPLY_UINT32,
  REPLY_UINT64,
  REPLY_SIZE,
  REPLY_BOOL,
  REPLY_FLAGS,
  REPLY_FP,
  REPLY_TYPE,
  REPLY_TEXT,
  REPLY_BYTES16,
  REPLY_HANDLE,
  REPLY_SIZES,
  REPLY_UINT32S,
  REPLY_PARTITION,
} reply_form;

static uint32_t fp_bits(uint64_t bits) {
  uint32_t all = 0;
#define FP_BIT(name) all |= bits & PI_FP_##name ? UR_DEVICE_FP_CAPABILITY_FLAG_##name : 0u;
  FP_BITS(FP_BIT)
#undef FP_BIT
  return all;
}

static uint32_t type_number(uint64_t type) {
  switch (type) {
  case PI_DEVICE_TYPE_CPU:
    return UR_DEVICE_TYPE_CPU;
  case PI_DEVICE_TYPE_ACC:
    return UR_DEVICE_TYPE_FPGA;
  default:
    return UR_DEVICE_TYPE_GPU;
  }
}

/* Answers with a list of numbers. PI's empty list has one entry, 0; UR's has no entries. */
static ur_result_t reply_numbers(const info_answer *answer, const device_value *value) {
  uint32_t numbers[DEVICE_SIZES_MAX];
  size_t count = 0;
  for (size_t i = 0; i < value->count; i++)
    if (value->sizes[i])
      numbers[count++] = (uint32_t)value->sizes[i];
  return reply_bytes(answer, numbers, count * sizeof numbers[0]);
}

/*
 * Answers with the way in which a device was partitioned: PI's list is the way, its value, and 0.
 */
static ur_result_t reply_partition(const info_answer *answer, const device_value *value) {
  const bool is_part = value->count > 1;
  const ur_device_partition_property_t way = {
      (ur_device_partition_t)value->sizes[0],
      {.affinity_domain = is_part ? (ur_device_affinity_domain_flags_t)value->sizes[1] : 0}};
  return reply_bytes(answer, &way, is_part ? sizeof way : 0);
}

static ur_result_t reply_value(const info_answer *answer, reply_form form,
                               const device_value *value) {
  switch (form) {
  case REPLY_UINT64:
    return reply_uint64(answer, value->number);
  case REPLY_SIZE:
  case REPLY_HANDLE:
    return reply_size(answer, (size_t)value->number);
  case REPLY_BOOL:
    return reply_bool(answer, value->number != 0);
  case REPLY_FP:
    return reply_uint32(answer, fp_bits(value->number));
  case REPLY_TYPE:
    return reply_uint32(answer, type_number(value->number));
  case REPLY_TEXT:
    return reply_text(answer, value->text);
  case REPLY_BYTES16:
    return reply_bytes(answer, value->text, 16);
  case REPLY_SIZES:
    return reply_bytes(answer, value->sizes, value->count * sizeof value->sizes[0]);
  case REPLY_UINT32S:
    return reply_numbers(answer, value);
  case REPLY_PARTITION:
    return reply_partition(answer, value);
  case REPLY_UINT32:
  case REPLY_FLAGS:
    break;
  }
  return reply_uint32(answer, (uint32_t)value->number);
}

/* Answers a query through PI's query. */
static ur_result_t reply_as_pi(pi_device device, const char *name, pi_device_info query,
                               reply_form form, const info_answer *answer) {
  device_value value;
  UR_TRY(device_find_value(device, query, &value));
  if (value.reason)
    return reply_unsupported(name, value.reason);
  return reply_value(answer, form, &value);
}

/* Kernels can use assert if the device's extensions name __devicelib_assert_fail. */
static ur_result_t reply_assert(pi_device device, const info_answer *answer) {
  device_value value;
  UR_TRY(device_find_value(device, PI_DEVICE_INFO_EXTENSIONS, &value));
  return reply_bool(answer, strstr(value.text, "cl_intel_devicelib_assert") != NULL);
}

static ur_result_t reply_virtual_memory(pi_device device, const info_answer *answer) {
  bool can = false;
  UR_TRY(driver_device_maps_memory(device, &can));
  return reply_bool(answer, can);
}

/* The parts of a recorded launch that can be changed: all but events, if the driver supports it. */
static uint32_t update_bits(void) {
  return DRIVER_UPDATES_LAUNCHES
             ? UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_KERNEL_ARGUMENTS |
                   UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_LOCAL_WORK_SIZE |
                   UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_GLOBAL_WORK_SIZE |
                   UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_GLOBAL_WORK_OFFSET |
                   UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_KERNEL_HANDLE
             : 0;
}

/*
 * Answers queries whose number has different meanings in different releases. Returns whether query
 * is one of them; *ret then receives the result.
 */
static bool reply_by_release(pi_device device, ur_device_info_t query, const info_answer *answer,
                             ur_result_t *ret) {
  const ur_release release = table_release();
  switch ((int)query) {
  case UR_DEVICE_INFO_COMMAND_BUFFER_UPDATE_CAPABILITIES_EXP:
    *ret = release < UR_RELEASE_2025_1 ? reply_bool(answer, DRIVER_UPDATES_LAUNCHES)
                                       : reply_uint32(answer, update_bits());
    return true;
  case UR_DEVICE_INFO_MAX_WORK_GROUPS:
    *ret = release < UR_RELEASE_2026_2
               ? reply_unsupported("UR_DEVICE_INFO_XE_STACK_COUNT", UNTOLD)
               : reply_as_pi(device, "UR_DEVICE_INFO_MAX_WORK_GROUPS",
                             PI_EXT_ONEAPI_DEVICE_INFO_MAX_GLOBAL_WORK_GROUPS, REPLY_SIZE, answer);
    return true;
  default:
    return false;
  }
}

static ur_result_t reply_query(pi_device device, ur_device_info_t query,
                               const info_answer *answer) {
  ur_result_t result;
  if (reply_by_release(device, query, answer, &result))
    return result;
  // NOLINTBEGIN(bugprone-branch-clone): rows of a list may have the same answer
  switch ((int)query) {
#define QUERY_CASE(query, form)                                                                    \
  case UR_DEVICE_INFO_##query:                                                                     \
    return reply_as_pi(device, "UR_DEVICE_INFO_" #query, PI_DEVICE_INFO_##query, REPLY_##form,     \
                       answer);
    SAME_QUERIES(QUERY_CASE)
#undef QUERY_CASE
#define QUERY_CASE(query, pi, form)                                                                \
  case UR_DEVICE_INFO_##query:                                                                     \
    return reply_as_pi(device, "UR_DEVICE_INFO_" #query, PI_##pi, REPLY_##form, answer);
    OTHER_QUERIES(QUERY_CASE)
#undef QUERY_CASE
#define QUERY_CASE(query, form, number)                                                            \
  case UR_DEVICE_INFO_##query:                                                                     \
    return reply_value(answer, REPLY_##form, &(device_value){NULL, number, 0, {0}, {0}});
    OWN_QUERIES(QUERY_CASE)
#undef QUERY_CASE
#define QUERY_CASE(query)                                                                          \
  case UR_DEVICE_INFO_##query:                                                                     \
    return reply_unsupported("UR_DEVICE_INFO_" #query, UNTOLD);
    UNTOLD_QUERIES(QUERY_CASE)
#undef QUERY_CASE
  case UR_DEVICE_INFO_USE_NATIVE_ASSERT:
    return reply_assert(device, answer);
  case UR_DEVICE_INFO_VIRTUAL_MEMORY_SUPPORT:
    return reply_virtual_memory(device, answer);
  }
  // NOLINTEND(bugprone-branch-clone)
  return reply_unknown("ur_device_info_t", query);
}

ur_result_t urDeviceGetInfo(ur_device_handle_t hDevice, ur_device_info_t propName, size_t propSize,
                            void *pPropValue, size_t *pPropSizeRet) {
  const info_answer answer = REPLY_PLACE;
  UR_REQUIRE_DEVICE(hDevice);
  if (propName == UR_DEVICE_INFO_COMPONENT_DEVICES &&
      device_asks_for_nothing(device_of(hDevice), &answer))
    return UR_RESULT_SUCCESS;
  UR_PASS(reply_check(&answer));
  return reply_query(device_of(hDevice), propName, &answer);
}

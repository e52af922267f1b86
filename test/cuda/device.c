/* The platform, its devices, what they answer, and access between two of them. */
#include "world.h"

#include "../../plugins/cuda/device.h"

#include <stdio.h>

static void ask(pi_device_info query, size_t size, void *value) {
  size_t got = 0;
  must(piDeviceGetInfo(w.device, query, size, value, &got));
  assert_int_equal(got, size);
}

static pi_uint32 ask4(pi_device_info query) {
  pi_uint32 value = 0;
  ask(query, sizeof value, &value);
  return value;
}

static pi_uint64 ask8(pi_device_info query) {
  pi_uint64 value = 0;
  ask(query, sizeof value, &value);
  return value;
}

static void ask_text(pi_device_info query, char *text, size_t size) {
  must(piDeviceGetInfo(w.device, query, size, text, NULL));
}

static int attribute(CUdevice_attribute attribute) {
  int value = 0;
  driver(cuDeviceGetAttribute(&value, attribute, 0));
  return value;
}

/* Whether a word is in a list with blanks. */
static bool has_word(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return true;
  return false;
}

/* What runtimes read. The test driver's device is of 8.0. */
static void answers(void **state) {
  (void)state;
  char text[2048];
  ask_text(PI_DEVICE_INFO_EXTENSIONS, text, sizeof text);
  static const char *const words[] = {"cl_khr_fp16",
                                      "cl_khr_fp64",
                                      "cl_khr_subgroups",
                                      "cl_khr_int64_base_atomics",
                                      "ur_exp_command_buffer",
                                      "cl_intel_unified_shared_memory",
                                      "cl_intel_devicelib_math",
                                      "cl_intel_devicelib_assert",
                                      "cl_intel_devicelib_cstring",
                                      "cl_intel_devicelib_imf_bf16"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    assert_true(has_word(text, words[i]));
  assert_int_equal(has_word(text, "cl_khr_il_program"),
                   cuda_backend() != PI_EXT_PLATFORM_BACKEND_CUDA);
  size_t sizes[1] = {0};
  ask(PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes);
  assert_int_equal(sizes[0], 32);
  assert_int_equal(ask4(PI_DEVICE_INFO_COMPILER_AVAILABLE), PI_TRUE);
  ask_text(PI_DEVICE_INFO_BACKEND_VERSION, text, sizeof text);
  assert_string_equal(text, "8.0");
  assert_int_equal(ask4(PI_EXT_ONEAPI_DEVICE_INFO_IP_VERSION), 8u << 22);
  ask_text(PI_DEVICE_INFO_DRIVER_VERSION, text, sizeof text);
  assert_string_equal(text, "CUDA 12.4");
  ask_text(PI_DEVICE_INFO_IL_VERSION, text, sizeof text);
  assert_string_equal(text, "PTX_8.4");
}

static void numbers(void **state) {
  (void)state;
  assert_int_equal(ask4(PI_DEVICE_INFO_MAX_COMPUTE_UNITS),
                   attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  assert_int_equal(ask8(PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE),
                   attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  assert_int_equal(ask4(PI_DEVICE_INFO_MAX_CLOCK_FREQUENCY),
                   attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000);
  assert_int_equal(ask4(PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS),
                   attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) / 32);
  assert_int_equal(ask4(PI_EXT_CODEPLAY_DEVICE_INFO_MAX_REGISTERS_PER_WORK_GROUP),
                   attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK));
  assert_int_equal(ask8(PI_DEVICE_INFO_MAX_MEM_BANDWIDTH),
                   (pi_uint64)attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) * 2000 *
                       (pi_uint64)(attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8));
  size_t groups[3] = {0};
  ask(PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_3D, sizeof groups, groups);
  assert_int_equal(groups[0], attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X));
  assert_int_equal(groups[2], attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z));
  ask(PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_1D, sizeof groups[0], groups);
  ask(PI_EXT_ONEAPI_DEVICE_INFO_MAX_WORK_GROUPS_2D, 2 * sizeof groups[0], groups);
  size_t total = 0;
  driver(cuDeviceTotalMem_v2(&total, 0));
  assert_int_equal(ask8(PI_DEVICE_INFO_GLOBAL_MEM_SIZE), total);
  const pi_mem buffer = new_buffer(1 << 20, NULL);
  const pi_uint64 available = ask8(PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY);
  assert_true(available <= total - (1 << 20));
  must(piMemRelease(buffer));
  assert_true(ask8(PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY) > available);
  CUuuid uuid;
  unsigned char got[16];
  driver(cuDeviceGetUuid(&uuid, 0));
  ask(PI_DEVICE_INFO_UUID, sizeof got, got);
  assert_memory_equal(got, uuid.bytes, sizeof got);
  char address[32] = "";
  char text[32] = "";
  driver(cuDeviceGetPCIBusId(address, sizeof address, 0));
  ask_text(PI_DEVICE_INFO_PCI_ADDRESS, text, sizeof text);
  assert_string_equal(text, address);
}

/* Every query of PI's is answered, or refused with a sentence that says why. */
static void all_queries(void **state) {
  (void)state;
  static const pi_device_info queries[] = {
#define PI_ENUM(type)
#define PI_QUERY(type, name, value, kind) QUERY_OF_##type(name)
#define QUERY_OF_pi_device_info(name) name,
#define QUERY_OF_pi_platform_info(name)
#define QUERY_OF_pi_program_build_info(name)
#define QUERY_OF_pi_program_info(name)
#define QUERY_OF_pi_context_info(name)
#define QUERY_OF_pi_queue_info(name)
#define QUERY_OF_pi_kernel_info(name)
#define QUERY_OF_pi_kernel_group_info(name)
#define QUERY_OF_pi_kernel_sub_group_info(name)
#define QUERY_OF_pi_event_info(name)
#define QUERY_OF_pi_profiling_info(name)
#define QUERY_OF_pi_image_info(name)
#define QUERY_OF_pi_mem_info(name)
#define QUERY_OF_pi_sampler_info(name)
#define QUERY_OF_pi_mem_alloc_info(name)
#define QUERY_OF_pi_peer_attr(name)
#include <pi/pi_enums.def>
  };
  int refused = 0;
  for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
    unsigned char value[2048];
    size_t size = 0;
    const pi_result result = piDeviceGetInfo(w.device, queries[i], 0, NULL, &size);
    if (result != PI_SUCCESS) {
      refused++;
      char *message = NULL;
      assert_int_equal(result, PI_ERROR_INVALID_VALUE);
      assert_int_equal(piPluginGetLastError(&message), PI_ERROR_INVALID_VALUE);
      assert_non_null(strstr(message, " is not answered here: "));
      continue;
    }
    assert_true(size <= sizeof value);
    must(piDeviceGetInfo(w.device, queries[i], size, value, NULL));
    if (size != 0)
      fails(PI_ERROR_INVALID_VALUE, piDeviceGetInfo(w.device, queries[i], size - 1, value, NULL));
  }
  /* Six of Intel's execution units, the matrix combinations, and the id before CUDA 12.8. */
  assert_int_equal(refused, 8);
  size_t size = 0;
  fails(PI_ERROR_INVALID_VALUE, piDeviceGetInfo(w.device, (pi_device_info)0x4711, 0, NULL, &size));
}

/* A failing driver is told of, and changes no answer later. */
static void failing_queries(void **state) {
  (void)state;
  static const pi_device_info queries[] = {PI_DEVICE_INFO_MAX_COMPUTE_UNITS,
                                           PI_DEVICE_INFO_IMAGE2D_MAX_WIDTH,
                                           PI_DEVICE_INFO_NAME,
                                           PI_DEVICE_INFO_UUID,
                                           PI_DEVICE_INFO_PCI_ADDRESS,
                                           PI_DEVICE_INFO_GLOBAL_MEM_SIZE,
                                           PI_DEVICE_INFO_MAX_MEM_BANDWIDTH,
                                           PI_DEVICE_INFO_USM_HOST_SUPPORT,
                                           PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT,
                                           PI_EXT_INTEL_DEVICE_INFO_FREE_MEMORY};
  for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
    unsigned long nth = 1;
    for (;; nth++) {
      unsigned char value[256];
      memset(value, 0x5a, sizeof value);
      size_t size = 4711;
      fake_cuda_fail(NULL, nth, CUDA_ERROR_UNKNOWN);
      const pi_result result = piDeviceGetInfo(w.device, queries[i], sizeof value, value, &size);
      if (!fake_cuda_unfail()) {
        must(result);
        break;
      }
      if (result == PI_SUCCESS)
        continue;
      assert_int_equal(result, PI_ERROR_UNKNOWN);
      assert_int_equal(size, 4711);
      assert_int_equal(value[0], 0x5a);
    }
    assert_true(nth > 1);
  }
}

/* As libsycl asks where level_zero is reported. */
static void no_components(void **state) {
  (void)state;
  size_t size = 77;
  must(piDeviceGetInfo(w.device, PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES, 0, NULL, &size));
  assert_int_equal(size, 0);
  const pi_result nothing =
      piDeviceGetInfo(w.device, PI_EXT_ONEAPI_DEVICE_INFO_COMPONENT_DEVICES, 0, NULL, NULL);
  assert_int_equal(nothing, cuda_backend() == PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO
                                ? PI_SUCCESS
                                : PI_ERROR_INVALID_VALUE);
  fails(PI_ERROR_INVALID_VALUE, piDeviceGetInfo(w.device, PI_DEVICE_INFO_TYPE, 0, NULL, NULL));
}

static void listing(void **state) {
  (void)state;
  pi_uint32 count = 0;
  pi_device devices[3] = {NULL, NULL, NULL};
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 3, devices, &count));
  assert_int_equal(count, 2);
  assert_null(devices[2]);
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_DEFAULT, 0, NULL, &count));
  assert_int_equal(count, 1);
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_CPU | PI_DEVICE_TYPE_ACC, 0, NULL, &count));
  assert_int_equal(count, 0);
  for (pi_uint32 i = 0; i < 2; i++) {
    pi_native_handle native = 77;
    pi_device back = NULL;
    must(piextDeviceGetNativeHandle(devices[i], &native));
    assert_int_equal(native, i);
    must(piextDeviceCreateWithNativeHandle(native, w.platform, &back));
    assert_ptr_equal(back, devices[i]);
  }
  pi_device none = NULL;
  fails(PI_ERROR_INVALID_DEVICE, piextDeviceCreateWithNativeHandle(2, NULL, &none));
  fails(PI_ERROR_INVALID_DEVICE, piextDeviceCreateWithNativeHandle(UINTPTR_MAX, NULL, &none));
  fails(PI_ERROR_INVALID_PLATFORM,
        piextDeviceCreateWithNativeHandle(0, (pi_platform)(void *)w.device, &none));
  fails(PI_ERROR_INVALID_PLATFORM,
        piDevicesGet((pi_platform)(void *)w.device, PI_DEVICE_TYPE_ALL, 0, NULL, &count));
  assert_null(none);
}

static void platform(void **state) {
  (void)state;
  pi_uint32 backend = 0;
  char name[64] = "";
  must(piPlatformGetInfo(w.platform, PI_EXT_PLATFORM_INFO_BACKEND, sizeof backend, &backend, NULL));
  must(piPlatformGetInfo(w.platform, PI_PLATFORM_INFO_NAME, sizeof name, name, NULL));
  assert_int_equal(backend, cuda_backend());
  assert_int_equal(strstr(name, "NVIDIA CUDA") != NULL, backend == PI_EXT_PLATFORM_BACKEND_CUDA);
  pi_native_handle native = 77;
  fails(PI_ERROR_UNSUPPORTED_FEATURE, piextPlatformGetNativeHandle(w.platform, &native));
  assert_int_equal(native, 77);
}

static pi_uint32 peer_info(pi_device command, pi_device peer, pi_peer_attr attr) {
  pi_uint32 value = 77;
  must(piextPeerAccessGetInfo(command, peer, attr, sizeof value, &value, NULL));
  return value;
}

static void peers(void **state) {
  (void)state;
  pi_device both[2];
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, both, NULL));
  const size_t contexts = fake_cuda_live(FAKE_CONTEXT);
  assert_int_equal(peer_info(both[0], both[1], PI_PEER_ACCESS_SUPPORTED), 1);
  assert_int_equal(peer_info(both[0], both[0], PI_PEER_ACCESS_SUPPORTED), 0);
  assert_in_range(peer_info(both[0], both[1], PI_PEER_ATOMICS_SUPPORTED), 0, 1);
  assert_int_equal(peer_info(both[0], both[0], PI_PEER_ATOMICS_SUPPORTED), 0);
  fails(PI_ERROR_INVALID_OPERATION, piextEnablePeerAccess(both[0], both[0]));
  fails(PI_ERROR_INVALID_OPERATION, piextDisablePeerAccess(both[0], both[0]));
  fails(PI_ERROR_INVALID_OPERATION, piextDisablePeerAccess(both[0], both[1]));
  must(piextEnablePeerAccess(both[0], both[1]));
  fails(PI_ERROR_INVALID_OPERATION, piextEnablePeerAccess(both[0], both[1]));
  /* One way does not open the other. */
  fails(PI_ERROR_INVALID_OPERATION, piextDisablePeerAccess(both[1], both[0]));
  /* The second device has no context of the application's, and stays open all the same. */
  must(piextDisablePeerAccess(both[0], both[1]));
  fails(PI_ERROR_INVALID_OPERATION, piextDisablePeerAccess(both[0], both[1]));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts);
  pi_uint32 value = 77;
  fails(PI_ERROR_INVALID_DEVICE, piextEnablePeerAccess(NULL, both[1]));
  fails(PI_ERROR_INVALID_DEVICE, piextEnablePeerAccess(both[0], (pi_device)(void *)w.platform));
  fails(PI_ERROR_INVALID_VALUE,
        piextPeerAccessGetInfo(both[0], both[1], (pi_peer_attr)7, sizeof value, &value, NULL));
  assert_int_equal(value, 77);
}

static void failing_peers(void **state) {
  (void)state;
  pi_device both[2];
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, both, NULL));
  const size_t contexts = fake_cuda_live(FAKE_CONTEXT);
  for (unsigned long nth = 1;; nth++) {
    fake_cuda_fail(NULL, nth, CUDA_ERROR_UNKNOWN);
    const pi_result enabled = piextEnablePeerAccess(both[0], both[1]);
    const char *failed = fake_cuda_unfail();
    if (enabled == PI_SUCCESS)
      must(piextDisablePeerAccess(both[0], both[1]));
    assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts);
    if (!failed)
      break;
  }
  for (unsigned long nth = 1;; nth++) {
    must(piextEnablePeerAccess(both[0], both[1]));
    fake_cuda_fail(NULL, nth, CUDA_ERROR_UNKNOWN);
    const pi_result disabled = piextDisablePeerAccess(both[0], both[1]);
    const char *failed = fake_cuda_unfail();
    if (disabled != PI_SUCCESS)
      must(piextDisablePeerAccess(both[0], both[1]));
    assert_int_equal(fake_cuda_live(FAKE_CONTEXT), contexts);
    if (!failed)
      break;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WORLD_TEST(answers),         WORLD_TEST(numbers), WORLD_TEST(all_queries),
      WORLD_TEST(failing_queries), WORLD_TEST(listing), WORLD_TEST(platform),
      WORLD_TEST(no_components),   WORLD_TEST(peers),   WORLD_TEST(failing_peers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The CUDA driver's numbers as PI's answers. */
#include "../plugins/device.h"
#include "world.h"

#include "../../plugins/code/generated_form.h"
#include "../../plugins/cuda/backend.h"

static int attribute(CUdevice_attribute attribute) {
  int value = 0;
  driver(cuDeviceGetAttribute(&value, attribute, 0));
  return value;
}

/* The answers that runtimes read. The fake driver's device is of 8.0. */
WORLD_TEST(runtimes_find_their_answers) {
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
                   cuda_backend_chosen()->backend != PI_EXT_PLATFORM_BACKEND_CUDA);
  size_t sizes[3] = {0};
  const bool has_segments = generated_is_possible();
  ask(PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL, (has_segments ? 3 : 1) * sizeof sizes[0], sizes);
  assert_int_equal(sizes[has_segments ? 2 : 0], 32);
  assert_int_equal(sizes[1], has_segments ? 16 : 0);
  assert_int_equal(ask4(PI_DEVICE_INFO_COMPILER_AVAILABLE), PI_TRUE);
  ask_text(PI_DEVICE_INFO_BACKEND_VERSION, text, sizeof text);
  assert_string_equal(text, "8.0");
  assert_int_equal(ask4(PI_EXT_ONEAPI_DEVICE_INFO_IP_VERSION), 8u << 22);
  ask_text(PI_DEVICE_INFO_DRIVER_VERSION, text, sizeof text);
  assert_string_equal(text, "CUDA 12.4");
  ask_text(PI_DEVICE_INFO_IL_VERSION, text, sizeof text);
  assert_true(has_word(text, "PTX_8.4"));
  assert_int_equal(has_word(text, "SPIR-V_1.4"), generated_is_possible());
}

WORLD_TEST(numbers_come_from_the_driver) {
  assert_int_equal(ask4(PI_DEVICE_INFO_MAX_COMPUTE_UNITS),
                   attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  assert_int_equal(ask8(PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE),
                   attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  assert_int_equal(ask4(PI_DEVICE_INFO_MAX_CLOCK_FREQUENCY),
                   attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000);
  assert_int_equal(ask4(PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS),
                   attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) /
                       (generated_is_possible() ? 8 : 32));
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

/* If the bus has no atomics, host and device cannot share atomics in the host's memory. */
WORLD_TEST(atomics_depend_on_the_bus) {
  const bool both = attribute(CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED) != 0;
  assert_int_equal(ask8(PI_DEVICE_INFO_USM_HOST_SUPPORT),
                   PI_USM_ACCESS | PI_USM_ATOMIC_ACCESS | PI_USM_CONCURRENT_ACCESS |
                       (both ? PI_USM_CONCURRENT_ATOMIC_ACCESS : 0));
  assert_int_equal(ask8(PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT),
                   PI_USM_ACCESS | PI_USM_ATOMIC_ACCESS | PI_USM_CONCURRENT_ACCESS |
                       PI_USM_CONCURRENT_ATOMIC_ACCESS);
}

/* The settings of the environment. Each mode runs in its own process. */
#include "check.h"

#include <stdlib.h>

TEST(init_fails_without_a_device) {
  int count = 0;
  refused(CUDA_ERROR_NO_DEVICE, "FAKE_CUDA_DEVICES", cuInit(0));
  expect(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
}

TEST(an_old_driver_lacks_newer_functions_and_ptx) {
  int version = 0;
  void *function = &version;
  ok(cuInit(0));
  ok(cuDriverGetVersion(&version));
  assert_int_equal(version, 11030);
  expect(CUDA_ERROR_NOT_FOUND,
         cuGetProcAddress_v2("cuGraphInstantiateWithFlags", &function, 12040, 0, NULL));
  ok(cuGetProcAddress_v2("cuMemAlloc", &function, 12040, 0, NULL));
  assert_non_null(function);
  /* PTX 7.3 came with CUDA 11.3. */
  CUcontext context;
  CUmodule module;
  ok(cuCtxCreate_v2(&context, 0, 0));
  ok(cuModuleLoadData(&module,
                      ".version 7.3\n.target sm_80\n.address_size 64\n.entry f() { ret; }"));
  expect(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
         cuModuleLoadData(&module,
                          ".version 7.4\n.target sm_80\n.address_size 64\n.entry f() { ret; }"));
  ok(cuCtxDestroy(context));
}

TEST(the_environment_sets_the_number_of_units) {
  int units = 0;
  ok(cuInit(0));
  ok(cuDeviceGetAttribute(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  assert_int_equal(units, 132);
}

TEST(only_the_chosen_call_fails) {
  CUcontext context;
  CUdeviceptr pointer;
  ok(cuInit(0));
  ok(cuCtxCreate_v2(&context, 0, 0));
  ok(cuMemAlloc(&pointer, 4));
  expect(CUDA_ERROR_OPERATING_SYSTEM, cuMemAlloc(&pointer, 4));
  ok(cuMemAlloc(&pointer, 4));
  assert_string_equal(fake_cuda_unfail(), "cuMemAlloc_v2");
  ok(cuCtxDestroy(context));
}

TEST(a_defect_aborts_in_strict_mode) {
  CUcontext context;
  CUdeviceptr pointer = 0;
  ok(cuInit(0));
  ok(cuCtxCreate_v2(&context, 0, 0));
  /* These failures are no defects, so strict mode does not abort. */
  expect(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&pointer, NULL, 1234));
  expect(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&pointer, SIZE_MAX));
  expect(CUDA_ERROR_INVALID_VALUE,
         cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_RANGE_SIZE, 1234));
  fputs("now the defect\n", stderr);
  cuMemFree(1234); /* aborts */
}

/* Two devices: neither can use the other's memory until peer access is enabled. */
TEST(kernels_need_peer_access_to_another_device) {
  CUcontext contexts[2];
  CUdeviceptr pointers[2];
  CUuuid ids[2];
  int can = 0;
  int count = 0;
  ok(cuInit(0));
  ok(cuDeviceGetCount(&count));
  assert_int_equal(count, 2);
  for (int i = 0; i < 2; i++) {
    ok(cuDeviceGetUuid(&ids[i], i));
    ok(cuDevicePrimaryCtxRetain(&contexts[i], i));
    ok(cuCtxSetCurrent(contexts[i]));
    ok(cuMemAlloc(&pointers[i], 64));
  }
  assert_memory_not_equal(&ids[0], &ids[1], sizeof ids[0]);
  ok(cuDeviceCanAccessPeer(&can, 0, 1));
  assert_int_equal(can, 1);
  ok(cuDeviceCanAccessPeer(&can, 0, 0));
  assert_int_equal(can, 0);
  ok(cuDeviceGetP2PAttribute(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
  expect(CUDA_ERROR_INVALID_DEVICE,
         cuDeviceGetP2PAttribute(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
  static const char text[] = ".version 7.8\n.target sm_80\n.address_size 64\n"
                             ".visible .entry f(.param .u64 out) { .reg .b64 %rd<2>;\n"
                             "ld.param.u64 %rd1, [out]; st.global.u32 [%rd1], 17; ret; }\n";
  CUmodule module;
  CUfunction function;
  ok(cuCtxSetCurrent(contexts[0]));
  ok(cuModuleLoadData(&module, text));
  ok(cuModuleGetFunction(&function, module, "f"));
  expect(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(contexts[1]));
  ok(cuCtxEnablePeerAccess(contexts[1], 0));
  expect(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(contexts[1], 0));
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(contexts[0], 0));
  void *parameters[] = {&pointers[1]};
  uint32_t word = 0;
  ok(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  ok(cuMemcpyPeer(pointers[0], contexts[0], pointers[1], contexts[1], 4));
  ok(cuMemcpyDtoH(&word, pointers[0], 4));
  assert_int_equal(word, 17);
  expect(CUDA_ERROR_INVALID_VALUE,
         cuMemcpyPeer(pointers[0], contexts[1], pointers[1], contexts[0], 4));
  ok(cuCtxDisablePeerAccess(contexts[1]));
  ok(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  /* The other context still works. */
  ok(cuCtxSetCurrent(contexts[1]));
  ok(cuCtxSynchronize());
  ok(cuDevicePrimaryCtxRelease(0));
  ok(cuDevicePrimaryCtxRelease(1));
  assert_int_equal(fake_cuda_live_all(), 0);
}

TEST(physical_memory_needs_virtual_memory_support) {
  const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                          .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
  CUmemGenericAllocationHandle handle;
  int is_there = 7;
  ok(cuInit(0));
  ok(cuDeviceGetAttribute(&is_there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  assert_int_equal(is_there, 0);
  expect(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&handle, 2 << 20, &properties, 0));
}

TEST(a_device_without_pools_creates_none) {
  const CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                     .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
  CUmemoryPool pool;
  int is_there = 7;
  ok(cuInit(0));
  ok(cuDeviceGetAttribute(&is_there, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 0));
  assert_int_equal(is_there, 0);
  expect(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolCreate(&pool, &properties));
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  cmocka_set_test_filter(argv[1]);
  return tests_run(NULL, NULL);
}

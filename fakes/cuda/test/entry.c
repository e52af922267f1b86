/* Entry points: cuInit, versions, errors, addresses of functions. */
#include "check.h"

#include <stdlib.h>

TEST(device_calls_are_refused_before_init) {
  int count = -1;
  refused(CUDA_ERROR_NOT_INITIALIZED, "cuInit", cuDeviceGetCount(&count));
  assert_int_equal(count, -1);
  expect(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  ok(cuDriverGetVersion(&count));
  assert_int_equal(count, 12040);
  expect(CUDA_ERROR_INVALID_VALUE, cuDriverGetVersion(NULL));
}

TEST(errors_have_names_and_texts) {
  const char *text = NULL;
  ok(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  assert_string_equal(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  ok(cuGetErrorString(CUDA_SUCCESS, &text));
  assert_string_equal(text, "no error");
  expect(CUDA_ERROR_INVALID_VALUE, cuGetErrorName((CUresult)12345, &text));
  assert_null(text);
  expect(CUDA_ERROR_INVALID_VALUE, cuGetErrorString(CUDA_SUCCESS, NULL));
}

typedef CUresult total_function(size_t *bytes, CUdevice device);

TEST(functions_are_found_by_name_and_version) {
  void *function = NULL;
  CUdriverProcAddressQueryResult status;
  ok(cuInit(0));
  ok(cuGetProcAddress_v2("cuDeviceTotalMem", &function, 12040, 0, &status));
  assert_int_equal(status, CU_GET_PROC_ADDRESS_SUCCESS);
  size_t bytes = 0;
  ok(((total_function *)(uintptr_t)function)(&bytes, 0));
  assert_true(bytes > 0);
  /* A version older than the function. */
  ok(cuGetProcAddress_v2("cuDeviceTotalMem", &function, 3000, 0, &status));
  assert_null(function);
  assert_int_equal(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  ok(cuGetProcAddress_v2("cuNoSuchThing", &function, 12040, 0, &status));
  assert_null(function);
  assert_int_equal(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  expect(CUDA_ERROR_NOT_FOUND, cuGetProcAddress_v2("cuNoSuchThing", &function, 12040, 0, NULL));
  /* A function which is not in the plugin's list. */
  ok(cuGetProcAddress_v2("cuModuleLoad", &function, 12040, 0, NULL));
  assert_non_null(function);
  expect(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress_v2(NULL, &function, 12040, 0, NULL));
  const void *table = &table;
  const CUuuid id = {{0}};
  expect(CUDA_ERROR_NOT_FOUND, cuGetExportTable(&table, &id));
  assert_null(table);
}

TEST(the_one_device_describes_itself) {
  int count = 0;
  CUdevice device = -1;
  ok(cuInit(0));
  ok(cuDeviceGetCount(&count));
  assert_int_equal(count, 1);
  ok(cuDeviceGet(&device, 0));
  expect(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
  expect(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, -1));
  char name[64];
  ok(cuDeviceGetName(name, sizeof name, 0));
  assert_string_equal(name, "CUDA for tests, device 0");
  ok(cuDeviceGetName(name, 5, 0));
  assert_string_equal(name, "CUDA");
  int value = 0;
  ok(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  assert_int_equal(value, 32);
  expect(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, (CUdevice_attribute)9999, 0));
  for (int i = 1; i < CU_DEVICE_ATTRIBUTE_MAX; i++)
    ok(cuDeviceGetAttribute(&value, (CUdevice_attribute)i, 0));
  char id[32];
  ok(cuDeviceGetPCIBusId(id, sizeof id, 0));
  device = -1;
  ok(cuDeviceGetByPCIBusId(&device, id));
  assert_int_equal(device, 0);
  expect(CUDA_ERROR_INVALID_VALUE, cuDeviceGetPCIBusId(id, 4, 0));
  expect(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetByPCIBusId(&device, "0000:01:00.0"));
}

TEST(calls_fail_on_demand) {
  int count;
  ok(cuInit(0));
  const unsigned long calls = fake_cuda_calls("cuDeviceGetCount");
  fake_cuda_fail("cuDeviceGetCount", 2, CUDA_ERROR_OPERATING_SYSTEM);
  ok(cuDeviceGetCount(&count));
  assert_null(fake_cuda_unfail());
  fake_cuda_fail("cuDeviceGetCount", 2, CUDA_ERROR_OPERATING_SYSTEM);
  ok(cuDeviceGetCount(&count));
  count = -1;
  expect(CUDA_ERROR_OPERATING_SYSTEM, cuDeviceGetCount(&count));
  assert_int_equal(count, -1);
  ok(cuDeviceGetCount(&count));
  assert_string_equal(fake_cuda_unfail(), "cuDeviceGetCount");
  assert_int_equal(fake_cuda_calls("cuDeviceGetCount") - calls, 4);
  /* Any call, and a name without its version. */
  fake_cuda_fail(NULL, 1, CUDA_ERROR_UNKNOWN);
  expect(CUDA_ERROR_UNKNOWN, cuDeviceGetCount(&count));
  size_t bytes;
  fake_cuda_fail("cuDeviceTotalMem", 1, CUDA_ERROR_UNKNOWN);
  expect(CUDA_ERROR_UNKNOWN, cuDeviceTotalMem(&bytes, 0));
  assert_string_equal(fake_cuda_unfail(), "cuDeviceTotalMem_v2");
}

/*
 * Virtual memory management. The expected failures and attributes of mapped pointers were observed
 * on an H200.
 */
#include "code.h"

enum { MIB = 1 << 20, UNIT = 2 * MIB };

static const CUmemAllocationProp on_device = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                              .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};

static CUdeviceptr reserve(size_t units) {
  CUdeviceptr base = 0;
  ok(cuMemAddressReserve(&base, units * UNIT, 0, 0, 0));
  return base;
}

static CUmemGenericAllocationHandle create(size_t units) {
  CUmemGenericAllocationHandle handle = 0;
  ok(cuMemCreate(&handle, units * UNIT, &on_device, 0));
  return handle;
}

static CUresult set_access(CUdeviceptr at, size_t units, CUmemAccess_flags flags) {
  const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, flags};
  return cuMemSetAccess(at, units * UNIT, &access, 1);
}

static void unmap(CUdeviceptr base, size_t units) {
  ok(cuMemUnmap(base, units * UNIT));
  ok(cuMemAddressFree(base, units * UNIT));
}

/* Two mappings of one memory, and an adjacent one: commands may cross the boundary. */
CONTEXT_TEST(memory_can_be_mapped_twice_and_side_by_side) {
  const CUdeviceptr base = reserve(4);
  const CUmemGenericAllocationHandle first = create(1), second = create(2);
  ok(cuMemMap(base, UNIT, 0, first, 0));
  ok(cuMemMap(base + UNIT, 2 * UNIT, 0, second, 0));
  ok(cuMemMap(base + 3 * UNIT, UNIT, 0, first, 0));
  ok(set_access(base, 4, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  ok(cuMemsetD8(base, 0, (size_t)4 * UNIT));
  ok(cuMemsetD8(base + UNIT - 4, 7, 8));
  unsigned char seen[8] = {0};
  ok(cuMemcpyDtoH(seen, base + 3 * UNIT + (UNIT - 8), 8));
  assert_memory_equal(seen, "\0\0\0\0\7\7\7\7", 8);
  ok(cuMemcpyDtoH(seen, base + UNIT, 8));
  assert_memory_equal(seen, "\7\7\7\7\0\0\0\0", 8);
  /* The mappings keep the released memory. */
  ok(cuMemRelease(first));
  ok(cuMemRelease(second));
  refused(CUDA_ERROR_INVALID_VALUE, "no live handle", cuMemRelease(first));
  assert_int_equal(fake_cuda_live(FAKE_PHYSICAL), 0);
  assert_int_equal(fake_cuda_live(FAKE_MAPPED), 3);
  size_t available, total;
  ok(cuMemGetInfo(&available, &total));
  assert_int_equal(total - available, 3 * UNIT);
  ok(cuMemcpyDtoH(seen, base + 4 * (CUdeviceptr)UNIT - 1, 1));
  assert_int_equal(seen[0], 7);
  unmap(base, 4);
  ok(cuMemGetInfo(&available, &total));
  assert_int_equal(total, available);
}

CONTEXT_TEST(kernels_use_mapped_memory_as_access_allows) {
  CUmodule module;
  const CUfunction add = load(&module, add_text, "add");
  const CUdeviceptr base = reserve(2);
  const CUmemGenericAllocationHandle handle = create(1);
  ok(cuMemMap(base, UNIT, 0, handle, 0));
  ok(cuMemMap(base + UNIT, UNIT, 0, handle, 0));
  ok(set_access(base, 2, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  ok(cuMemsetD32(base, 5, 16));
  CUdeviceptr at = base + UNIT;
  uint32_t n = 3, words[16];
  void *parameters[] = {&at, &n};
  ok(cuLaunchKernel(add, 4, 1, 1, 4, 1, 1, 0, NULL, parameters, NULL));
  ok(cuMemcpyDtoH(words, base, sizeof words));
  for (int i = 0; i < 16; i++)
    assert_int_equal(words[i], 8);
  /* A kernel fails that writes read-only memory. */
  ok(set_access(at, 1, CU_MEM_ACCESS_FLAGS_PROT_READ));
  ok(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  unmap(base, 2);
  ok(cuMemRelease(handle));
}

CONTEXT_TEST(commands_need_access_to_mapped_memory) {
  const CUdeviceptr base = reserve(2);
  const CUmemGenericAllocationHandle handle = create(1);
  unsigned char byte = 0;
  unsigned long long flags = 9;
  const CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  refused(CUDA_ERROR_INVALID_VALUE, "nothing is allocated", cuMemsetD8(base, 0, 1));
  ok(cuMemMap(base, UNIT, 0, handle, 0));
  ok(cuMemGetAccess(&flags, &here, base + 5));
  assert_int_equal(flags, 0);
  refused(CUDA_ERROR_INVALID_VALUE, "may not write", cuMemsetD8(base, 0, 1));
  refused(CUDA_ERROR_INVALID_VALUE, "may not read", cuMemcpyDtoH(&byte, base, 1));
  ok(set_access(base, 1, CU_MEM_ACCESS_FLAGS_PROT_READ));
  ok(cuMemcpyDtoH(&byte, base, 1));
  assert_int_equal(byte, 0xa5);
  refused(CUDA_ERROR_INVALID_VALUE, "may not write", cuMemcpyHtoD(base, &byte, 1));
  ok(cuMemGetAccess(&flags, &here, base + 5));
  assert_int_equal(flags, CU_MEM_ACCESS_FLAGS_PROT_READ);
  ok(set_access(base, 1, CU_MEM_ACCESS_FLAGS_PROT_NONE));
  refused(CUDA_ERROR_INVALID_VALUE, "may not read", cuMemcpyDtoH(&byte, base, 1));
  ok(set_access(base, 1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  ok(cuMemcpyHtoD(base, &byte, 1));
  refused(CUDA_ERROR_INVALID_VALUE, "nothing is mapped", cuMemsetD8(base + UNIT - 1, 0, 2));
  refused(CUDA_ERROR_INVALID_VALUE, "are reserved", cuMemsetD8(base, 0, (size_t)2 * UNIT + 1));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(&flags, &here, base + UNIT));
  unmap(base, 2);
  ok(cuMemRelease(handle));
}

#define ATTRIBUTE(name) cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_##name, base + 5)

CONTEXT_TEST(attributes_follow_mapping_and_access) {
  const CUdeviceptr base = reserve(3);
  const CUmemGenericAllocationHandle handle = create(1);
  CUdeviceptr start = 0;
  size_t size = 0;
  uint64_t value = 0;
  expect(CUDA_ERROR_INVALID_VALUE, ATTRIBUTE(MEMORY_TYPE));
  ok(cuMemMap(base, UNIT, 0, handle, 0));
  ok(ATTRIBUTE(MEMORY_TYPE));
  assert_int_equal((uint32_t)value, CU_MEMORYTYPE_DEVICE);
  ok(ATTRIBUTE(CONTEXT));
  assert_int_equal(value, 0);
  expect(CUDA_ERROR_INVALID_VALUE, ATTRIBUTE(DEVICE_POINTER));
  expect(CUDA_ERROR_INVALID_VALUE, ATTRIBUTE(HOST_POINTER));
  expect(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&start, &size, base + 5));
  ok(set_access(base, 1, CU_MEM_ACCESS_FLAGS_PROT_READ));
  ok(ATTRIBUTE(DEVICE_POINTER));
  assert_int_equal(value, base + 5);
  ok(ATTRIBUTE(ACCESS_FLAGS));
  assert_int_equal((uint32_t)value, CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ);
  ok(ATTRIBUTE(RANGE_START_ADDR));
  assert_int_equal(value, base);
  ok(ATTRIBUTE(RANGE_SIZE));
  assert_int_equal(value, 3 * UNIT);
  ok(cuMemGetAddressRange(&start, &size, base + 5));
  assert_int_equal(start, base);
  assert_int_equal(size, UNIT);
  unmap(base, 3);
  ok(cuMemRelease(handle));
}

CONTEXT_TEST(wrong_reservations_are_refused) {
  CUdeviceptr base = 0, other = 0;
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(NULL, UNIT, 0, 0, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&base, 4096, 0, 0, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&base, 0, 0, 0, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&base, UNIT, 3, 0, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&base, UNIT, 0, 4096, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&base, UNIT, 0, 0, 1));
  expect(CUDA_ERROR_OUT_OF_MEMORY, cuMemAddressReserve(&base, (size_t)1 << 45, 0, 0, 0));
  assert_int_equal(base, 0);
  base = reserve(2);
  /* The wish is granted after the first reservation, but not at an address that it occupies. */
  ok(cuMemAddressReserve(&other, UNIT, 0, base + 2 * UNIT, 0));
  assert_int_equal(other, base + 2 * UNIT);
  ok(cuMemAddressFree(other, UNIT));
  ok(cuMemAddressReserve(&other, UNIT, 0, base, 0));
  assert_int_not_equal(other, base);
  ok(cuMemAddressFree(other, UNIT));
  refused(CUDA_ERROR_INVALID_VALUE, "no whole", cuMemAddressFree(base, UNIT));
  ok(cuMemAddressFree(base, (size_t)2 * UNIT));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(base, (size_t)2 * UNIT));
}

CONTEXT_TEST(wrong_physical_memory_is_refused) {
  CUmemGenericAllocationHandle handle = 7;
  CUmemAllocationProp properties = on_device;
  size_t unit = 0;
  ok(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  assert_int_equal(unit, UNIT);
  ok(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, MIB, &properties, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, 0, &properties, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, UNIT, NULL, 0));
  expect(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&handle, (size_t)1 << 40, &properties, 0));
  properties.location.id = 5;
  expect(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&handle, UNIT, &properties, 0));
  properties = on_device;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  expect(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&handle, UNIT, &properties, 0));
  properties = on_device;
  properties.type = CU_MEM_ALLOCATION_TYPE_INVALID;
  expect(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, UNIT, &properties, 0));
  assert_int_equal(handle, 7);
}

CONTEXT_TEST(wrong_mappings_are_refused) {
  const CUdeviceptr base = reserve(4);
  const CUmemGenericAllocationHandle first = create(2), second = create(2);
  CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, (CUmemAccess_flags)2};
  ok(cuMemMap(base, (size_t)2 * UNIT, 0, first, 0));
  refused(CUDA_ERROR_INVALID_VALUE, "is mapped",
          cuMemMap(base + UNIT, (size_t)2 * UNIT, 0, second, 0));
  expect(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(base + 2 * UNIT, UNIT, UNIT, second, 0));
  expect(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(base + 2 * UNIT, UNIT, 0, second, 0));
  refused(CUDA_ERROR_INVALID_VALUE, "not reserved",
          cuMemMap(base + 3 * UNIT, (size_t)2 * UNIT, 0, second, 0));
  refused(CUDA_ERROR_INVALID_VALUE, "no live handle",
          cuMemMap(base + 2 * UNIT, (size_t)2 * UNIT, 0, second + 1, 0));
  ok(cuMemMap(base + 2 * UNIT, (size_t)2 * UNIT, 0, second, 0));
  refused(CUDA_ERROR_INVALID_VALUE, "part of a mapping",
          set_access(base + UNIT, 1, CU_MEM_ACCESS_FLAGS_PROT_READ));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(base, (size_t)4 * UNIT, &access, 1));
  refused(CUDA_ERROR_INVALID_VALUE, "part of a mapping", cuMemUnmap(base, UNIT));
  refused(CUDA_ERROR_INVALID_VALUE, "is mapped", cuMemAddressFree(base, (size_t)4 * UNIT));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(base));
  ok(cuMemUnmap(base, (size_t)4 * UNIT));
  ok(cuMemUnmap(base, UNIT)); /* nothing is mapped there */
  refused(CUDA_ERROR_INVALID_VALUE, "0 are mapped",
          set_access(base, 1, CU_MEM_ACCESS_FLAGS_PROT_READ));
  ok(cuMemAddressFree(base, (size_t)4 * UNIT));
  ok(cuMemRelease(first));
  ok(cuMemRelease(second));
}

/* Memory: allocations, copies, fills, and all refusals. */
#include "check.h"

#include <stdlib.h>

CONTEXT_TEST(copies_move_bytes_within_allocations) {
  CUdeviceptr from;
  CUdeviceptr to;
  unsigned char bytes[256];
  unsigned char back[256];
  for (int i = 0; i < 256; i++)
    bytes[i] = (unsigned char)i;
  ok(cuMemAlloc(&from, 256));
  ok(cuMemAlloc(&to, 256));
  assert_int_equal(from % 256, 0);
  ok(cuMemcpyHtoD(from, bytes, 256));
  ok(cuMemcpyDtoD(to, from + 1, 255));
  ok(cuMemcpyDtoH(back, to, 255));
  assert_memory_equal(back, bytes + 1, 255);
  ok(cuMemcpy((CUdeviceptr)(uintptr_t)back, from, 256));
  assert_memory_equal(back, bytes, 256);
  refused(CUDA_ERROR_INVALID_VALUE, "offset 1 of", cuMemcpyHtoD(from + 1, bytes, 256));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(from, NULL, 4));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD((CUdeviceptr)(uintptr_t)bytes, back, 4));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH((void *)(uintptr_t)from, to, 4));
  ok(cuMemcpyHtoD(from, bytes, 0));
  ok(cuMemFree(from));
  refused(CUDA_ERROR_INVALID_VALUE, "nothing is allocated", cuMemcpyHtoD(from, bytes, 4));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(from));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(to + 1));
  ok(cuMemFree(0));
  ok(cuMemFree(to));
  assert_int_equal(fake_cuda_live(FAKE_MEMORY), 0);
}

CONTEXT_TEST(allocations_have_the_requested_sizes) {
  CUdeviceptr pointer = 7;
  size_t available;
  size_t total;
  size_t after;
  ok(cuMemGetInfo(&available, &total));
  assert_int_equal(available, total);
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&pointer, 0));
  expect(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&pointer, total + 1));
  assert_int_equal(pointer, 7);
  ok(cuMemAlloc(&pointer, 1000));
  ok(cuMemGetInfo(&after, &total));
  assert_int_equal(available - after, 1000);
  CUdeviceptr base;
  size_t size;
  ok(cuMemGetAddressRange(&base, &size, pointer + 999));
  assert_int_equal(base, pointer);
  assert_int_equal(size, 1000);
  expect(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, pointer + 1000));
  ok(cuMemFree(pointer));
  size_t pitch;
  ok(cuMemAllocPitch(&pointer, &pitch, 100, 7, 4));
  assert_true(pitch >= 100 && pitch % 512 == 0);
  ok(cuMemFree(pointer));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&pointer, &pitch, 100, 7, 3));
}

CONTEXT_TEST(fills_write_their_range_only) {
  CUdeviceptr pointer;
  uint32_t words[64];
  ok(cuMemAlloc(&pointer, sizeof words));
  ok(cuMemsetD8(pointer, 0x11, sizeof words));
  ok(cuMemsetD16(pointer + 4, 0x2222, 2));
  ok(cuMemsetD32(pointer + 8, 0x33333333, 1));
  ok(cuMemsetD2D8(pointer + 16, 16, 0x44, 4, 3));
  ok(cuMemcpyDtoH(words, pointer, sizeof words));
  assert_int_equal(words[0], 0x11111111);
  assert_int_equal(words[1], 0x22222222);
  assert_int_equal(words[2], 0x33333333);
  assert_int_equal(words[4], 0x44444444);
  assert_int_equal(words[5], 0x11111111);
  assert_int_equal(words[8], 0x44444444);
  assert_int_equal(words[12], 0x44444444);
  assert_int_equal(words[16], 0x11111111);
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD16(pointer + 1, 0, 1));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(pointer + 2, 0, 1));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(pointer, 0, 65));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32(pointer, 8, 0, 4, 2));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(pointer, 0, SIZE_MAX));
  ok(cuMemsetD32(pointer, 0, 0));
  ok(cuMemFree(pointer));
}

CONTEXT_TEST(host_memory_is_released_as_it_was_made) {
  void *pinned = NULL;
  CUdeviceptr device = 0;
  unsigned flags = 0;
  ok(cuMemHostAlloc(&pinned, 100, CU_MEMHOSTALLOC_PORTABLE));
  ok(cuMemHostGetDevicePointer(&device, (char *)pinned + 4, 0));
  assert_int_equal(device, (uintptr_t)pinned + 4);
  ok(cuMemHostGetFlags(&flags, pinned));
  assert_true(flags & CU_MEMHOSTALLOC_PORTABLE);
  ok(cuMemsetD8(device, 9, 96));
  assert_int_equal(((unsigned char *)pinned)[99], 9);
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost((char *)pinned + 1));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree((CUdeviceptr)(uintptr_t)pinned));
  expect(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(pinned));
  ok(cuMemFreeHost(pinned));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(&pinned, 0, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(&pinned, 1, 0x80));
  char *own = malloc(64);
  ok(cuMemHostRegister(own, 64, 0));
  expect(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(own + 8, 8, 0));
  expect(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(own - 8, 16, 0));
  ok(cuMemHostGetDevicePointer(&device, own, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(own));
  expect(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(own + 8));
  ok(cuMemHostUnregister(own));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer(&device, own, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(NULL, 64, 0));
  free(own);
}

CONTEXT_TEST(host_and_device_share_managed_memory) {
  CUdeviceptr pointer;
  ok(cuMemAllocManaged(&pointer, 4096, CU_MEM_ATTACH_GLOBAL));
  memset((void *)(uintptr_t)pointer, 3, 4096);
  unsigned char byte = 0;
  ok(cuMemcpyDtoH(&byte, pointer + 4095, 1));
  assert_int_equal(byte, 3);
  ok(cuMemAdvise(pointer, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
  ok(cuMemAdvise(pointer, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
  expect(CUDA_ERROR_INVALID_DEVICE,
         cuMemAdvise(pointer, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 5));
  ok(cuMemPrefetchAsync(pointer, 4096, 0, NULL));
  ok(cuCtxSynchronize());
  int value = -5;
  ok(cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, pointer, 1));
  assert_int_equal(value, 1);
  ok(cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
                            pointer, 1));
  assert_int_equal(value, 0);
  expect(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(pointer, 4097, 0, NULL));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&pointer, 4096, 0));
  ok(cuMemFree(pointer));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemAdvise(pointer, 1, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
}

CONTEXT_TEST(pointers_have_their_allocations_attributes) {
  CUdeviceptr pointer;
  CUcontext context = NULL;
  unsigned type = 0;
  ok(cuMemAlloc(&pointer, 64));
  ok(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, pointer + 3));
  assert_ptr_equal(context, *state);
  ok(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer));
  assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
  int local = 0;
  const CUdeviceptr unknown = (CUdeviceptr)(uintptr_t)&local;
  expect(CUDA_ERROR_INVALID_VALUE,
         cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, unknown));
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                      CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  int ordinal = 5;
  size_t size = 5;
  void *answers[] = {&type, &ordinal, &size};
  ok(cuPointerGetAttributes(3, attributes, answers, unknown));
  assert_int_equal(type, 0);
  assert_int_equal(ordinal, CU_DEVICE_INVALID);
  ok(cuPointerGetAttributes(3, attributes, answers, pointer));
  assert_int_equal(ordinal, 0);
  assert_int_equal(size, 64);
  ok(cuMemFree(pointer));
}

CONTEXT_TEST(memory_can_be_freed_in_a_streams_order) {
  CUstream stream;
  CUdeviceptr pointer;
  uint32_t word = 0;
  ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  ok(cuMemAllocAsync(&pointer, 64, stream));
  ok(cuMemsetD32Async(pointer, 5, 16, stream));
  ok(cuMemcpyDtoHAsync(&word, pointer + 60, 4, stream));
  ok(cuMemFreeAsync(pointer, stream));
  assert_int_equal(fake_cuda_live(FAKE_MEMORY), 0);
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(pointer, 5, 16, stream));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(pointer, stream));
  ok(cuStreamSynchronize(stream));
  assert_int_equal(word, 5);
  ok(cuStreamDestroy(stream));
}

CONTEXT_TEST(a_3d_copy_moves_its_box) {
  CUdeviceptr pointer;
  unsigned char bytes[4 * 5 * 6];
  unsigned char back[2 * 3 * 4] = {0};
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)i;
  ok(cuMemAlloc(&pointer, sizeof bytes));
  ok(cuMemcpyHtoD(pointer, bytes, sizeof bytes));
  CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                        .srcDevice = pointer,
                        .srcPitch = 4,
                        .srcHeight = 5,
                        .srcXInBytes = 1,
                        .srcY = 2,
                        .srcZ = 1,
                        .dstMemoryType = CU_MEMORYTYPE_HOST,
                        .dstHost = back,
                        .dstPitch = 2,
                        .dstHeight = 3,
                        .WidthInBytes = 2,
                        .Height = 3,
                        .Depth = 4};
  ok(cuMemcpy3D(&copy));
  for (int z = 0; z < 4; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 2; x++)
        assert_int_equal(back[z * 6 + y * 2 + x], (z + 1) * 20 + (y + 2) * 4 + x + 1);
  copy.srcZ = 3;
  refused(CUDA_ERROR_INVALID_VALUE, "allocation", cuMemcpy3D(&copy));
  copy.srcZ = 1;
  copy.srcPitch = 2;
  refused(CUDA_ERROR_INVALID_VALUE, "pitch", cuMemcpy3D(&copy));
  copy.srcPitch = 4;
  copy.srcHeight = 4;
  refused(CUDA_ERROR_INVALID_VALUE, "rows", cuMemcpy3D(&copy));
  copy.srcHeight = 5;
  copy.srcLOD = 1;
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));
  copy.srcLOD = 0;
  copy.srcMemoryType = (CUmemorytype)9;
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));
  copy.Depth = 0;
  ok(cuMemcpy3D(&copy));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(NULL));
  ok(cuMemFree(pointer));
}

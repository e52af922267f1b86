/* External memory and semaphores by file descriptor. */
#define _GNU_SOURCE /* memfd_create */
#include "check.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

CONTEXT_TEST(imported_memory_shares_the_files_bytes) {
  CUexternalMemory external = NULL;
  CUdeviceptr pointer;
  const int file = memfd_create("shared", MFD_CLOEXEC);
  assert_true(file >= 0);
  assert_int_equal(ftruncate(file, 8192), 0);
  unsigned char *bytes = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  assert_ptr_not_equal(bytes, MAP_FAILED);
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = {
      .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = file, .size = 8193};
  expect(CUDA_ERROR_INVALID_VALUE, cuImportExternalMemory(&external, &desc));
  desc.size = 8192;
  desc.handle.fd = 999;
  expect(CUDA_ERROR_INVALID_VALUE, cuImportExternalMemory(&external, &desc));
  desc.handle.fd = file;
  desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32;
  expect(CUDA_ERROR_NOT_SUPPORTED, cuImportExternalMemory(&external, &desc));
  desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  ok(cuImportExternalMemory(&external, &desc));
  /* The driver has taken over and closed the file. */
  assert_int_equal(close(file), -1);
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC buffer = {.offset = 4096, .size = 4097};
  expect(CUDA_ERROR_INVALID_VALUE, cuExternalMemoryGetMappedBuffer(&pointer, external, &buffer));
  buffer.size = 4096;
  ok(cuExternalMemoryGetMappedBuffer(&pointer, external, &buffer));
  ok(cuDestroyExternalMemory(external));
  expect(CUDA_ERROR_INVALID_HANDLE, cuDestroyExternalMemory(external));
  ok(cuMemsetD8(pointer, 0x5a, 4096));
  assert_int_equal(bytes[4095], 0);
  assert_int_equal(bytes[4096], 0x5a);
  assert_int_equal(bytes[8191], 0x5a);
  ok(cuMemFree(pointer));
  munmap(bytes, 8192);
}

CONTEXT_TEST(imported_mipmaps_share_the_files_bytes) {
  CUexternalMemory external;
  CUmipmappedArray mipmap;
  CUarray level;
  const int file = memfd_create("shared", MFD_CLOEXEC);
  assert_int_equal(ftruncate(file, 4096), 0);
  unsigned char *bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = {
      .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = file, .size = 4096};
  ok(cuImportExternalMemory(&external, &desc));
  CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC image = {
      .offset = 64,
      .arrayDesc = {.Width = 8,
                    .Height = 8,
                    .Format = CU_AD_FORMAT_UNSIGNED_INT8,
                    .NumChannels = 1},
      .numLevels = 2};
  ok(cuExternalMemoryGetMappedMipmappedArray(&mipmap, external, &image));
  ok(cuDestroyExternalMemory(external));
  ok(cuMipmappedArrayGetLevel(&level, mipmap, 1));
  const unsigned char row[4] = {1, 2, 3, 4};
  ok(cuMemcpyHtoA(level, 0, row, 4));
  assert_memory_equal(bytes + 64 + 64, row, 4);
  ok(cuMipmappedArrayDestroy(mipmap));
  munmap(bytes, 4096);
}

CONTEXT_TEST(a_wait_ends_when_the_semaphore_is_signalled) {
  CUexternalSemaphore semaphore;
  CUstream first;
  CUstream second;
  const int file = eventfd(0, EFD_CLOEXEC);
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC desc = {
      .type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD, .handle.fd = file};
  expect(CUDA_ERROR_NOT_SUPPORTED, cuImportExternalSemaphore(&semaphore, &desc));
  desc.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
  desc.handle.fd = STDERR_FILENO;
  expect(CUDA_ERROR_INVALID_VALUE, cuImportExternalSemaphore(&semaphore, &desc));
  desc.handle.fd = file;
  ok(cuImportExternalSemaphore(&semaphore, &desc));
  ok(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  ok(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wait = {0};
  const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS signal = {0};
  ok(cuWaitExternalSemaphoresAsync(&semaphore, &wait, 1, first));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(first));
  ok(cuSignalExternalSemaphoresAsync(&semaphore, &signal, 1, second));
  ok(cuStreamSynchronize(first));
  /* A semaphore that is destroyed while a stream waits for it. */
  ok(cuWaitExternalSemaphoresAsync(&semaphore, &wait, 1, first));
  ok(cuDestroyExternalSemaphore(semaphore));
  expect(CUDA_ERROR_INVALID_HANDLE, cuWaitExternalSemaphoresAsync(&semaphore, &wait, 1, first));
  ok(cuStreamDestroy(second));
}

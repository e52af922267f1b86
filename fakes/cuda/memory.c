/* Allocations of the fake CUDA driver: device, host, registered and managed memory. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "memory.h"

#include <stdlib.h>

CUresult cuMemAlloc(CUdeviceptr *ret, size_t size) {
  FAKE_ENTER(cuMemAlloc, CONTEXT);
  FAKE_REQUIRE(ret && size != 0, INVALID_VALUE, "cuMemAlloc: no place, or 0 bytes");
  fake_memory *memory;
  FAKE_TRY(fake_memory_new(fake_current(), size, false, &memory));
  *ret = memory->base;
  return CUDA_SUCCESS;
}

CUresult cuMemAllocPitch(CUdeviceptr *ret, size_t *pitch, size_t width, size_t height,
                         unsigned int element) {
  FAKE_ENTER(cuMemAllocPitch, CONTEXT);
  FAKE_REQUIRE(ret && pitch && width != 0 && height != 0, INVALID_VALUE,
               "cuMemAllocPitch: no place, or nothing to allocate");
  FAKE_REQUIRE(element == 4 || element == 8 || element == 16, INVALID_VALUE,
               "cuMemAllocPitch: elements of %u bytes", element);
  const size_t step = 512;
  if (width > fake_environment.memory || height > fake_environment.memory / width)
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "%zu rows of %zu bytes", height, width);
  const size_t row = (width + step - 1) / step * step;
  fake_memory *memory;
  FAKE_TRY(fake_memory_new(fake_current(), row * height, false, &memory));
  *ret = memory->base;
  *pitch = row;
  return CUDA_SUCCESS;
}

/*
 * Ends memory after all commands have ended, because they may use it. Real drivers wait, too,
 * except for memory of a pool.
 */
static void end_memory(fake_memory *memory) {
  if (memory->head.context && !memory->pool)
    fake_stream_wait_all(memory->head.context);
  fake_memory_end(memory);
}

CUresult cuMemFree(CUdeviceptr pointer) {
  FAKE_ENTER(cuMemFree, CONTEXT);
  if (pointer == 0)
    return CUDA_SUCCESS;
  fake_memory *memory = fake_memory_at(pointer);
  FAKE_REQUIRE(memory && memory->base == pointer && !memory->leaving && !memory->head.owned &&
                   (memory->head.kind == FAKE_MEMORY || memory->head.kind == FAKE_MANAGED),
               INVALID_VALUE, "cuMemFree: nothing that cuMemAlloc gave begins at 0x%llx", pointer);
  end_memory(memory);
  return fake_current()->sticky;
}

CUresult cuMemGetInfo(size_t *available, size_t *total) {
  FAKE_ENTER(cuMemGetInfo, CONTEXT);
  FAKE_REQUIRE(available && total, INVALID_VALUE, "cuMemGetInfo: NULL");
  *total = fake_environment.memory;
  *available = fake_environment.memory - fake_memory_used(fake_current()->device);
  return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr pointer) {
  FAKE_ENTER(cuMemGetAddressRange, CONTEXT);
  FAKE_REQUIRE(base || size, INVALID_VALUE, "cuMemGetAddressRange: no place for an answer");
  const fake_memory *memory = fake_memory_at(pointer);
  if (!memory || memory->leaving ||
      (memory->head.kind == FAKE_MAPPED && !fake_memory_reaches(memory, fake_current())))
    return fake_deny(CUDA_ERROR_NOT_FOUND, "cuMemGetAddressRange: nothing is allocated at 0x%llx",
                     pointer);
  if (base)
    *base = memory->base;
  if (size)
    *size = memory->size;
  return CUDA_SUCCESS;
}

static CUresult allocate_on_host(fake_kind kind, size_t size, fake_memory **ret) {
  void *host = NULL;
  /* Refused early, because a sanitizer's posix_memalign ends the process for such sizes. */
  if (size > (size_t)1 << 40 || posix_memalign(&host, 4096, size) != 0)
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "%zu bytes are more than the host has", size);
  *ret = fake_memory_on_host(kind, fake_current(), host, size);
  (*ret)->release = fake_memory_free;
  return CUDA_SUCCESS;
}

static CUresult host_alloc(void **ret, size_t size, unsigned flags) {
  const unsigned known =
      CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  FAKE_REQUIRE(ret && size != 0, INVALID_VALUE, "cuMemHostAlloc: no place, or 0 bytes");
  FAKE_REQUIRE((flags & ~known) == 0, INVALID_VALUE, "cuMemHostAlloc: unknown flags in 0x%x",
               flags);
  fake_memory *memory;
  FAKE_TRY(allocate_on_host(FAKE_HOST, size, &memory));
  memory->flags = flags | CU_MEMHOSTALLOC_DEVICEMAP;
  *ret = memory->host;
  return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **ret, size_t size, unsigned int flags) {
  FAKE_ENTER(cuMemHostAlloc, CONTEXT);
  return host_alloc(ret, size, flags);
}

CUresult cuMemAllocHost(void **ret, size_t size) {
  FAKE_ENTER(cuMemAllocHost, CONTEXT);
  return host_alloc(ret, size, 0);
}

static fake_memory *find_on_host(const void *pointer, fake_kind kind, bool begin) {
  fake_memory *memory = fake_memory_at((CUdeviceptr)(uintptr_t)pointer);
  return memory && memory->head.kind == kind &&
                 (!begin || memory->base == (CUdeviceptr)(uintptr_t)pointer)
             ? memory
             : NULL;
}

CUresult cuMemFreeHost(void *pointer) {
  FAKE_ENTER(cuMemFreeHost, CONTEXT);
  if (!pointer)
    return CUDA_SUCCESS;
  fake_memory *memory = find_on_host(pointer, FAKE_HOST, true);
  FAKE_REQUIRE(memory, INVALID_VALUE, "cuMemFreeHost: nothing that cuMemHostAlloc gave is at %p",
               pointer);
  end_memory(memory);
  return fake_current()->sticky;
}

CUresult cuMemHostRegister(void *pointer, size_t size, unsigned int flags) {
  FAKE_ENTER(cuMemHostRegister, CONTEXT);
  const unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                         CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;
  const CUdeviceptr address = (CUdeviceptr)(uintptr_t)pointer;
  FAKE_REQUIRE(pointer && size != 0 && size <= UINT64_MAX - address, INVALID_VALUE,
               "cuMemHostRegister: %zu bytes at %p", size, pointer);
  FAKE_REQUIRE((flags & ~known) == 0, INVALID_VALUE, "cuMemHostRegister: unknown flags in 0x%x",
               flags);
  FAKE_REQUIRE(!fake_is_device_address(address), INVALID_VALUE,
               "cuMemHostRegister: %p is an address of a device", pointer);
  if (flags & CU_MEMHOSTREGISTER_IOMEMORY)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "cuMemHostRegister: no memory of other devices");
  if (fake_memory_overlap(address, size))
    return fake_refuse(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                       "cuMemHostRegister: some of %zu bytes at %p is known already", size,
                       pointer);
  fake_memory *memory = fake_memory_on_host(FAKE_REGISTERED, fake_current(), pointer, size);
  memory->flags = flags | CU_MEMHOSTREGISTER_DEVICEMAP;
  memory->read_only = (flags & CU_MEMHOSTREGISTER_READ_ONLY) != 0;
  return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *pointer) {
  FAKE_ENTER(cuMemHostUnregister, CONTEXT);
  fake_memory *memory = find_on_host(pointer, FAKE_REGISTERED, true);
  FAKE_REQUIRE(memory, HOST_MEMORY_NOT_REGISTERED,
               "cuMemHostUnregister: nothing that was registered begins at %p", pointer);
  end_memory(memory);
  return fake_current()->sticky;
}

static fake_memory *find_pinned(const void *pointer) {
  fake_memory *memory = find_on_host(pointer, FAKE_HOST, false);
  return memory ? memory : find_on_host(pointer, FAKE_REGISTERED, false);
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *ret, void *pointer, unsigned int flags) {
  FAKE_ENTER(cuMemHostGetDevicePointer, CONTEXT);
  FAKE_REQUIRE(ret && flags == 0, INVALID_VALUE,
               "cuMemHostGetDevicePointer: no place, or flags are not 0");
  FAKE_REQUIRE(find_pinned(pointer), INVALID_VALUE,
               "cuMemHostGetDevicePointer: the driver does not know the memory at %p", pointer);
  *ret = (CUdeviceptr)(uintptr_t)pointer;
  return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *pointer) {
  FAKE_ENTER(cuMemHostGetFlags, CONTEXT);
  const fake_memory *memory = find_on_host(pointer, FAKE_HOST, false);
  FAKE_REQUIRE(flags && memory, INVALID_VALUE,
               "cuMemHostGetFlags: NULL, or %p is not of "
               "cuMemHostAlloc",
               pointer);
  *flags = memory->flags;
  return CUDA_SUCCESS;
}

CUresult cuMemAllocManaged(CUdeviceptr *ret, size_t size, unsigned int flags) {
  FAKE_ENTER(cuMemAllocManaged, CONTEXT);
  FAKE_REQUIRE(ret && size != 0, INVALID_VALUE, "cuMemAllocManaged: no place, or 0 bytes");
  FAKE_REQUIRE(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST, INVALID_VALUE,
               "cuMemAllocManaged: flags are 0x%x", flags);
  fake_memory *memory;
  FAKE_TRY(allocate_on_host(FAKE_MANAGED, size, &memory));
  memory->flags = flags;
  *ret = memory->base;
  return CUDA_SUCCESS;
}

/*
 * External memory and semaphores, as far as a CPU can have them. Instead of Vulkan's opaque file
 * descriptors, memory has any descriptor that mmap takes, such as a memfd or a DMA buffer. A
 * semaphore has an eventfd, which a signal writes and a wait reads. There are no Windows handles
 * and no timeline semaphores.
 */
#define _GNU_SOURCE
#include "external.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void release_mapping(fake_mapping *mapping) {
  if (--mapping->references != 0)
    return;
  munmap(mapping->bytes, mapping->size);
  free(mapping);
}

void fake_external_end(fake_external *external) {
  release_mapping(external->mapping);
  fake_delete(external);
}

CUresult cuImportExternalMemory(CUexternalMemory *ret,
                                const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *desc) {
  FAKE_ENTER(cuImportExternalMemory, CONTEXT);
  FAKE_REQUIRE(ret && desc && desc->size != 0, INVALID_VALUE,
               "cuImportExternalMemory: NULL, or 0 bytes");
  FAKE_REQUIRE((desc->flags & ~(unsigned)CUDA_EXTERNAL_MEMORY_DEDICATED) == 0, INVALID_VALUE,
               "cuImportExternalMemory: unknown flags in 0x%x", desc->flags);
  FAKE_REQUIRE(desc->type >= CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD &&
                   desc->type <= CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF,
               INVALID_VALUE, "cuImportExternalMemory: no type of handle is %d", (int)desc->type);
  if (desc->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED,
                     "cuImportExternalMemory: file descriptors only, not type %d", (int)desc->type);
  /* Uses fake_deny, because a program cannot know a descriptor's kind, so a wrong one is no defect.
   */
  struct stat info;
  if (fstat(desc->handle.fd, &info) != 0)
    return fake_deny(CUDA_ERROR_INVALID_VALUE, "cuImportExternalMemory: %d is no open file",
                     desc->handle.fd);
  /* mmap also maps bytes after the file's end, but these cannot be accessed. */
  if ((unsigned long long)info.st_size < desc->size)
    return fake_deny(CUDA_ERROR_INVALID_VALUE,
                     "cuImportExternalMemory: %llu bytes of a file of %lld", desc->size,
                     (long long)info.st_size);
  void *bytes = mmap(NULL, desc->size, PROT_READ | PROT_WRITE, MAP_SHARED, desc->handle.fd, 0);
  if (bytes == MAP_FAILED)
    return fake_deny(CUDA_ERROR_OPERATING_SYSTEM, "cuImportExternalMemory: %d cannot be mapped",
                     desc->handle.fd);
  fake_mapping *mapping = fake_allocate(sizeof *mapping);
  *mapping = (fake_mapping){1, bytes, desc->size};
  fake_external *external = fake_new(FAKE_EXTERNAL_MEMORY, sizeof *external, fake_current(), false);
  external->mapping = mapping;
  /* The driver owns the file now. */
  close(desc->handle.fd);
  *ret = FAKE_HANDLE(CUexternalMemory, external);
  return CUDA_SUCCESS;
}

/* Releases a buffer's share of the mapping, which may outlive the external memory object. */
static void release_buffer(fake_memory *memory) {
  release_mapping(memory->mapping);
}

CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr *ret, CUexternalMemory handle,
                                         const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *desc) {
  FAKE_ENTER(cuExternalMemoryGetMappedBuffer, CONTEXT);
  FAKE_REQUIRE(ret && desc && desc->flags == 0, INVALID_VALUE,
               "cuExternalMemoryGetMappedBuffer: NULL, or flags are not 0");
  FAKE_FIND(fake_external, external, handle, EXTERNAL_MEMORY);
  fake_mapping *mapping = external->mapping;
  FAKE_REQUIRE(desc->size != 0 && desc->offset <= mapping->size &&
                   desc->size <= mapping->size - desc->offset,
               INVALID_VALUE, "cuExternalMemoryGetMappedBuffer: %llu bytes at %llu of %zu",
               desc->size, desc->offset, mapping->size);
  unsigned char *bytes = (unsigned char *)mapping->bytes + desc->offset;
  fake_memory *memory = fake_memory_of(external->head.context, bytes, desc->size, false);
  if (!memory)
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "cuExternalMemoryGetMappedBuffer: no addresses");
  mapping->references++;
  memory->mapping = mapping;
  memory->release = release_buffer;
  *ret = memory->base;
  return CUDA_SUCCESS;
}

CUresult
cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray *ret, CUexternalMemory handle,
                                        const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *desc) {
  FAKE_ENTER(cuExternalMemoryGetMappedMipmappedArray, CONTEXT);
  FAKE_REQUIRE(ret && desc, INVALID_VALUE, "cuExternalMemoryGetMappedMipmappedArray: NULL");
  FAKE_FIND(fake_external, external, handle, EXTERNAL_MEMORY);
  const fake_mapping *mapping = external->mapping;
  FAKE_REQUIRE(desc->offset <= mapping->size, INVALID_VALUE,
               "cuExternalMemoryGetMappedMipmappedArray: offset %llu of %zu", desc->offset,
               mapping->size);
  FAKE_TRY(fake_array_check(&desc->arrayDesc, "cuExternalMemoryGetMappedMipmappedArray"));
  fake_mipmap *mipmap;
  FAKE_TRY(fake_mipmap_new(external->head.context, &desc->arrayDesc, desc->numLevels,
                           (unsigned char *)mapping->bytes + desc->offset,
                           mapping->size - desc->offset, &mipmap));
  external->mapping->references++;
  mipmap->mapping = external->mapping;
  mipmap->release = release_mapping;
  *ret = FAKE_HANDLE(CUmipmappedArray, mipmap);
  return CUDA_SUCCESS;
}

CUresult cuDestroyExternalMemory(CUexternalMemory handle) {
  FAKE_ENTER(cuDestroyExternalMemory, CONTEXT);
  FAKE_FIND(fake_external, external, handle, EXTERNAL_MEMORY);
  fake_stream_wait_all(external->head.context);
  fake_external_end(external);
  return CUDA_SUCCESS;
}

void fake_semaphore_end(fake_semaphore *semaphore) {
  close(semaphore->file);
  fake_delete(semaphore);
}

static bool is_eventfd(int file) {
  char name[64];
  char target[64] = {0};
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  return readlink(name, target, sizeof target - 1) > 0 && strstr(target, "[eventfd]");
}

CUresult cuImportExternalSemaphore(CUexternalSemaphore *ret,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *desc) {
  FAKE_ENTER(cuImportExternalSemaphore, CONTEXT);
  FAKE_REQUIRE(ret && desc && desc->flags == 0, INVALID_VALUE,
               "cuImportExternalSemaphore: NULL, or flags are not 0");
  FAKE_REQUIRE(desc->type >= CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD &&
                   desc->type <= CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32,
               INVALID_VALUE, "cuImportExternalSemaphore: no type of handle is %d",
               (int)desc->type);
  if (desc->type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED,
                     "cuImportExternalSemaphore: opaque file descriptors only, not type %d",
                     (int)desc->type);
  if (!is_eventfd(desc->handle.fd))
    return fake_deny(CUDA_ERROR_INVALID_VALUE, "cuImportExternalSemaphore: %d is no eventfd",
                     desc->handle.fd);
  fake_semaphore *semaphore =
      fake_new(FAKE_EXTERNAL_SEMAPHORE, sizeof *semaphore, fake_current(), false);
  semaphore->file = desc->handle.fd;
  *ret = FAKE_HANDLE(CUexternalSemaphore, semaphore);
  return CUDA_SUCCESS;
}

typedef struct semaphore_task {
  fake_task task;
  int file; /* a duplicate that the task owns */
} semaphore_task;

static CUresult run_signal(fake_task *task) {
  const uint64_t one = 1;
  return write(((semaphore_task *)task)->file, &one, sizeof one) == sizeof one
             ? CUDA_SUCCESS
             : CUDA_ERROR_EXTERNAL_DEVICE;
}

/* Waits until the semaphore is signalled, or the context ends. */
static CUresult run_wait(fake_task *task) {
  struct pollfd file = {.fd = ((semaphore_task *)task)->file, .events = POLLIN};
  while (poll(&file, 1, 20) == 0) {
    fake_lock();
    const bool ending = task->context->ending;
    fake_unlock();
    if (ending)
      return CUDA_SUCCESS;
  }
  uint64_t value;
  return read(file.fd, &value, sizeof value) == sizeof value ? CUDA_SUCCESS
                                                             : CUDA_ERROR_EXTERNAL_DEVICE;
}

static void end_semaphore_task(fake_task *task) {
  close(((semaphore_task *)task)->file);
}

static CUresult issue(const CUexternalSemaphore *handles, unsigned count, CUstream stream_handle,
                      bool wait, const char *function) {
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(stream_handle, function, &stream));
  for (unsigned i = 0; i < count; i++)
    FAKE_REQUIRE(fake_find(handles[i], FAKE_EXTERNAL_SEMAPHORE), INVALID_HANDLE,
                 "%s: no live semaphore is %p", function, (void *)handles[i]);
  for (unsigned i = 0; i < count; i++) {
    const fake_semaphore *semaphore = fake_find(handles[i], FAKE_EXTERNAL_SEMAPHORE);
    semaphore_task *task = fake_task_new(
        sizeof *task,
        wait ? CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT : CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL,
        stream->head.context, wait ? run_wait : run_signal, end_semaphore_task);
    task->file = dup(semaphore->file);
    fake_issue(stream, task);
  }
  return CUDA_SUCCESS;
}

CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore *semaphores,
                                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *parameters,
                                         unsigned int count, CUstream stream) {
  FAKE_ENTER(cuSignalExternalSemaphoresAsync, CONTEXT);
  FAKE_REQUIRE(count == 0 || (semaphores && parameters), INVALID_VALUE,
               "cuSignalExternalSemaphoresAsync: NULL");
  return issue(semaphores, count, stream, false, "cuSignalExternalSemaphoresAsync");
}

CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore *semaphores,
                                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *parameters,
                                       unsigned int count, CUstream stream) {
  FAKE_ENTER(cuWaitExternalSemaphoresAsync, CONTEXT);
  FAKE_REQUIRE(count == 0 || (semaphores && parameters), INVALID_VALUE,
               "cuWaitExternalSemaphoresAsync: NULL");
  return issue(semaphores, count, stream, true, "cuWaitExternalSemaphoresAsync");
}

CUresult cuDestroyExternalSemaphore(CUexternalSemaphore handle) {
  FAKE_ENTER(cuDestroyExternalSemaphore, CONTEXT);
  FAKE_FIND(fake_semaphore, semaphore, handle, EXTERNAL_SEMAPHORE);
  fake_semaphore_end(semaphore);
  return CUDA_SUCCESS;
}

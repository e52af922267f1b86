/* Shared memory of the fake Level Zero driver: files, IPC, and imported host memory. */
#define _GNU_SOURCE
#include "memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const ze_external_memory_type_flags_t file_types =
    ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF | ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;

ze_result_t fake_external_check(const void *chain, size_t size, const char *function, int *import,
                                bool *export) {
  *import = -1;
  *export = false;
  const ze_external_memory_export_desc_t *out =
      fake_next(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC);
  if (out) {
    FAKE_REQUIRE(out->flags != 0 && (out->flags & ~file_types) == 0, UNSUPPORTED_ENUMERATION,
                 "%s: no export as 0x%x", function, out->flags);
    *export = true;
  }
  const ze_external_memory_import_fd_t *in =
      fake_next(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD);
  FAKE_REQUIRE(!fake_next(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32),
               UNSUPPORTED_ENUMERATION, "%s: there are no handles of Windows", function);
  if (!in)
    return ZE_RESULT_SUCCESS;
  FAKE_REQUIRE(!out, INVALID_ARGUMENT, "%s: both an import and an export", function);
  FAKE_REQUIRE(in->flags == ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF ||
                   in->flags == ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD,
               UNSUPPORTED_ENUMERATION, "%s: no import of 0x%x", function, in->flags);
  struct stat status;
  FAKE_REQUIRE(fstat(in->fd, &status) == 0 && S_ISREG(status.st_mode), INVALID_ARGUMENT,
               "%s: %d is no descriptor of memory", function, in->fd);
  FAKE_REQUIRE((uint64_t)status.st_size >= size, INVALID_SIZE,
               "%s: %zu bytes of memory that has %lld", function, size, (long long)status.st_size);
  *import = fcntl(in->fd, F_DUPFD_CLOEXEC, 0);
  if (*import < 0)
    return fake_deny(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "%s: no file descriptor", function);
  return ZE_RESULT_SUCCESS;
}

/* The contents of an IPC handle, with which another process finds the file. */
typedef struct ipc_memory {
  char magic[8];
  int process;
  int file;
  uint64_t offset, size;
} ipc_memory;

_Static_assert(sizeof(ipc_memory) <= sizeof(ze_ipc_mem_handle_t), "fits into a handle");

static const char ipc_magic[8] = "specpim";

ze_result_t zeMemGetIpcHandle(ze_context_handle_t handle, const void *address,
                              ze_ipc_mem_handle_t *ret) {
  FAKE_ENTER(zeMemGetIpcHandle);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  FAKE_REQUIRE(address && ret, INVALID_NULL_POINTER, "zeMemGetIpcHandle: NULL");
  fake_memory *memory;
  FAKE_TRY(fake_memory_check(context, NULL, address, 1, "zeMemGetIpcHandle", &memory));
  FAKE_REQUIRE(memory && memory->place && memory->type == ZE_MEMORY_TYPE_DEVICE &&
                   memory->base == address,
               INVALID_ARGUMENT, "zeMemGetIpcHandle: no device memory begins at %p", address);
  size_t offset;
  ipc_memory ipc = {
      .process = getpid(), .file = fake_place_file(memory->place, &offset), .size = memory->size};
  ipc.offset = offset;
  memcpy(ipc.magic, ipc_magic, sizeof ipc.magic);
  memset(ret, 0, sizeof *ret);
  memcpy(ret->data, &ipc, sizeof ipc);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemOpenIpcHandle(ze_context_handle_t handle, ze_device_handle_t deviceHandle,
                               ze_ipc_mem_handle_t ipcHandle, ze_ipc_memory_flags_t flags,
                               void **ret) {
  FAKE_ENTER(zeMemOpenIpcHandle);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  fake_device *device;
  FAKE_TRY(fake_check_device(context, deviceHandle, "zeMemOpenIpcHandle", &device));
  FAKE_REQUIRE(flags <= 3, INVALID_ENUMERATION, "zeMemOpenIpcHandle: unknown flags in 0x%x", flags);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeMemOpenIpcHandle: the place is NULL");
  ipc_memory ipc;
  memcpy(&ipc, ipcHandle.data, sizeof ipc);
  FAKE_REQUIRE(memcmp(ipc.magic, ipc_magic, sizeof ipc.magic) == 0, INVALID_ARGUMENT,
               "zeMemOpenIpcHandle: this is no IPC handle of memory");
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", ipc.process, ipc.file);
  const int file = open(path, O_RDWR | O_CLOEXEC);
  FAKE_REQUIRE(file >= 0, INVALID_ARGUMENT, "zeMemOpenIpcHandle: process %d has no such memory",
               ipc.process);
  fake_place *place = fake_place_take(true, ipc.size, 1, file, ipc.offset);
  if (!place) {
    close(file);
    return fake_deny(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "zeMemOpenIpcHandle: no address space");
  }
  fake_memory *memory =
      fake_memory_new(FAKE_MEMORY, context, place, NULL, ipc.size, ZE_MEMORY_TYPE_DEVICE, false);
  memory->device = device;
  memory->opened = true;
  device->root->memory_used += ipc.size;
  *ret = memory->base;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemCloseIpcHandle(ze_context_handle_t handle, const void *address) {
  FAKE_ENTER(zeMemCloseIpcHandle);
  FAKE_FIND(fake_context, context, handle, CONTEXT);
  FAKE_REQUIRE(address, INVALID_NULL_POINTER, "zeMemCloseIpcHandle: the address is NULL");
  fake_memory *memory = fake_memory_at(address);
  FAKE_REQUIRE(
      memory && memory->opened && memory->base == address && memory->head.context == context,
      INVALID_ARGUMENT, "zeMemCloseIpcHandle: zeMemOpenIpcHandle has not given %p", address);
  FAKE_TRY(fake_check_unused(&memory->head, "zeMemCloseIpcHandle"));
  fake_memory_end(memory);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zexDriverImportExternalPointer(ze_driver_handle_t handle, void *address, size_t size) {
  FAKE_ENTER(zexDriverImportExternalPointer);
  FAKE_FIND(fake_driver, driver, handle, DRIVER);
  FAKE_REQUIRE(address, INVALID_NULL_POINTER,
               "zexDriverImportExternalPointer: the address is NULL");
  FAKE_REQUIRE(size != 0, INVALID_SIZE, "zexDriverImportExternalPointer: 0 bytes");
  FAKE_REQUIRE(!fake_memory_overlaps(address, size) && !fake_place_owns(address), INVALID_ARGUMENT,
               "zexDriverImportExternalPointer: some of %zu bytes at %p is known already", size,
               address);
  fake_memory *memory =
      fake_memory_new(FAKE_IMPORT, NULL, NULL, address, size, ZE_MEMORY_TYPE_HOST, false);
  memory->driver = driver;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t find_import(const fake_driver *driver, const void *address, const char *function,
                               fake_memory **ret) {
  FAKE_REQUIRE(address, INVALID_NULL_POINTER, "%s: the address is NULL", function);
  fake_memory *memory = fake_memory_at(address);
  FAKE_REQUIRE(memory && memory->head.kind == FAKE_IMPORT && memory->driver == driver,
               INVALID_ARGUMENT, "%s: nothing that was imported is at %p", function, address);
  *ret = memory;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zexDriverReleaseImportedPointer(ze_driver_handle_t handle, void *address) {
  FAKE_ENTER(zexDriverReleaseImportedPointer);
  FAKE_FIND(fake_driver, driver, handle, DRIVER);
  fake_memory *memory;
  FAKE_TRY(find_import(driver, address, "zexDriverReleaseImportedPointer", &memory));
  FAKE_REQUIRE(memory->base == address, INVALID_ARGUMENT,
               "zexDriverReleaseImportedPointer: the import does not begin at %p", address);
  FAKE_TRY(fake_check_unused(&memory->head, "zexDriverReleaseImportedPointer"));
  fake_memory_end(memory);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zexDriverGetHostPointerBaseAddress(ze_driver_handle_t handle, void *address,
                                               void **base) {
  FAKE_ENTER(zexDriverGetHostPointerBaseAddress);
  FAKE_FIND(fake_driver, driver, handle, DRIVER);
  fake_memory *memory;
  FAKE_TRY(find_import(driver, address, "zexDriverGetHostPointerBaseAddress", &memory));
  if (base)
    *base = memory->base;
  return ZE_RESULT_SUCCESS;
}

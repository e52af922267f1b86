/*
 * Virtual memory management of the fake CUDA driver. Physical memory is a memory file. A
 * reservation has a range of device addresses, and an inaccessible range of host addresses of the
 * same size. Mappings map the file there. So adjacent mappings are adjacent in the host's memory,
 * and two mappings of one physical memory share its bytes. None of these objects belongs to a
 * context.
 */
#define _GNU_SOURCE /* memfd_create */
#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

/* The minimum and recommended granularity of sizes and addresses. */
static const size_t granularity = (size_t)2 << 20;

/* Physical memory from cuMemCreate. Its mappings keep it alive after cuMemRelease. */
typedef struct fake_physical {
  fake_object head;
  unsigned references; /* of the handle and of mappings */
  int file;
  size_t size;
  CUdevice device;
} fake_physical;

static fake_reservation *reservations;

static CUresult check_units(const char *function, CUdeviceptr address, size_t size) {
  FAKE_REQUIRE(address % granularity == 0 && size % granularity == 0, INVALID_VALUE,
               "%s: %zu bytes at 0x%llx, which are no multiples of %zu", function, size, address,
               granularity);
  FAKE_REQUIRE(size != 0 && size <= UINT64_MAX - address, INVALID_VALUE, "%s: %zu bytes at 0x%llx",
               function, size, address);
  return CUDA_SUCCESS;
}

static CUresult check_properties(const char *function, const CUmemAllocationProp *properties) {
  FAKE_REQUIRE(properties && properties->type == CU_MEM_ALLOCATION_TYPE_PINNED, INVALID_VALUE,
               "%s: properties are NULL, or not of pinned memory", function);
  FAKE_REQUIRE(properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE, INVALID_VALUE,
               "%s: memory at a location of type %d, and not of a device", function,
               (int)properties->location.type);
  FAKE_TRY(fake_check_device(properties->location.id));
  if (!fake_environment.has_virtual_memory)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "%s: device %d has no virtual memory management",
                     function, properties->location.id);
  if (properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE ||
      properties->win32HandleMetaData || properties->allocFlags.compressionType != 0 ||
      properties->allocFlags.gpuDirectRDMACapable != 0 || properties->allocFlags.usage != 0)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "%s: memory that is shared, or compressed",
                     function);
  return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(size_t *ret, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option) {
  FAKE_ENTER(cuMemGetAllocationGranularity, INIT);
  FAKE_REQUIRE(ret && option <= CU_MEM_ALLOC_GRANULARITY_RECOMMENDED, INVALID_VALUE,
               "cuMemGetAllocationGranularity: NULL, or no option is %d", (int)option);
  FAKE_TRY(check_properties("cuMemGetAllocationGranularity", properties));
  *ret = granularity;
  return CUDA_SUCCESS;
}

/* ---- Addresses ---- */

CUresult cuMemAddressReserve(CUdeviceptr *ret, size_t size, size_t alignment, CUdeviceptr wish,
                             unsigned long long flags) {
  FAKE_ENTER(cuMemAddressReserve, INIT);
  FAKE_REQUIRE(ret && flags == 0 && (alignment & (alignment - 1)) == 0, INVALID_VALUE,
               "cuMemAddressReserve: NULL, flags, or an alignment of %zu bytes", alignment);
  FAKE_TRY(check_units("cuMemAddressReserve", wish, size));
  const CUdeviceptr base =
      fake_addresses_take(size, alignment > granularity ? alignment : granularity, wish);
  void *host =
      base == 0 ? MAP_FAILED
                : mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (host == MAP_FAILED)
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "cuMemAddressReserve: no addresses for %zu bytes",
                     size);
  fake_reservation *reservation = fake_new(FAKE_RESERVATION, sizeof *reservation, NULL, false);
  reservation->base = base;
  reservation->size = size;
  reservation->host = host;
  reservation->next = reservations;
  reservations = reservation;
  *ret = base;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t size) {
  FAKE_ENTER(cuMemAddressFree, INIT);
  fake_reservation **link = &reservations;
  while (*link && ((*link)->base != address || (*link)->size != size))
    link = &(*link)->next;
  fake_reservation *reservation = *link;
  FAKE_REQUIRE(reservation, INVALID_VALUE,
               "cuMemAddressFree: %zu bytes at 0x%llx are no whole "
               "reservation",
               size, address);
  FAKE_REQUIRE(!fake_memory_overlap(address, size), INVALID_VALUE,
               "cuMemAddressFree: something is mapped in the %zu bytes at 0x%llx", size, address);
  *link = reservation->next;
  munmap(reservation->host, size);
  fake_delete(reservation);
  return CUDA_SUCCESS;
}

/* ---- Physical memory ---- */

CUresult cuMemCreate(CUmemGenericAllocationHandle *ret, size_t size,
                     const CUmemAllocationProp *properties, unsigned long long flags) {
  FAKE_ENTER(cuMemCreate, INIT);
  FAKE_REQUIRE(ret && flags == 0, INVALID_VALUE, "cuMemCreate: NULL, or flags are not 0");
  FAKE_TRY(check_properties("cuMemCreate", properties));
  FAKE_TRY(check_units("cuMemCreate", 0, size));
  const CUdevice device = properties->location.id;
  if (!fake_memory_take(device, size))
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "cuMemCreate: %zu bytes", size);
  const int file = memfd_create("physical memory of libcuda for tests", MFD_CLOEXEC);
  unsigned char dirty[4096]; /* garbage for the first bytes, because real memory is not zeroed */
  memset(dirty, 0xa5, sizeof dirty);
  if (file < 0 || ftruncate(file, (off_t)size) != 0 || write(file, dirty, sizeof dirty) < 0) {
    if (file >= 0)
      close(file);
    fake_memory_give(device, size);
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "cuMemCreate: no file of %zu bytes", size);
  }
  fake_physical *physical = fake_new(FAKE_PHYSICAL, sizeof *physical, NULL, false);
  physical->references = 1;
  physical->file = file;
  physical->size = size;
  physical->device = device;
  *ret = (CUmemGenericAllocationHandle)(uintptr_t)physical->head.slot;
  return CUDA_SUCCESS;
}

static fake_physical *find_physical(CUmemGenericAllocationHandle handle) {
  return fake_find((const void *)(uintptr_t)handle, FAKE_PHYSICAL);
}

static void release_physical(fake_physical *physical) {
  if (--physical->references != 0)
    return;
  close(physical->file);
  fake_memory_give(physical->device, physical->size);
  fake_delete(physical);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  FAKE_ENTER(cuMemRelease, INIT);
  fake_physical *physical = find_physical(handle);
  FAKE_REQUIRE(physical, INVALID_VALUE, "cuMemRelease: 0x%llx is no live handle", handle);
  fake_retire(physical);
  release_physical(physical);
  return CUDA_SUCCESS;
}

/* ---- Mappings ---- */

/* Finds the reservation that contains a range. */
static CUresult find_reservation(const char *function, CUdeviceptr address, size_t size,
                                 fake_reservation **ret) {
  FAKE_TRY(check_units(function, address, size));
  for (fake_reservation *reservation = reservations; reservation; reservation = reservation->next)
    if (address >= reservation->base && size <= reservation->size &&
        address - reservation->base <= reservation->size - size) {
      *ret = reservation;
      return CUDA_SUCCESS;
    }
  return fake_refuse(CUDA_ERROR_INVALID_VALUE, "%s: %zu bytes at 0x%llx are not reserved", function,
                     size, address);
}

CUresult cuMemMap(CUdeviceptr address, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  FAKE_ENTER(cuMemMap, INIT);
  fake_reservation *reservation;
  fake_physical *physical = find_physical(handle);
  FAKE_REQUIRE(physical && flags == 0, INVALID_VALUE,
               "cuMemMap: 0x%llx is no live handle, or "
               "flags are not 0",
               handle);
  FAKE_TRY(find_reservation("cuMemMap", address, size, &reservation));
  FAKE_REQUIRE(!fake_memory_overlap(address, size), INVALID_VALUE,
               "cuMemMap: something is mapped in the %zu bytes at 0x%llx", size, address);
  if (offset != 0 || size != physical->size)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED,
                     "cuMemMap: %zu bytes from offset %zu on, and not all %zu", size, offset,
                     physical->size);
  unsigned char *host = reservation->host + (address - reservation->base);
  if (mmap(host, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, physical->file, 0) ==
      MAP_FAILED)
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "cuMemMap: the host does not map %zu bytes", size);
  fake_memory *memory = fake_memory_mapped(address, host, size);
  memory->device = physical->device;
  memory->reservation = reservation;
  memory->physical = physical;
  physical->references++;
  return CUDA_SUCCESS;
}

/*
 * Calls each for every mapping in a range; each may end the mapping. Refuses a range that contains
 * only a part of a mapping. *bytes receives the number of mapped bytes.
 */
static CUresult each_mapping(const char *function, CUdeviceptr address, size_t size,
                             void (*each)(fake_memory *memory, const void *user), const void *user,
                             size_t *bytes) {
  size_t sum = 0;
  for (int pass = 0; pass < 2; pass++)
    for (CUdeviceptr at = address; at < address + size;) {
      fake_memory *memory = fake_memory_overlap(at, address + size - at);
      if (!memory)
        break;
      const CUdeviceptr end = memory->base + memory->size;
      FAKE_REQUIRE(memory->base >= at && end <= address + size, INVALID_VALUE,
                   "%s: %zu bytes at 0x%llx have a part of a mapping of %zu bytes at 0x%llx",
                   function, size, address, memory->size, memory->base);
      if (pass == 0)
        sum += memory->size;
      else
        each(memory, user);
      at = end;
    }
  *bytes = sum;
  return CUDA_SUCCESS;
}

static void wait_for_context(fake_object *object, void *user) {
  (void)user;
  if (object->kind == FAKE_CONTEXT)
    fake_stream_wait_all((fake_context *)(void *)object);
}

static void end_mapping(fake_memory *memory, const void *user) {
  (void)user;
  (void)mmap(memory->host, memory->size, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  release_physical(memory->physical);
  fake_memory_end(memory);
}

/* Waits for the commands of all contexts before it unmaps. */
CUresult cuMemUnmap(CUdeviceptr address, size_t size) {
  FAKE_ENTER(cuMemUnmap, INIT);
  fake_reservation *reservation;
  size_t bytes;
  FAKE_TRY(find_reservation("cuMemUnmap", address, size, &reservation));
  fake_each(NULL, wait_for_context, NULL);
  return each_mapping("cuMemUnmap", address, size, end_mapping, NULL, &bytes);
}

/* ---- Access ---- */

static void set_access(fake_memory *memory, const void *user) {
  const CUmemAccessDesc *access = user;
  memory->access[access->location.id] = (unsigned char)access->flags;
}

static void look_at(fake_memory *memory, const void *user) {
  (void)memory;
  (void)user;
}

static CUresult check_access(const CUmemAccessDesc *access) {
  FAKE_REQUIRE(access->location.type == CU_MEM_LOCATION_TYPE_DEVICE, INVALID_VALUE,
               "cuMemSetAccess: access of a location of type %d", (int)access->location.type);
  FAKE_TRY(fake_check_device(access->location.id));
  FAKE_REQUIRE(access->flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ||
                   access->flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
                   access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
               INVALID_VALUE, "cuMemSetAccess: no access is 0x%x", (unsigned)access->flags);
  return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc *accesses,
                        size_t count) {
  FAKE_ENTER(cuMemSetAccess, INIT);
  fake_reservation *reservation;
  size_t bytes;
  FAKE_REQUIRE(accesses && count != 0, INVALID_VALUE, "cuMemSetAccess: no access is given");
  for (size_t i = 0; i < count; i++)
    FAKE_TRY(check_access(&accesses[i]));
  FAKE_TRY(find_reservation("cuMemSetAccess", address, size, &reservation));
  FAKE_TRY(each_mapping("cuMemSetAccess", address, size, look_at, NULL, &bytes));
  FAKE_REQUIRE(bytes == size, INVALID_VALUE,
               "cuMemSetAccess: of %zu bytes at 0x%llx %zu are mapped", size, address, bytes);
  for (size_t i = 0; i < count; i++)
    FAKE_TRY(each_mapping("cuMemSetAccess", address, size, set_access, &accesses[i], &bytes));
  return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long *ret, const CUmemLocation *location,
                        CUdeviceptr address) {
  FAKE_ENTER(cuMemGetAccess, INIT);
  FAKE_REQUIRE(ret && location && location->type == CU_MEM_LOCATION_TYPE_DEVICE, INVALID_VALUE,
               "cuMemGetAccess: NULL, or the location is no device");
  FAKE_TRY(fake_check_device(location->id));
  const fake_memory *memory = fake_memory_at(address);
  FAKE_REQUIRE(memory && memory->head.kind == FAKE_MAPPED, INVALID_VALUE,
               "cuMemGetAccess: nothing is mapped at 0x%llx", address);
  *ret = memory->access[location->id];
  return CUDA_SUCCESS;
}

CUresult fake_mapped_check(const fake_memory *first, CUdeviceptr address, size_t size,
                           bool is_written, const char *function) {
  const fake_reservation *reservation = first->reservation;
  const size_t room = reservation->size - (size_t)(address - reservation->base);
  FAKE_REQUIRE(size <= room, INVALID_VALUE, "%s: %zu bytes at 0x%llx, after which %zu are reserved",
               function, size, address, room);
  for (CUdeviceptr at = address;;) {
    const fake_memory *memory = fake_memory_at(at);
    FAKE_REQUIRE(memory, INVALID_VALUE, "%s: nothing is mapped at 0x%llx", function, at);
    FAKE_REQUIRE(fake_memory_reaches(memory, fake_current()) &&
                     (!is_written || fake_memory_takes(memory, fake_current())),
                 INVALID_VALUE, "%s: the device may not %s 0x%llx", function,
                 is_written ? "write" : "read", at);
    at = memory->base + memory->size;
    if (at >= address + size)
      return CUDA_SUCCESS;
  }
}

/*
 * The table of allocated addresses. Addresses of device memory are in a region that is reserved
 * without any access rights, so that the host cannot use them by accident. No address is used
 * twice.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static const size_t region_size = (size_t)1 << 38;
static const size_t alignment = 512; /* of device allocations, and the smallest gap between them */
static const size_t dirty = 4096;    /* bytes of new memory that are filled with garbage */

static CUdeviceptr region;
static size_t region_used;

/* All memory, sorted by address. */
static fake_memory **table;
static size_t count;
static size_t room;
static size_t used[FAKE_DEVICES_MAX];

static void open_region(void) {
  if (region != 0)
    return;
  void *memory =
      mmap(NULL, region_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fputs("fake CUDA driver: no addresses for device memory\n", stderr);
    abort();
  }
  region = ((CUdeviceptr)(uintptr_t)memory + alignment - 1) / alignment * alignment;
}

static CUdeviceptr reserve_range(size_t size) {
  open_region();
  const size_t step = (size / alignment + 2) * alignment;
  if (step > region_size - alignment - region_used)
    return 0;
  const CUdeviceptr address = region + region_used;
  region_used += step;
  return address;
}

CUdeviceptr fake_addresses_take(size_t size, size_t unit, CUdeviceptr wish) {
  open_region();
  const CUdeviceptr free_from = region + region_used;
  const CUdeviceptr end = region + region_size - alignment;
  CUdeviceptr address = (free_from + unit - 1) / unit * unit;
  if (wish % unit == 0 && wish >= address && wish < end && size <= end - wish)
    address = wish;
  if (address >= end || size > end - address)
    return 0;
  region_used = address + size - region;
  return address;
}

bool fake_is_device_address(CUdeviceptr address) {
  return region != 0 && address >= region && address - region < region_size;
}

/* Returns how many entries of the table start at or before an address. */
static size_t place_of(CUdeviceptr address) {
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (table[middle]->base <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

fake_memory *fake_memory_at(CUdeviceptr address) {
  const size_t place = place_of(address);
  if (place == 0)
    return NULL;
  fake_memory *memory = table[place - 1];
  return address - memory->base < memory->size ? memory : NULL;
}

fake_memory *fake_memory_overlap(CUdeviceptr address, size_t size) {
  fake_memory *memory = fake_memory_at(address);
  if (memory)
    return memory;
  const size_t place = place_of(address);
  return place < count && table[place]->base - address < size ? table[place] : NULL;
}

static void insert_memory(fake_memory *memory) {
  if (count == room) {
    room = room ? 2 * room : 64;
    table = fake_grow(table, room * sizeof *table);
  }
  const size_t place = place_of(memory->base);
  memmove(&table[place + 1], &table[place], (count - place) * sizeof *table);
  table[place] = memory;
  count++;
}

static fake_memory *add_memory(fake_kind kind, fake_context *context, CUdeviceptr base, void *host,
                               size_t size, bool owned) {
  fake_memory *memory = fake_new(kind, sizeof *memory, context, owned);
  memory->base = base;
  memory->host = host;
  memory->size = size;
  memory->device = context ? context->device : 0;
  memory->preferred = CU_DEVICE_INVALID;
  memory->prefetched = CU_DEVICE_INVALID;
  insert_memory(memory);
  return memory;
}

fake_memory *fake_memory_of(fake_context *context, void *host, size_t size, bool owned) {
  const CUdeviceptr base = reserve_range(size);
  if (base == 0)
    return NULL;
  used[context->device] += size;
  return add_memory(FAKE_MEMORY, context, base, host, size, owned);
}

void fake_memory_free(fake_memory *memory) {
  free(memory->host);
}

void fake_memory_soil(fake_memory *memory) {
  memset(memory->host, 0xa5, memory->size < dirty ? memory->size : dirty);
}

CUresult fake_memory_new_in(fake_context *context, struct fake_pool *pool, size_t size, bool owned,
                            fake_memory **ret) {
  if (!pool && size > fake_environment.memory - used[context->device])
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "%zu bytes, of which the device has %zu", size,
                     fake_environment.memory - used[context->device]);
  void *host = NULL;
  /* Aligned, because kernels may use vectors of 16 bytes and atomic operations. */
  if (posix_memalign(&host, 256, size ? size : 1) != 0)
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "%zu bytes are more than the host has", size);
  fake_memory *memory = fake_memory_of(context, host, size, owned);
  if (!memory) {
    free(host);
    return fake_deny(CUDA_ERROR_OUT_OF_MEMORY, "no addresses are left for %zu bytes", size);
  }
  if (pool)
    used[context->device] -= size;
  memory->pool = pool;
  memory->release = fake_memory_free;
  fake_memory_soil(memory);
  *ret = memory;
  return CUDA_SUCCESS;
}

CUresult fake_memory_new(fake_context *context, size_t size, bool owned, fake_memory **ret) {
  return fake_memory_new_in(context, NULL, size, owned, ret);
}

fake_memory *fake_memory_on_host(fake_kind kind, fake_context *context, void *host, size_t size) {
  return add_memory(kind, context, (CUdeviceptr)(uintptr_t)host, host, size, false);
}

fake_memory *fake_memory_mapped(CUdeviceptr base, void *host, size_t size) {
  return add_memory(FAKE_MAPPED, NULL, base, host, size, false);
}

void fake_memory_end(fake_memory *memory) {
  const size_t place = place_of(memory->base) - 1;
  memmove(&table[place], &table[place + 1], (count - place - 1) * sizeof *table);
  count--;
  if (count == 0) {
    free(table);
    table = NULL;
    room = 0;
  }
  if (memory->pool)
    fake_pool_leave(memory->pool, memory->size, memory->leaving);
  else if (memory->head.kind == FAKE_MEMORY)
    used[memory->device] -= memory->size;
  if (memory->release)
    memory->release(memory);
  fake_delete(memory);
}

size_t fake_memory_used(CUdevice device) {
  return used[device];
}

bool fake_memory_take(CUdevice device, size_t size) {
  if (size > fake_environment.memory - used[device])
    return false;
  used[device] += size;
  return true;
}

void fake_memory_give(CUdevice device, size_t size) {
  used[device] -= size;
}

bool fake_memory_reaches(const fake_memory *memory, const fake_context *context) {
  if (memory->head.kind == FAKE_MAPPED)
    return memory->access[context->device] != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  if (memory->pool) /* belongs to a device and not to a context */
    return memory->device == context->device;
  return memory->head.kind != FAKE_MEMORY || memory->head.context == context ||
         (memory->device != context->device && context->peers[memory->device]);
}

bool fake_memory_takes(const fake_memory *memory, const fake_context *context) {
  if (memory->head.kind == FAKE_MAPPED)
    return memory->access[context->device] == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return !memory->read_only;
}

CUresult fake_device_range(CUdeviceptr address, size_t size, bool is_written, const char *function,
                           unsigned char **ret) {
  const fake_memory *memory = fake_memory_at(address);
  FAKE_REQUIRE(memory && !memory->leaving, INVALID_VALUE, "%s: nothing is allocated at 0x%llx",
               function, address);
  if (memory->head.kind == FAKE_MAPPED)
    FAKE_TRY(fake_mapped_check(memory, address, size, is_written, function));
  else
    FAKE_REQUIRE(size <= memory->size - (address - memory->base), INVALID_VALUE,
                 "%s: %zu bytes at offset %llu of an allocation of %zu bytes", function, size,
                 address - memory->base, memory->size);
  *ret = memory->host + (address - memory->base);
  return CUDA_SUCCESS;
}

CUresult fake_side_find(fake_side_kind kind, CUdeviceptr address, size_t size, bool is_written,
                        const char *function, fake_side *ret) {
  const bool known = fake_memory_at(address) != NULL;
  fake_side side = {.pageable = !known};
  FAKE_REQUIRE(size == 0 || address != 0, INVALID_VALUE, "%s: a pointer is NULL", function);
  if (size != 0 && (kind == FAKE_SIDE_DEVICE || known || fake_is_device_address(address))) {
    FAKE_REQUIRE(kind != FAKE_SIDE_HOST || !fake_is_device_address(address), INVALID_VALUE,
                 "%s: 0x%llx is an address of a device, not of the host", function, address);
    FAKE_TRY(fake_device_range(address, size, is_written, function, &side.bytes));
  } else {
    side.bytes = (void *)(uintptr_t)address;
  }
  *ret = side;
  return CUDA_SUCCESS;
}

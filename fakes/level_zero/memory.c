/* The table of memory known to the fake Level Zero driver, and checks of commands' accesses. */
#include "memory.h"

#include "device.h"

#include <stdlib.h>

/* All known memory, sorted by its start. Only imported memory and variables can overlap. */
static fake_memory **known;
static size_t known_count, known_room;

/* Returns the index of the first entry that starts after an address. */
static size_t find_behind(const void *address) {
  size_t low = 0;
  size_t high = known_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if ((uintptr_t)known[middle]->base > (uintptr_t)address)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

fake_memory *fake_memory_at(const void *address) {
  const size_t behind = find_behind(address);
  if (behind == 0)
    return NULL;
  fake_memory *memory = known[behind - 1];
  return (uintptr_t)address - (uintptr_t)memory->base < memory->size ? memory : NULL;
}

bool fake_memory_overlaps(const void *base, size_t size) {
  const size_t behind = find_behind(base);
  return fake_memory_at(base) ||
         (behind < known_count && (uintptr_t)known[behind]->base - (uintptr_t)base < size);
}

fake_memory *fake_memory_new(fake_kind kind, fake_context *context, fake_place *place, char *base,
                             size_t size, ze_memory_type_t type, bool owned) {
  fake_memory *memory = fake_new(kind, sizeof *memory, context, owned);
  memory->place = place;
  memory->base = place ? place->base : base;
  memory->view = place ? place->view : base;
  memory->size = size;
  memory->type = type;
  memory->driver = context ? context->driver : NULL;
  if (known_count == known_room) {
    known_room = known_room ? 2 * known_room : 64;
    known = fake_grow(known, known_room * sizeof *known);
  }
  const size_t at = find_behind(memory->base);
  memmove(&known[at + 1], &known[at], (known_count - at) * sizeof *known);
  known[at] = memory;
  known_count++;
  return memory;
}

void fake_memory_end(fake_memory *memory) {
  /* Several entries may have one address, because the fake OpenCL's programs share a variable. */
  size_t at = find_behind(memory->base) - 1;
  while (known[at] != memory)
    at--;
  known_count--;
  memmove(&known[at], &known[at + 1], (known_count - at) * sizeof *known);
  if (known_count == 0) {
    free(known);
    known = NULL;
    known_room = 0;
  }
  if (memory->device && memory->place)
    memory->device->root->memory_used -= memory->size;
  if (memory->place)
    fake_place_give_back(memory->place);
  fake_delete(memory);
}

fake_memory *fake_memory_of(fake_context *context, fake_device *device, void *base, size_t size) {
  fake_memory *memory =
      fake_memory_new(FAKE_MEMORY, context, NULL, base, size, ZE_MEMORY_TYPE_DEVICE, true);
  memory->device = device;
  return memory;
}

void fake_memory_forget(fake_memory *memory) {
  fake_memory_end(memory);
}

void fake_memory_wait(const fake_memory *memory) {
  while (memory->head.pending != 0)
    fake_wait_change(UINT64_MAX);
}

static bool is_reachable(const fake_memory *memory, const fake_device *device) {
  return memory->type != ZE_MEMORY_TYPE_DEVICE || !device ||
         fake_can_access_peer(device, memory->device);
}

ze_result_t fake_memory_check(fake_context *context, const fake_device *device, const void *address,
                              size_t size, const char *function, fake_memory **ret) {
  if (ret)
    *ret = NULL;
  FAKE_REQUIRE(address, INVALID_NULL_POINTER, "%s: an address is NULL", function);
  fake_memory *memory = fake_memory_at(address);
  if (!memory) {
    FAKE_REQUIRE(!fake_place_owns(address), INVALID_ARGUMENT,
                 "%s: nothing is allocated at %p (any more)", function, address);
    FAKE_REQUIRE(size == 0 || !fake_memory_overlaps(address, size), INVALID_ARGUMENT,
                 "%s: %zu bytes at %p end in an allocation that they do not begin in", function,
                 size, address);
    return ZE_RESULT_SUCCESS;
  }
  const size_t offset = (size_t)((const char *)address - memory->base);
  FAKE_REQUIRE(size <= memory->size - offset, INVALID_SIZE,
               "%s: %zu bytes at %p go beyond the %zu of the allocation, of which it is byte %zu",
               function, size, address, memory->size, offset);
  FAKE_REQUIRE(memory->driver == context->driver &&
                   (!memory->head.context || memory->head.context == context),
               INVALID_ARGUMENT, "%s: the allocation at %p is of another context", function,
               address);
  FAKE_REQUIRE(is_reachable(memory, device), INVALID_ARGUMENT,
               "%s: the device cannot access the memory of another one at %p", function, address);
  FAKE_REQUIRE(!memory->freed, INVALID_ARGUMENT, "%s: the allocation at %p was freed", function,
               address);
  if (ret)
    *ret = memory;
  return ZE_RESULT_SUCCESS;
}

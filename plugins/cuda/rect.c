#include "rect.h"

static pi_result memory_of(const rect_side *side, pi_mem buffer, rect_memory *ret) {
  PI_REQUIRE(buffer->kind != MEMORY_IMAGE, PI_ERROR_INVALID_MEM_OBJECT, "%s is an image",
             side->name);
  *ret = (rect_memory){(uintptr_t)buffer->pointer, buffer->size, buffer->parent ? buffer->parent : buffer};
  return PI_SUCCESS;
}

static rect_memory memory_at(const void *pointer) {
  return (rect_memory){(uintptr_t)pointer, SIZE_MAX, NULL};
}

pi_result rect_to_host(const rect_side *device, pi_mem buffer, const rect_side *host,
                       const void *pointer, pi_buff_rect_region region, transfer *ret) {
  const rect_memory there = memory_at(pointer);
  rect_memory here;
  PI_TRY(memory_of(device, buffer, &here));
  return rect_read(device, &here, host, &there, region, ret);
}

pi_result rect_from_host(const rect_side *host, const void *pointer, const rect_side *device,
                         pi_mem buffer, pi_buff_rect_region region, transfer *ret) {
  const rect_memory there = memory_at(pointer);
  rect_memory here;
  PI_TRY(memory_of(device, buffer, &here));
  return rect_read(host, &there, device, &here, region, ret);
}

pi_result rect_between(const rect_side *from, pi_mem source, const rect_side *to, pi_mem target,
                       pi_buff_rect_region region, transfer *ret) {
  rect_memory there, here;
  PI_TRY(memory_of(from, source, &there));
  PI_TRY(memory_of(to, target, &here));
  return rect_read(from, &there, to, &here, region, ret);
}

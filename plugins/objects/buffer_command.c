#include "buffer_command.h"

#include "../checks/arguments.h"
#include "memory.h"
#include "sink.h"

pi_result sink_check_memory(const sink *sink, pi_mem mem) {
  REQUIRE(mem->context == sink->context, PI_ERROR_INVALID_CONTEXT,
          "the memory object is of another context than the %s",
          sink->queue ? "queue" : "command buffer");
  return PI_SUCCESS;
}

/* Checks a range of a buffer for a command; *ret receives its address. */
static pi_result use_range(sink *sink, int index, pi_mem buffer, size_t offset, size_t size,
                           uintptr_t *ret) {
  TRY(sink_check_memory(sink, buffer));
  TRY(memory_check_range(buffer, offset, size));
  sink->memory[index] = buffer;
  *ret = (uintptr_t)buffer->pointer + offset;
  return PI_SUCCESS;
}

pi_result buffer_read(sink *sink, pi_mem buffer, size_t offset, size_t size, void *pointer) {
  uintptr_t from;
  TRY(use_range(sink, 0, buffer, offset, size, &from));
  const transfer read = transfer_plain((uintptr_t)pointer, from, size);
  return driver_copy(sink, &read, COPY_TO_HOST);
}

pi_result buffer_write(sink *sink, pi_mem buffer, size_t offset, size_t size, const void *pointer) {
  uintptr_t to;
  TRY(use_range(sink, 0, buffer, offset, size, &to));
  const transfer write = transfer_plain(to, (uintptr_t)pointer, size);
  return driver_copy(sink, &write, COPY_FROM_HOST);
}

/* Compares addresses, because two parts of one buffer are different objects. */
pi_result buffer_copy(sink *sink, pi_mem from, pi_mem to, size_t from_offset, size_t to_offset,
                      size_t size) {
  uintptr_t source, target;
  TRY(use_range(sink, 0, from, from_offset, size, &source));
  TRY(use_range(sink, 1, to, to_offset, size, &target));
  REQUIRE(!transfer_ranges_meet(source, target, size), PI_ERROR_MEM_COPY_OVERLAP,
          "%zu bytes from offset %zu on and from offset %zu on overlap", size, from_offset,
          to_offset);
  const transfer copy = transfer_plain(target, source, size);
  return driver_copy(sink, &copy, COPY_NO_HOST);
}

pi_result buffer_fill(sink *sink, pi_mem buffer, const void *pattern, size_t pattern_size,
                      size_t offset, size_t size) {
  uintptr_t start;
  TRY(fill_check(pattern_size, "offset", offset));
  TRY(fill_check(pattern_size, "size", size));
  TRY(use_range(sink, 0, buffer, offset, size, &start));
  const fill_area rows = {start, size, size, 1};
  return driver_fill(sink, &rows, pattern, pattern_size);
}

/* ---- Rectangles ---- */

static pi_result use_memory(sink *sink, int index, const rect_side *side, pi_mem buffer,
                            rect_memory *ret) {
  TRY(sink_check_memory(sink, buffer));
  REQUIRE(buffer->kind != MEMORY_IMAGE, PI_ERROR_INVALID_MEM_OBJECT, "%s is an image", side->name);
  sink->memory[index] = buffer;
  *ret = (rect_memory){(uintptr_t)buffer->pointer, buffer->size,
                       buffer->parent ? buffer->parent : buffer};
  return PI_SUCCESS;
}

static rect_memory memory_at(const void *pointer) {
  return (rect_memory){(uintptr_t)pointer, SIZE_MAX, NULL};
}

pi_result buffer_read_rect(sink *sink, const rect_side *device, pi_mem buffer,
                           const rect_side *host, void *pointer, pi_buff_rect_region region) {
  const rect_memory there = memory_at(pointer);
  rect_memory here;
  transfer read;
  TRY(use_memory(sink, 0, device, buffer, &here));
  TRY(rect_read(device, &here, host, &there, region, &read));
  return driver_copy(sink, &read, COPY_TO_HOST);
}

pi_result buffer_write_rect(sink *sink, const rect_side *host, const void *pointer,
                            const rect_side *device, pi_mem buffer, pi_buff_rect_region region) {
  const rect_memory there = memory_at(pointer);
  rect_memory here;
  transfer write;
  TRY(use_memory(sink, 0, device, buffer, &here));
  TRY(rect_read(host, &there, device, &here, region, &write));
  return driver_copy(sink, &write, COPY_FROM_HOST);
}

pi_result buffer_copy_rect(sink *sink, const rect_side *from, pi_mem source, const rect_side *to,
                           pi_mem target, pi_buff_rect_region region) {
  rect_memory there, here;
  transfer copy;
  TRY(use_memory(sink, 0, from, source, &there));
  TRY(use_memory(sink, 1, to, target, &here));
  TRY(rect_read(from, &there, to, &here, region, &copy));
  return driver_copy(sink, &copy, COPY_NO_HOST);
}

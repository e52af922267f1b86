/*
 * Commands on memory objects and events. OpenCL has each of them, so the plugin checks the
 * arguments and passes them on. Launches are in launch.c, USM in usm.c.
 */
#include "checks.h"
#include "fill.h"
#include "program.h"

#include "../base/names.h"
#include "../checks/rect.h"

IS_THREE_SIZES(pi_buff_rect_offset_struct, x_bytes, y_scalar, z_scalar);
IS_THREE_SIZES(pi_buff_rect_region_struct, width_bytes, height_scalar, depth_scalar);

pi_result piEnqueueEventsWait(pi_queue queue, pi_uint32 num_events_in_wait_list,
                              const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  cl_event made = NULL;
  return CL_ENQUEUE(EnqueueMarkerWithWaitList, cl_from_queue(queue));
}

pi_result opencl_stand_in_event(cl_command_queue queue, cl_uint count, const cl_event *wait_list,
                                cl_event *ret) {
  return CL_CALL(EnqueueMarkerWithWaitList, queue, count, wait_list, ret);
}

pi_result piEnqueueEventsWaitWithBarrier(pi_queue queue, pi_uint32 num_events_in_wait_list,
                                         const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  cl_event made = NULL;
  return CL_ENQUEUE(EnqueueBarrierWithWaitList, cl_from_queue(queue));
}

/*
 * Replaces the message of a failure if the reason is a range that leaves its buffer, for which
 * drivers report only CL_INVALID_VALUE.
 */
__attribute__((cold, noinline)) static pi_result explain_range(pi_result result, pi_mem buffer,
                                                               size_t offset, size_t size) {
  if (result == PI_ERROR_INVALID_VALUE)
    opencl_check_range(buffer, offset, size);
  return result;
}

/*
 * Checks that offset + size does not wrap. Intel's CPU runtime would take a wrapped sum for a small
 * one.
 */
static inline pi_result check_end(pi_mem buffer, size_t offset, size_t size) {
  if (__builtin_expect(size <= SIZE_MAX - offset, 1))
    return PI_SUCCESS;
  return opencl_check_range(buffer, offset, size);
}

static inline pi_result range_result(pi_result result, pi_mem buffer, size_t offset, size_t size) {
  if (__builtin_expect(result == PI_SUCCESS, 1))
    return PI_SUCCESS;
  return explain_range(result, buffer, offset, size);
}

pi_result piEnqueueMemBufferRead(pi_queue queue, pi_mem buffer, pi_bool blocking_read,
                                 size_t offset, size_t size, void *ptr,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  TRY(check_end(buffer, offset, size));
  cl_event made = NULL;
  return range_result(CL_ENQUEUE(EnqueueReadBuffer, cl_from_queue(queue), cl_from_mem(buffer),
                                 blocking_read != PI_FALSE, offset, size, ptr),
                      buffer, offset, size);
}

static rect_memory host_memory(const void *pointer) {
  return (rect_memory){(uintptr_t)pointer, SIZE_MAX, NULL};
}

static pi_result buffer_memory(pi_mem buffer, rect_memory *ret) {
  size_t size;
  TRY(CL_GET(MemObject, cl_from_mem(buffer), CL_MEM_SIZE, &size));
  *ret = (rect_memory){0, size, buffer};
  return PI_SUCCESS;
}

/*
 * Checks that a rectangle is inside its buffer, and that its host addresses do not wrap. Intel's
 * CPU runtime accepts some bad rectangles, and then accesses memory past their end.
 */
static pi_result check_host_rect(const rect_side *device, pi_mem buffer, const rect_side *host,
                                 const void *pointer, pi_buff_rect_region region) {
  const rect_memory there = host_memory(pointer);
  rect_memory here;
  transfer unused;
  TRY(buffer_memory(buffer, &here));
  return rect_read(device, &here, host, &there, region, &unused);
}

static pi_result check_rects(const rect_side *from, pi_mem source, const rect_side *to,
                             pi_mem target, pi_buff_rect_region region) {
  rect_memory there, here;
  transfer unused;
  TRY(buffer_memory(source, &there));
  TRY(buffer_memory(target, &here));
  return rect_read(from, &there, to, &here, region, &unused);
}

pi_result piEnqueueMemBufferReadRect(pi_queue queue, pi_mem buffer, pi_bool blocking_read,
                                     pi_buff_rect_offset buffer_offset,
                                     pi_buff_rect_offset host_offset, pi_buff_rect_region region,
                                     size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                     size_t host_row_pitch, size_t host_slice_pitch, void *ptr,
                                     pi_uint32 num_events_in_wait_list,
                                     const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_HOST_RECT();
  REQUIRE_WAIT_LIST();
  TRY(check_host_rect(&DEVICE_SIDE, buffer, &HOST_SIDE, ptr, region));
  cl_event made = NULL;
  return CL_ENQUEUE(EnqueueReadBufferRect, cl_from_queue(queue), cl_from_mem(buffer),
                    blocking_read != PI_FALSE, sizes(buffer_offset), sizes(host_offset),
                    sizes(region), buffer_row_pitch, buffer_slice_pitch, host_row_pitch,
                    host_slice_pitch, ptr);
}

pi_result piEnqueueMemBufferWrite(pi_queue queue, pi_mem buffer, pi_bool blocking_write,
                                  size_t offset, size_t size, const void *ptr,
                                  pi_uint32 num_events_in_wait_list,
                                  const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  TRY(check_end(buffer, offset, size));
  cl_event made = NULL;
  return range_result(CL_ENQUEUE(EnqueueWriteBuffer, cl_from_queue(queue), cl_from_mem(buffer),
                                 blocking_write != PI_FALSE, offset, size, ptr),
                      buffer, offset, size);
}

pi_result piEnqueueMemBufferWriteRect(pi_queue queue, pi_mem buffer, pi_bool blocking_write,
                                      pi_buff_rect_offset buffer_offset,
                                      pi_buff_rect_offset host_offset, pi_buff_rect_region region,
                                      size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                      size_t host_row_pitch, size_t host_slice_pitch,
                                      const void *ptr, pi_uint32 num_events_in_wait_list,
                                      const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_HOST_RECT();
  REQUIRE_WAIT_LIST();
  TRY(check_host_rect(&DEVICE_SIDE, buffer, &HOST_SIDE, ptr, region));
  cl_event made = NULL;
  return CL_ENQUEUE(EnqueueWriteBufferRect, cl_from_queue(queue), cl_from_mem(buffer),
                    blocking_write != PI_FALSE, sizes(buffer_offset), sizes(host_offset),
                    sizes(region), buffer_row_pitch, buffer_slice_pitch, host_row_pitch,
                    host_slice_pitch, ptr);
}

pi_result piEnqueueMemBufferCopy(pi_queue queue, pi_mem src_buffer, pi_mem dst_buffer,
                                 size_t src_offset, size_t dst_offset, size_t size,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(src_buffer);
  REQUIRE_MEM(dst_buffer);
  REQUIRE_WAIT_LIST();
  TRY(check_end(src_buffer, src_offset, size));
  TRY(check_end(dst_buffer, dst_offset, size));
  cl_event made = NULL;
  const pi_result result =
      CL_ENQUEUE(EnqueueCopyBuffer, cl_from_queue(queue), cl_from_mem(src_buffer),
                 cl_from_mem(dst_buffer), src_offset, dst_offset, size);
  return range_result(range_result(result, dst_buffer, dst_offset, size), src_buffer, src_offset,
                      size);
}

pi_result piEnqueueMemBufferCopyRect(pi_queue queue, pi_mem src_buffer, pi_mem dst_buffer,
                                     pi_buff_rect_offset src_origin, pi_buff_rect_offset dst_origin,
                                     pi_buff_rect_region region, size_t src_row_pitch,
                                     size_t src_slice_pitch, size_t dst_row_pitch,
                                     size_t dst_slice_pitch, pi_uint32 num_events_in_wait_list,
                                     const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_TWO_RECTS();
  REQUIRE_WAIT_LIST();
  TRY(check_rects(&FROM_SIDE, src_buffer, &TO_SIDE, dst_buffer, region));
  cl_event made = NULL;
  return CL_ENQUEUE(EnqueueCopyBufferRect, cl_from_queue(queue), cl_from_mem(src_buffer),
                    cl_from_mem(dst_buffer), sizes(src_origin), sizes(dst_origin), sizes(region),
                    src_row_pitch, src_slice_pitch, dst_row_pitch, dst_slice_pitch);
}

pi_result piEnqueueMemBufferFill(pi_queue queue, pi_mem buffer, const void *pattern,
                                 size_t pattern_size, size_t offset, size_t size,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(pattern);
  REQUIRE_WAIT_LIST();
  TRY(fill_check(pattern_size, "offset", offset));
  TRY(fill_check(pattern_size, "size", size));
  TRY(check_end(buffer, offset, size));
  if (size == 0 || fill_is_simple(pattern_size, offset)) {
    cl_event made = NULL;
    return range_result(CL_ENQUEUE(EnqueueFillBuffer, cl_from_queue(queue), cl_from_mem(buffer),
                                   pattern, pattern_size, offset, size),
                        buffer, offset, size);
  }

  /* No driver can check the whole range, because each command gets a part of it. */
  TRY(opencl_check_range(buffer, offset, size));
  const fill_target target = {.buffer = cl_from_mem(buffer)};
  sequence steps;
  sequence_begin(&steps, cl_from_queue(queue), CL_WAIT_LIST);
  const pi_result result = fill_rows(&steps, &target, offset, size, size, 1, pattern, pattern_size);
  return sequence_end(&steps, result, false, event);
}

pi_result piEnqueueMemBufferMap(pi_queue queue, pi_mem buffer, pi_bool blocking_map,
                                pi_map_flags map_flags, size_t offset, size_t size,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event, void **ret_map) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ret_map);
  REQUIRE_WAIT_LIST();
  TRY(check_map(map_flags, size));
  TRY(check_end(buffer, offset, size));
  cl_int code = CL_SUCCESS;
  cl_event made = NULL;
  void *map =
      cl.EnqueueMapBuffer(cl_from_queue(queue), cl_from_mem(buffer), blocking_map != PI_FALSE,
                          map_flags, offset, size, CL_WAIT_LIST_EVENT(&made), &code);
  TRY(range_result(
      enqueued(code, "clEnqueueMapBuffer", &made, cl_from_queue(queue), CL_WAIT_LIST, event),
      buffer, offset, size));
  *ret_map = map;
  return PI_SUCCESS;
}

pi_result piEnqueueMemUnmap(pi_queue queue, pi_mem memobj, void *mapped_ptr,
                            pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                            pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(memobj);
  REQUIRE_POINTER(mapped_ptr);
  REQUIRE_WAIT_LIST();
  cl_event made = NULL;
  return CL_ENQUEUE(EnqueueUnmapMemObject, cl_from_queue(queue), cl_from_mem(memobj), mapped_ptr);
}

/* Adds the symbol's name to the message of a failure. */
static pi_result symbol_result(pi_result result, const char *call, const char *symbol) {
  REQUIRE(result == PI_SUCCESS, result, "%s failed for \"%s\": %s (%d)", call, symbol,
          enumerator_name("pi_result", result), (int)result);
  return PI_SUCCESS;
}

static pi_result check_variable(size_t count, size_t offset, const char *name) {
  REQUIRE(count <= SIZE_MAX - offset, PI_ERROR_INVALID_VALUE,
          "%zu bytes at %zu leave the variable \"%s\"", count, offset, name);
  return PI_SUCCESS;
}

/*
 * The common end of functions that enqueue an extension's command on a variable or a pipe. Both
 * belong to the program's active build, because that is the code that runs.
 */
#define ENQUEUE_SYMBOL(function, what, symbol, ...)                                                \
  const opencl_extensions *extensions = opencl_extensions_of_queue(cl_from_queue(queue));          \
  REQUIRE(extensions->function, PI_ERROR_UNSUPPORTED_FEATURE,                                      \
          "the OpenCL driver has no " what ": cl" #function "INTEL is missing");                   \
  cl_program active;                                                                               \
  TRY(opencl_program_hold(program, &active));                                                      \
  cl_event made = NULL;                                                                            \
  const pi_result result =                                                                         \
      symbol_result(CL_EXTENSION_ENQUEUE(extensions, function, cl_from_queue(queue), active,       \
                                         symbol, __VA_ARGS__),                                     \
                    "cl" #function "INTEL", symbol);                                               \
  opencl_program_yield(program, active);                                                           \
  return result

pi_result piextEnqueueDeviceGlobalVariableWrite(pi_queue queue, pi_program program,
                                                const char *name, pi_bool blocking_write,
                                                size_t count, size_t offset, const void *src,
                                                pi_uint32 num_events_in_wait_list,
                                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(name);
  REQUIRE_POINTER(src);
  REQUIRE_WAIT_LIST();
  TRY(check_variable(count, offset, name));
  ENQUEUE_SYMBOL(EnqueueWriteGlobalVariable, "global variables", name, blocking_write != PI_FALSE,
                 count, offset, src);
}

pi_result piextEnqueueDeviceGlobalVariableRead(pi_queue queue, pi_program program, const char *name,
                                               pi_bool blocking_read, size_t count, size_t offset,
                                               void *dst, pi_uint32 num_events_in_wait_list,
                                               const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(name);
  REQUIRE_POINTER(dst);
  REQUIRE_WAIT_LIST();
  TRY(check_variable(count, offset, name));
  ENQUEUE_SYMBOL(EnqueueReadGlobalVariable, "global variables", name, blocking_read != PI_FALSE,
                 count, offset, dst);
}

pi_result piextEnqueueReadHostPipe(pi_queue queue, pi_program program, const char *pipe_symbol,
                                   pi_bool blocking, void *ptr, size_t size,
                                   pi_uint32 num_events_in_wait_list,
                                   const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(pipe_symbol);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  ENQUEUE_SYMBOL(EnqueueReadHostPipe, "host pipes", pipe_symbol, blocking != PI_FALSE, ptr, size);
}

pi_result piextEnqueueWriteHostPipe(pi_queue queue, pi_program program, const char *pipe_symbol,
                                    pi_bool blocking, void *ptr, size_t size,
                                    pi_uint32 num_events_in_wait_list,
                                    const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(pipe_symbol);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  ENQUEUE_SYMBOL(EnqueueWriteHostPipe, "host pipes", pipe_symbol, blocking != PI_FALSE, ptr, size);
}

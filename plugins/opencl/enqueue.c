/*
 * Commands on memory objects and events: OpenCL has each of them, so they are checked and
 * passed on. Launches are in launch.c, USM in usm.c.
 */
#include "checks.h"
#include "fill.h"
#include "program.h"

#include "../common/names.h"

/* PI's offsets and regions are three sizes in OpenCL's order, and are passed as arrays. */
#define IS_THREE_SIZES(type, first, second, third)                                                 \
  _Static_assert(sizeof(type) == 3 * sizeof(size_t) && offsetof(type, first) == 0 &&               \
                     offsetof(type, second) == sizeof(size_t) &&                                   \
                     offsetof(type, third) == 2 * sizeof(size_t),                                  \
                 #type " is size_t[3]")
IS_THREE_SIZES(pi_buff_rect_offset_struct, x_bytes, y_scalar, z_scalar);
IS_THREE_SIZES(pi_buff_rect_region_struct, width_bytes, height_scalar, depth_scalar);
IS_THREE_SIZES(pi_image_offset_struct, x, y, z);
IS_THREE_SIZES(pi_image_region_struct, width, height, depth);

static inline const size_t *sizes(const void *three_sizes) {
  return three_sizes;
}

pi_result piEnqueueEventsWait(pi_queue queue, pi_uint32 num_events_in_wait_list,
                              const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  cl_event made;
  return enqueued(cl.EnqueueMarkerWithWaitList(cl_from_queue(queue), CL_WAIT_LIST_EVENT(&made)),
                  "clEnqueueMarkerWithWaitList", &made, event);
}

pi_result piEnqueueEventsWaitWithBarrier(pi_queue queue, pi_uint32 num_events_in_wait_list,
                                         const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  cl_event made;
  return enqueued(cl.EnqueueBarrierWithWaitList(cl_from_queue(queue), CL_WAIT_LIST_EVENT(&made)),
                  "clEnqueueBarrierWithWaitList", &made, event);
}

/*
 * A driver says no more than CL_INVALID_VALUE when a range leaves its buffer: replaces the
 * sentence of a failure when that is the reason.
 */
__attribute__((cold, noinline)) static pi_result explain_range(pi_result result, pi_mem buffer,
                                                               size_t offset, size_t size) {
  if (result == PI_ERROR_INVALID_VALUE)
    opencl_check_range(buffer, offset, size);
  return result;
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
  cl_event made;
  return range_result(enqueued(cl.EnqueueReadBuffer(cl_from_queue(queue), cl_from_mem(buffer),
                                                    blocking_read != PI_FALSE, offset, size, ptr,
                                                    CL_WAIT_LIST_EVENT(&made)),
                               "clEnqueueReadBuffer", &made, event),
                      buffer, offset, size);
}

/* *sum += count * size; false when that is more than a size_t holds. */
static bool add_product(size_t *sum, size_t count, size_t size) {
  size_t product;
  return !__builtin_mul_overflow(count, size, &product) &&
         !__builtin_add_overflow(*sum, product, sum);
}

/*
 * That a rectangle lies in its buffer: Intel's CPU runtime accepts some that do not, and
 * then reads and writes behind the buffer.
 */
static pi_result check_rect(const char *name, pi_mem buffer, pi_buff_rect_offset offset,
                            pi_buff_rect_region region, size_t row_pitch, size_t slice_pitch) {
  if (region->width_bytes == 0 || region->height_scalar == 0 || region->depth_scalar == 0)
    return pi_error(PI_ERROR_INVALID_VALUE, "the region is %zu bytes x %zu rows x %zu slices",
                    region->width_bytes, region->height_scalar, region->depth_scalar);
  size_t buffer_size;
  PI_TRY(cl_result(
      cl.GetMemObjectInfo(cl_from_mem(buffer), CL_MEM_SIZE, sizeof buffer_size, &buffer_size, NULL),
      "clGetMemObjectInfo"));
  /* A pitch of 0 means tightly packed. */
  const size_t row = row_pitch ? row_pitch : region->width_bytes;
  size_t slice = slice_pitch;
  size_t end = 0;
  const bool fits = (slice || add_product(&slice, region->height_scalar, row)) &&
                    add_product(&end, offset->z_scalar, slice) &&
                    add_product(&end, region->depth_scalar - 1, slice) &&
                    add_product(&end, offset->y_scalar, row) &&
                    add_product(&end, region->height_scalar - 1, row) &&
                    add_product(&end, offset->x_bytes, 1) &&
                    add_product(&end, region->width_bytes, 1) && end <= buffer_size;
  PI_REQUIRE(fits, PI_ERROR_INVALID_VALUE,
             "the region of %zux%zux%zu at %zu, %zu, %zu with pitches %zu and %zu leaves %s, which "
             "has %zu bytes",
             region->width_bytes, region->height_scalar, region->depth_scalar, offset->x_bytes,
             offset->y_scalar, offset->z_scalar, row, slice, name, buffer_size);
  return PI_SUCCESS;
}

pi_result piEnqueueMemBufferReadRect(pi_queue queue, pi_mem buffer, pi_bool blocking_read,
                                     pi_buff_rect_offset buffer_offset,
                                     pi_buff_rect_offset host_offset, pi_buff_rect_region region,
                                     size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                     size_t host_row_pitch, size_t host_slice_pitch, void *ptr,
                                     pi_uint32 num_events_in_wait_list,
                                     const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(buffer_offset);
  REQUIRE_POINTER(host_offset);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  PI_TRY(check_rect("buffer", buffer, buffer_offset, region, buffer_row_pitch, buffer_slice_pitch));
  cl_event made;
  return enqueued(cl.EnqueueReadBufferRect(cl_from_queue(queue), cl_from_mem(buffer),
                                           blocking_read != PI_FALSE, sizes(buffer_offset),
                                           sizes(host_offset), sizes(region), buffer_row_pitch,
                                           buffer_slice_pitch, host_row_pitch, host_slice_pitch,
                                           ptr, CL_WAIT_LIST_EVENT(&made)),
                  "clEnqueueReadBufferRect", &made, event);
}

pi_result piEnqueueMemBufferWrite(pi_queue queue, pi_mem buffer, pi_bool blocking_write,
                                  size_t offset, size_t size, const void *ptr,
                                  pi_uint32 num_events_in_wait_list,
                                  const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  cl_event made;
  return range_result(enqueued(cl.EnqueueWriteBuffer(cl_from_queue(queue), cl_from_mem(buffer),
                                                     blocking_write != PI_FALSE, offset, size, ptr,
                                                     CL_WAIT_LIST_EVENT(&made)),
                               "clEnqueueWriteBuffer", &made, event),
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
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(buffer_offset);
  REQUIRE_POINTER(host_offset);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  PI_TRY(check_rect("buffer", buffer, buffer_offset, region, buffer_row_pitch, buffer_slice_pitch));
  cl_event made;
  return enqueued(cl.EnqueueWriteBufferRect(cl_from_queue(queue), cl_from_mem(buffer),
                                            blocking_write != PI_FALSE, sizes(buffer_offset),
                                            sizes(host_offset), sizes(region), buffer_row_pitch,
                                            buffer_slice_pitch, host_row_pitch, host_slice_pitch,
                                            ptr, CL_WAIT_LIST_EVENT(&made)),
                  "clEnqueueWriteBufferRect", &made, event);
}

pi_result piEnqueueMemBufferCopy(pi_queue queue, pi_mem src_buffer, pi_mem dst_buffer,
                                 size_t src_offset, size_t dst_offset, size_t size,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(src_buffer);
  REQUIRE_MEM(dst_buffer);
  REQUIRE_WAIT_LIST();
  cl_event made;
  const pi_result result = enqueued(
      cl.EnqueueCopyBuffer(cl_from_queue(queue), cl_from_mem(src_buffer), cl_from_mem(dst_buffer),
                           src_offset, dst_offset, size, CL_WAIT_LIST_EVENT(&made)),
      "clEnqueueCopyBuffer", &made, event);
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
  REQUIRE_MEM(src_buffer);
  REQUIRE_MEM(dst_buffer);
  REQUIRE_POINTER(src_origin);
  REQUIRE_POINTER(dst_origin);
  REQUIRE_POINTER(region);
  REQUIRE_WAIT_LIST();
  PI_TRY(check_rect("src_buffer", src_buffer, src_origin, region, src_row_pitch, src_slice_pitch));
  PI_TRY(check_rect("dst_buffer", dst_buffer, dst_origin, region, dst_row_pitch, dst_slice_pitch));
  cl_event made;
  return enqueued(cl.EnqueueCopyBufferRect(
                      cl_from_queue(queue), cl_from_mem(src_buffer), cl_from_mem(dst_buffer),
                      sizes(src_origin), sizes(dst_origin), sizes(region), src_row_pitch,
                      src_slice_pitch, dst_row_pitch, dst_slice_pitch, CL_WAIT_LIST_EVENT(&made)),
                  "clEnqueueCopyBufferRect", &made, event);
}

pi_result piEnqueueMemBufferFill(pi_queue queue, pi_mem buffer, const void *pattern,
                                 size_t pattern_size, size_t offset, size_t size,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(pattern);
  REQUIRE_WAIT_LIST();
  PI_REQUIRE(pattern_size != 0, PI_ERROR_INVALID_VALUE, "pattern_size is 0");
  PI_REQUIRE(offset % pattern_size == 0 && size % pattern_size == 0, PI_ERROR_INVALID_VALUE,
             "%s is %zu, not a multiple of pattern_size %zu",
             offset % pattern_size ? "offset" : "size", offset % pattern_size ? offset : size,
             pattern_size);
  if (size == 0 || fill_is_simple(pattern_size, offset)) {
    cl_event made;
    return range_result(
        enqueued(cl.EnqueueFillBuffer(cl_from_queue(queue), cl_from_mem(buffer), pattern,
                                      pattern_size, offset, size, CL_WAIT_LIST_EVENT(&made)),
                 "clEnqueueFillBuffer", &made, event),
        buffer, offset, size);
  }

  /* Checked here, because no driver sees the range as a whole. */
  PI_TRY(opencl_check_range(buffer, offset, size));
  const fill_target target = {.buffer = cl_from_mem(buffer)};
  sequence steps;
  sequence_begin(&steps, cl_from_queue(queue), CL_WAIT_LIST);
  const pi_result result = fill_rows(&steps, &target, offset, size, size, 1, pattern, pattern_size);
  return sequence_end(&steps, result, false, event);
}

pi_result piEnqueueMemImageRead(pi_queue queue, pi_mem image, pi_bool blocking_read,
                                pi_image_offset origin, pi_image_region region, size_t row_pitch,
                                size_t slice_pitch, void *ptr, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  cl_event made;
  return enqueued(cl.EnqueueReadImage(cl_from_queue(queue), cl_from_mem(image),
                                      blocking_read != PI_FALSE, sizes(origin), sizes(region),
                                      row_pitch, slice_pitch, ptr, CL_WAIT_LIST_EVENT(&made)),
                  "clEnqueueReadImage", &made, event);
}

pi_result piEnqueueMemImageWrite(pi_queue queue, pi_mem image, pi_bool blocking_write,
                                 pi_image_offset origin, pi_image_region region,
                                 size_t input_row_pitch, size_t input_slice_pitch, const void *ptr,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  cl_event made;
  return enqueued(cl.EnqueueWriteImage(cl_from_queue(queue), cl_from_mem(image),
                                       blocking_write != PI_FALSE, sizes(origin), sizes(region),
                                       input_row_pitch, input_slice_pitch, ptr,
                                       CL_WAIT_LIST_EVENT(&made)),
                  "clEnqueueWriteImage", &made, event);
}

pi_result piEnqueueMemImageCopy(pi_queue queue, pi_mem src_image, pi_mem dst_image,
                                pi_image_offset src_origin, pi_image_offset dst_origin,
                                pi_image_region region, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(src_image);
  REQUIRE_MEM(dst_image);
  REQUIRE_POINTER(src_origin);
  REQUIRE_POINTER(dst_origin);
  REQUIRE_POINTER(region);
  REQUIRE_WAIT_LIST();
  cl_event made;
  return enqueued(cl.EnqueueCopyImage(cl_from_queue(queue), cl_from_mem(src_image),
                                      cl_from_mem(dst_image), sizes(src_origin), sizes(dst_origin),
                                      sizes(region), CL_WAIT_LIST_EVENT(&made)),
                  "clEnqueueCopyImage", &made, event);
}

pi_result piEnqueueMemImageFill(pi_queue queue, pi_mem image, const void *fill_color,
                                const size_t *origin, const size_t *region,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(image);
  REQUIRE_POINTER(fill_color);
  REQUIRE_POINTER(origin);
  REQUIRE_POINTER(region);
  REQUIRE_WAIT_LIST();
  cl_event made;
  return enqueued(cl.EnqueueFillImage(cl_from_queue(queue), cl_from_mem(image), fill_color, origin,
                                      region, CL_WAIT_LIST_EVENT(&made)),
                  "clEnqueueFillImage", &made, event);
}

pi_result piEnqueueMemBufferMap(pi_queue queue, pi_mem buffer, pi_bool blocking_map,
                                pi_map_flags map_flags, size_t offset, size_t size,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event, void **ret_map) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ret_map);
  REQUIRE_WAIT_LIST();
  cl_int code = CL_SUCCESS;
  cl_event made;
  void *map =
      cl.EnqueueMapBuffer(cl_from_queue(queue), cl_from_mem(buffer), blocking_map != PI_FALSE,
                          map_flags, offset, size, CL_WAIT_LIST_EVENT(&made), &code);
  PI_TRY(range_result(enqueued(code, "clEnqueueMapBuffer", &made, event), buffer, offset, size));
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
  cl_event made;
  return enqueued(cl.EnqueueUnmapMemObject(cl_from_queue(queue), cl_from_mem(memobj), mapped_ptr,
                                           CL_WAIT_LIST_EVENT(&made)),
                  "clEnqueueUnmapMemObject", &made, event);
}

/* Variables and pipes belong to the code that runs now, the active build of the program. */
#define REQUIRE_FUNCTION(extensions, function, what)                                               \
  PI_REQUIRE((extensions)->function, PI_ERROR_UNSUPPORTED_FEATURE,                                 \
             "the OpenCL driver has no " what ": cl" #function "INTEL is missing")

/* Names the symbol, which the driver's code alone does not. */
static pi_result symbol_result(pi_result result, const char *call, const char *symbol) {
  PI_REQUIRE(result == PI_SUCCESS, result, "%s failed for \"%s\": %s (%d)", call, symbol,
             pi_name("pi_result", result), (int)result);
  return PI_SUCCESS;
}

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
  const opencl_extensions *extensions = opencl_extensions_of_queue(cl_from_queue(queue));
  REQUIRE_FUNCTION(extensions, EnqueueWriteGlobalVariable, "access to global variables");
  cl_program active;
  PI_REQUIRE(count <= SIZE_MAX - offset, PI_ERROR_INVALID_VALUE,
             "%zu bytes at %zu leave the variable \"%s\"", count, offset, name);
  PI_TRY(opencl_program_hold(program, &active));
  cl_event made;
  const pi_result result =
      symbol_result(enqueued(extensions->EnqueueWriteGlobalVariable(
                                 cl_from_queue(queue), active, name, blocking_write != PI_FALSE,
                                 count, offset, src, CL_WAIT_LIST_EVENT(&made)),
                             "clEnqueueWriteGlobalVariableINTEL", &made, event),
                    "clEnqueueWriteGlobalVariableINTEL", name);
  opencl_program_yield(program, active);
  return result;
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
  const opencl_extensions *extensions = opencl_extensions_of_queue(cl_from_queue(queue));
  REQUIRE_FUNCTION(extensions, EnqueueReadGlobalVariable, "access to global variables");
  cl_program active;
  PI_REQUIRE(count <= SIZE_MAX - offset, PI_ERROR_INVALID_VALUE,
             "%zu bytes at %zu leave the variable \"%s\"", count, offset, name);
  PI_TRY(opencl_program_hold(program, &active));
  cl_event made;
  const pi_result result =
      symbol_result(enqueued(extensions->EnqueueReadGlobalVariable(
                                 cl_from_queue(queue), active, name, blocking_read != PI_FALSE,
                                 count, offset, dst, CL_WAIT_LIST_EVENT(&made)),
                             "clEnqueueReadGlobalVariableINTEL", &made, event),
                    "clEnqueueReadGlobalVariableINTEL", name);
  opencl_program_yield(program, active);
  return result;
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
  const opencl_extensions *extensions = opencl_extensions_of_queue(cl_from_queue(queue));
  REQUIRE_FUNCTION(extensions, EnqueueReadHostPipe, "host pipes");
  cl_program active;
  PI_TRY(opencl_program_hold(program, &active));
  cl_event made;
  const pi_result result =
      symbol_result(enqueued(extensions->EnqueueReadHostPipe(cl_from_queue(queue), active,
                                                             pipe_symbol, blocking != PI_FALSE, ptr,
                                                             size, CL_WAIT_LIST_EVENT(&made)),
                             "clEnqueueReadHostPipeINTEL", &made, event),
                    "clEnqueueReadHostPipeINTEL", pipe_symbol);
  opencl_program_yield(program, active);
  return result;
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
  const opencl_extensions *extensions = opencl_extensions_of_queue(cl_from_queue(queue));
  REQUIRE_FUNCTION(extensions, EnqueueWriteHostPipe, "host pipes");
  cl_program active;
  PI_TRY(opencl_program_hold(program, &active));
  cl_event made;
  const pi_result result =
      symbol_result(enqueued(extensions->EnqueueWriteHostPipe(cl_from_queue(queue), active,
                                                              pipe_symbol, blocking != PI_FALSE,
                                                              ptr, size, CL_WAIT_LIST_EVENT(&made)),
                             "clEnqueueWriteHostPipeINTEL", &made, event),
                    "clEnqueueWriteHostPipeINTEL", pipe_symbol);
  opencl_program_yield(program, active);
  return result;
}

/*
 * Commands on memory objects and events, enqueued or recorded. OpenCL has each of them, so the
 * plugin checks the arguments and passes them on. pi/ has the entries. Launches are in launch.c,
 * USM in usm.c.
 */
#include "command_buffer.h"
#include "fill.h"
#include "program.h"

#include "../../pi/sinks.h"
#include "../base/names.h"
#include "../checks/usm_arguments.h"
#include "../objects/buffer_command.h"
#include "../objects/image_command.h"
#include "../objects/memory_map.h"
#include "../objects/queue_command.h"

IS_THREE_SIZES(pi_buff_rect_offset_struct, x_bytes, y_scalar, z_scalar);
IS_THREE_SIZES(pi_buff_rect_region_struct, width_bytes, height_scalar, depth_scalar);
IS_THREE_SIZES(pi_image_offset_struct, x, y, z);
IS_THREE_SIZES(pi_image_region_struct, width, height, depth);

/* OpenCL's markers and barriers join by themselves if there is no wait list. */
pi_result marker_enqueue(sink *sink, bool joins) {
  (void)joins;
  return CL_ENQUEUE(EnqueueMarkerWithWaitList, cl_from_queue(sink->queue));
}

pi_result barrier_enqueue(sink *sink, bool joins) {
  (void)joins;
  return CL_ENQUEUE(EnqueueBarrierWithWaitList, cl_from_queue(sink->queue));
}

pi_result opencl_stand_in_event(sink *sink) {
  return CL_CALL(EnqueueMarkerWithWaitList, cl_from_queue(sink->queue), CL_WAIT_LIST, &sink->made);
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

static pi_result replay_read(const command *command, sink *sink) {
  const range_command *range = &command->range;
  return buffer_read(sink, pi_from_cl_mem(command->mems[0]), range->from, range->size,
                     range->destination);
}

pi_result buffer_read(sink *sink, pi_mem buffer, size_t offset, size_t size, void *pointer) {
  RECORD(NULL, .replay = replay_read, .mems = {cl_from_mem(buffer)},
         .range = {.from = offset, .size = size, .destination = pointer});
  TRY(check_end(buffer, offset, size));
  return range_result(CL_ENQUEUE(EnqueueReadBuffer, cl_from_queue(sink->queue), cl_from_mem(buffer),
                                 sink->is_blocking, offset, size, pointer),
                      buffer, offset, size);
}

static pi_result replay_write(const command *command, sink *sink) {
  const range_command *range = &command->range;
  return buffer_write(sink, pi_from_cl_mem(command->mems[0]), range->to, range->size,
                      range->source);
}

/* A recorded write reads the host memory each time that it runs, like the other backends. */
pi_result buffer_write(sink *sink, pi_mem buffer, size_t offset, size_t size, const void *pointer) {
  RECORD(NULL, .replay = replay_write, .mems = {cl_from_mem(buffer)},
         .range = {.to = offset, .size = size, .source = pointer});
  TRY(check_end(buffer, offset, size));
  return range_result(CL_ENQUEUE(EnqueueWriteBuffer, cl_from_queue(sink->queue),
                                 cl_from_mem(buffer), sink->is_blocking, offset, size, pointer),
                      buffer, offset, size);
}

static pi_result replay_copy(const command *command, sink *sink) {
  const range_command *range = &command->range;
  return buffer_copy(sink, pi_from_cl_mem(command->mems[0]), pi_from_cl_mem(command->mems[1]),
                     range->from, range->to, range->size);
}

pi_result buffer_copy(sink *sink, pi_mem from, pi_mem to, size_t from_offset, size_t to_offset,
                      size_t size) {
  RECORD(NULL, .replay = replay_copy, .mems = {cl_from_mem(from), cl_from_mem(to)},
         .range = {.from = from_offset, .to = to_offset, .size = size});
  TRY(check_end(from, from_offset, size));
  TRY(check_end(to, to_offset, size));
  const pi_result result =
      CL_ENQUEUE(EnqueueCopyBuffer, cl_from_queue(sink->queue), cl_from_mem(from), cl_from_mem(to),
                 from_offset, to_offset, size);
  return range_result(range_result(result, to, to_offset, size), from, from_offset, size);
}

static pi_result replay_fill(const command *command, sink *sink) {
  const fill_command *fill = &command->fill;
  return buffer_fill(sink, pi_from_cl_mem(command->mems[0]), command->pattern, fill->pattern_size,
                     fill->offset, fill->size);
}

pi_result buffer_fill(sink *sink, pi_mem buffer, const void *pattern, size_t pattern_size,
                      size_t offset, size_t size) {
  TRY(fill_check(pattern_size, "offset", offset));
  TRY(fill_check(pattern_size, "size", size));
  RECORD(pattern, .replay = replay_fill, .mems = {cl_from_mem(buffer)},
         .fill = {.offset = offset, .size = size, .pattern_size = pattern_size});
  TRY(check_end(buffer, offset, size));
  if (size == 0 || fill_is_simple(pattern_size, offset))
    return range_result(CL_ENQUEUE(EnqueueFillBuffer, cl_from_queue(sink->queue),
                                   cl_from_mem(buffer), pattern, pattern_size, offset, size),
                        buffer, offset, size);

  /* No driver can check the whole range, because each command gets a part of it. */
  TRY(opencl_check_range(buffer, offset, size));
  const fill_target target = {.buffer = cl_from_mem(buffer)};
  sequence steps;
  sequence_begin(&steps, sink);
  return sequence_end(&steps,
                      fill_rows(&steps, &target, offset, size, size, 1, pattern, pattern_size));
}

/* ---- Rectangles ---- */

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

/* Records a copy between two rectangles. destination and source are the host's, or NULL. */
static pi_result record_rect(const sink *sink, command_replay *replay, cl_mem first_mem,
                             cl_mem second_mem, const rect_side *first, const rect_side *second,
                             pi_buff_rect_region region, void *destination, const void *source) {
  const command command = {
      .replay = replay,
      .mems = {first_mem, second_mem},
      .rect = {{*first, *second}, {*first->offset, *second->offset}, *region, destination, source}};
  return command_buffer_append(sink, &command, NULL);
}

/* Returns the command's rectangle, whose sides point to the offsets in *ret. */
static rect_command *rect_of(const command *command, rect_command *ret) {
  *ret = command->rect;
  for (int i = 0; i < 2; i++)
    ret->sides[i].offset = &ret->offsets[i];
  return ret;
}

static pi_result replay_read_rect(const command *command, sink *sink) {
  rect_command *rect = rect_of(command, &(rect_command){0});
  return buffer_read_rect(sink, &rect->sides[0], pi_from_cl_mem(command->mems[0]), &rect->sides[1],
                          rect->destination, &rect->region);
}

pi_result buffer_read_rect(sink *sink, const rect_side *device, pi_mem buffer,
                           const rect_side *host, void *pointer, pi_buff_rect_region region) {
  if (sink->buffer)
    return record_rect(sink, replay_read_rect, cl_from_mem(buffer), NULL, device, host, region,
                       pointer, NULL);
  TRY(check_host_rect(device, buffer, host, pointer, region));
  return CL_ENQUEUE(EnqueueReadBufferRect, cl_from_queue(sink->queue), cl_from_mem(buffer),
                    sink->is_blocking, sizes(device->offset), sizes(host->offset), sizes(region),
                    device->row_pitch, device->slice_pitch, host->row_pitch, host->slice_pitch,
                    pointer);
}

static pi_result replay_write_rect(const command *command, sink *sink) {
  rect_command *rect = rect_of(command, &(rect_command){0});
  return buffer_write_rect(sink, &rect->sides[1], rect->source, &rect->sides[0],
                           pi_from_cl_mem(command->mems[0]), &rect->region);
}

pi_result buffer_write_rect(sink *sink, const rect_side *host, const void *pointer,
                            const rect_side *device, pi_mem buffer, pi_buff_rect_region region) {
  if (sink->buffer)
    return record_rect(sink, replay_write_rect, cl_from_mem(buffer), NULL, device, host, region,
                       NULL, pointer);
  TRY(check_host_rect(device, buffer, host, pointer, region));
  return CL_ENQUEUE(EnqueueWriteBufferRect, cl_from_queue(sink->queue), cl_from_mem(buffer),
                    sink->is_blocking, sizes(device->offset), sizes(host->offset), sizes(region),
                    device->row_pitch, device->slice_pitch, host->row_pitch, host->slice_pitch,
                    pointer);
}

static pi_result replay_copy_rect(const command *command, sink *sink) {
  rect_command *rect = rect_of(command, &(rect_command){0});
  return buffer_copy_rect(sink, &rect->sides[0], pi_from_cl_mem(command->mems[0]), &rect->sides[1],
                          pi_from_cl_mem(command->mems[1]), &rect->region);
}

pi_result buffer_copy_rect(sink *sink, const rect_side *from, pi_mem source, const rect_side *to,
                           pi_mem target, pi_buff_rect_region region) {
  if (sink->buffer)
    return record_rect(sink, replay_copy_rect, cl_from_mem(source), cl_from_mem(target), from, to,
                       region, NULL, NULL);
  TRY(check_rects(from, source, to, target, region));
  return CL_ENQUEUE(EnqueueCopyBufferRect, cl_from_queue(sink->queue), cl_from_mem(source),
                    cl_from_mem(target), sizes(from->offset), sizes(to->offset), sizes(region),
                    from->row_pitch, from->slice_pitch, to->row_pitch, to->slice_pitch);
}

/* ---- Maps ---- */

pi_result memory_map_buffer(sink *sink, pi_mem buffer, pi_map_flags flags, size_t offset,
                            size_t size, void **ret) {
  TRY(check_map(flags, size));
  TRY(check_end(buffer, offset, size));
  cl_int code = CL_SUCCESS;
  void *map =
      cl.EnqueueMapBuffer(cl_from_queue(sink->queue), cl_from_mem(buffer), sink->is_blocking, flags,
                          offset, size, CL_WAIT_LIST_EVENT, &code);
  TRY(range_result(enqueued(sink, code, "clEnqueueMapBuffer"), buffer, offset, size));
  *ret = map;
  return PI_SUCCESS;
}

pi_result memory_unmap(sink *sink, pi_mem mem, const void *pointer) {
  return CL_ENQUEUE(EnqueueUnmapMemObject, cl_from_queue(sink->queue), cl_from_mem(mem),
                    (void *)(uintptr_t)pointer);
}

/*
 * ---- Images. The plugin checks that a part is inside its image, because Intel's CPU runtime takes
 * a sum of origin and region that wraps for a small one.
 */

static pi_result get_size(cl_mem image, cl_image_info query, size_t *ret) {
  return CL_GET(Image, image, query, ret);
}

/* Reads the image's sizes; 1 for a dimension that it does not have. */
static pi_result read_shape(pi_mem image, image_shape *ret) {
  const cl_mem object = cl_from_mem(image);
  cl_mem_object_type type;
  TRY(CL_GET(MemObject, object, CL_MEM_TYPE, &type));
  size_t layers;
  image_shape shape = {.type = (pi_mem_type)type};
  TRY(get_size(object, CL_IMAGE_WIDTH, &shape.width));
  TRY(get_size(object, CL_IMAGE_HEIGHT, &shape.height));
  TRY(get_size(object, CL_IMAGE_DEPTH, &shape.depth));
  TRY(get_size(object, CL_IMAGE_ARRAY_SIZE, &layers));
  const bool is_array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  shape.depth = is_array ? layers : shape.depth ? shape.depth : 1;
  shape.height = shape.height ? shape.height : 1;
  *ret = shape;
  return PI_SUCCESS;
}

static pi_result check_part(pi_mem image, const size_t *origin, const size_t *region) {
  image_shape shape;
  image_box box;
  TRY(read_shape(image, &shape));
  return image_box_read(&shape, origin, region, &box);
}

/* Checks a part of an image, and the host memory that it is copied from or to. */
static pi_result check_transfer(pi_mem image, pi_image_offset origin, pi_image_region region,
                                size_t row_pitch, size_t slice_pitch, const void *ptr) {
  image_shape shape;
  image_box box;
  size_t pixel, size;
  TRY(read_shape(image, &shape));
  TRY(image_region_read(&shape, origin, region, &box));
  TRY(get_size(cl_from_mem(image), CL_IMAGE_ELEMENT_SIZE, &pixel));
  const image_extent extent = {box.width * pixel, box.height, box.depth};
  TRY(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &row_pitch, &slice_pitch, &size));
  return check_bytes("ptr", ptr, size);
}

pi_result image_read(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                     size_t row_pitch, size_t slice_pitch, void *pointer) {
  TRY(check_transfer(image, origin, region, row_pitch, slice_pitch, pointer));
  return CL_ENQUEUE(EnqueueReadImage, cl_from_queue(sink->queue), cl_from_mem(image),
                    sink->is_blocking, sizes(origin), sizes(region), row_pitch, slice_pitch,
                    pointer);
}

pi_result image_write(sink *sink, pi_mem image, pi_image_offset origin, pi_image_region region,
                      size_t row_pitch, size_t slice_pitch, const void *pointer) {
  TRY(check_transfer(image, origin, region, row_pitch, slice_pitch, pointer));
  return CL_ENQUEUE(EnqueueWriteImage, cl_from_queue(sink->queue), cl_from_mem(image),
                    sink->is_blocking, sizes(origin), sizes(region), row_pitch, slice_pitch,
                    pointer);
}

pi_result image_copy(sink *sink, pi_mem from, pi_image_offset from_origin, pi_mem to,
                     pi_image_offset to_origin, pi_image_region region) {
  TRY(check_part(from, sizes(from_origin), sizes(region)));
  TRY(check_part(to, sizes(to_origin), sizes(region)));
  return CL_ENQUEUE(EnqueueCopyImage, cl_from_queue(sink->queue), cl_from_mem(from),
                    cl_from_mem(to), sizes(from_origin), sizes(to_origin), sizes(region));
}

pi_result image_fill(sink *sink, pi_mem image, const void *colour, const size_t *origin,
                     const size_t *region) {
  TRY(check_part(image, origin, region));
  return CL_ENQUEUE(EnqueueFillImage, cl_from_queue(sink->queue), cl_from_mem(image), colour,
                    origin, region);
}

/* ---- Variables and pipes ---- */

/* Adds the symbol's name to the message of a failure. */
static pi_result symbol_result(pi_result result, const char *call, const char *symbol) {
  REQUIRE(result == PI_SUCCESS, result, "%s failed for \"%s\": %s (%d)", call, symbol,
          enumerator_name("pi_result", result), (int)result);
  return PI_SUCCESS;
}

/*
 * The common end of functions that enqueue an extension's command on a variable or a pipe. Both
 * belong to the program's active build, because that is the code that runs.
 */
#define ENQUEUE_SYMBOL(function, what, symbol, ...)                                                \
  const opencl_extensions *extensions = opencl_extensions_of_queue(cl_from_queue(sink->queue));    \
  REQUIRE(extensions->function, PI_ERROR_UNSUPPORTED_FEATURE,                                      \
          "the OpenCL driver has no " what ": cl" #function "INTEL is missing");                   \
  cl_program active;                                                                               \
  TRY(opencl_program_hold(program, &active));                                                      \
  const pi_result result =                                                                         \
      symbol_result(CL_EXTENSION_ENQUEUE(extensions, function, cl_from_queue(sink->queue), active, \
                                         symbol, __VA_ARGS__),                                     \
                    "cl" #function "INTEL", symbol);                                               \
  opencl_program_yield(program, active);                                                           \
  return result

static pi_result write_variable(sink *sink, pi_program program, const variable_copy *copy) {
  ENQUEUE_SYMBOL(EnqueueWriteGlobalVariable, "global variables", copy->name, sink->is_blocking,
                 copy->count, copy->offset, copy->from);
}

static pi_result read_variable(sink *sink, pi_program program, const variable_copy *copy) {
  ENQUEUE_SYMBOL(EnqueueReadGlobalVariable, "global variables", copy->name, sink->is_blocking,
                 copy->count, copy->offset, copy->to);
}

pi_result program_copy_variable(sink *sink, const variable_copy *copy) {
  REQUIRE(copy->count <= SIZE_MAX - copy->offset, PI_ERROR_INVALID_VALUE,
          "%zu bytes at %zu leave the variable \"%s\"", copy->count, copy->offset, copy->name);
  return copy->from ? write_variable(sink, copy->program, copy)
                    : read_variable(sink, copy->program, copy);
}

static pi_result enqueue_pipe(sink *sink, pi_program program, const char *pipe, bool reads,
                              void *ptr, size_t size) {
  REQUIRE_PROGRAM(program);
  REQUIRE(pipe, PI_ERROR_INVALID_VALUE, "pipe_symbol is NULL");
  REQUIRE_POINTER(ptr);
  if (reads) {
    ENQUEUE_SYMBOL(EnqueueReadHostPipe, "host pipes", pipe, sink->is_blocking, ptr, size);
  }
  ENQUEUE_SYMBOL(EnqueueWriteHostPipe, "host pipes", pipe, sink->is_blocking, ptr, size);
}

#define PIPE_ENTRY(name, reads)                                                                    \
  pi_result name(pi_queue queue, pi_program program, const char *pipe_symbol, pi_bool blocking,    \
                 void *ptr, size_t size, pi_uint32 num_events_in_wait_list,                        \
                 const pi_event *event_wait_list, pi_event *event) {                               \
    REQUIRE_QUEUE(queue);                                                                          \
    REQUIRE_WAIT_LIST();                                                                           \
    sink sink = SINK_OF_QUEUE(BARRIER, blocking != PI_FALSE);                                      \
    return enqueue_pipe(&sink, program, pipe_symbol, reads, ptr, size);                            \
  }

PIPE_ENTRY(piextEnqueueReadHostPipe, true)
PIPE_ENTRY(piextEnqueueWriteHostPipe, false)

/* Copies, fills, maps, markers and launches of the fake OpenCL. */
#include "fake.h"

#include <string.h>

#define FAKE_REQUIRE_QUEUE(queue) FAKE_REQUIRE(fake_is(queue, FAKE_QUEUE), CL_INVALID_COMMAND_QUEUE)

#define FAKE_REQUIRE_BUFFER(buffer)                                                                \
  do {                                                                                             \
    FAKE_REQUIRE(fake_is(buffer, FAKE_MEM) && (buffer)->type == CL_MEM_OBJECT_BUFFER,              \
                 CL_INVALID_MEM_OBJECT);                                                           \
    FAKE_REQUIRE((buffer)->context == queue->context, CL_INVALID_CONTEXT);                         \
  } while (0)

#define FAKE_REQUIRE_IMAGE(image)                                                                  \
  do {                                                                                             \
    FAKE_REQUIRE(fake_is(image, FAKE_MEM) && (image)->element != 0, CL_INVALID_MEM_OBJECT);        \
    FAKE_REQUIRE((image)->context == queue->context, CL_INVALID_CONTEXT);                          \
  } while (0)

static bool inside(cl_mem buffer, size_t offset, size_t size) {
  return size != 0 && offset <= buffer->size && size <= buffer->size - offset;
}

/* Returns a box with a single row of size bytes. */
static fake_box line(void *bytes) {
  return (fake_box){bytes, 0, 0};
}

/* The same for memory that is only read. */
static fake_box constant_line(const void *bytes) {
  fake_box box = {0};
  memcpy(&box.bytes, &bytes, sizeof bytes);
  return box;
}

static fake_command copy_of(cl_command_type type, fake_box to, fake_box from, size_t size) {
  return (fake_command){
      .type = type, .work = FAKE_WORK_COPY, .to = to, .from = from, .region = {size, 1, 1}};
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *ptr, cl_uint num_events, const cl_event *events,
                           cl_event *event) {
  FAKE_ENTER(EnqueueReadBuffer);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE_BUFFER(buffer);
  FAKE_REQUIRE(ptr && inside(buffer, offset, size), CL_INVALID_VALUE);
  fake_command command =
      copy_of(CL_COMMAND_READ_BUFFER, line(ptr), line(buffer->bytes + offset), size);
  command.mems[0] = buffer;
  return fake_submit(&command, queue, num_events, events, blocking, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void *ptr, cl_uint num_events,
                            const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueWriteBuffer);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE_BUFFER(buffer);
  FAKE_REQUIRE(ptr && inside(buffer, offset, size), CL_INVALID_VALUE);
  fake_command command =
      copy_of(CL_COMMAND_WRITE_BUFFER, line(buffer->bytes + offset), constant_line(ptr), size);
  command.mems[0] = buffer;
  return fake_submit(&command, queue, num_events, events, blocking, event);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t size, cl_uint num_events,
                           const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueCopyBuffer);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE_BUFFER(from);
  FAKE_REQUIRE_BUFFER(to);
  FAKE_REQUIRE(inside(from, from_offset, size) && inside(to, to_offset, size), CL_INVALID_VALUE);
  const unsigned char *first = from->bytes + from_offset;
  unsigned char *second = to->bytes + to_offset;
  FAKE_REQUIRE(first + size <= second || second + size <= first, CL_MEM_COPY_OVERLAP);
  fake_command command =
      copy_of(CL_COMMAND_COPY_BUFFER, line(second), line(from->bytes + from_offset), size);
  command.mems[0] = from;
  command.mems[1] = to;
  return fake_submit(&command, queue, num_events, events, CL_FALSE, event);
}

/* Moves a box to origin, with these pitches; 0 means tight. Returns false if they are invalid. */
static bool box_at(fake_box *box, const size_t *origin, const size_t *region, size_t row,
                   size_t slice) {
  row = row ? row : region[0];
  slice = slice ? slice : row * region[1];
  if (row < region[0] || slice < row * region[1] || slice % row != 0)
    return false;
  box->bytes += origin[0] + origin[1] * row + origin[2] * slice;
  box->row = row;
  box->slice = slice;
  return true;
}

/* The same in a buffer. Returns false also if the region does not fit. */
static bool box_in(cl_mem buffer, fake_box *box, const size_t *origin, const size_t *region,
                   size_t row, size_t slice) {
  *box = line(buffer->bytes);
  if (region[0] == 0 || region[1] == 0 || region[2] == 0 ||
      !box_at(box, origin, region, row, slice))
    return false;
  const size_t end = (size_t)(box->bytes - buffer->bytes) + (region[2] - 1) * box->slice +
                     (region[1] - 1) * box->row + region[0];
  return end <= buffer->size;
}

static fake_command rect_of(cl_command_type type, const size_t *region) {
  fake_command command = {.type = type, .work = FAKE_WORK_COPY};
  memcpy(command.region, region, sizeof command.region);
  return command;
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               const size_t *buffer_origin, const size_t *host_origin,
                               const size_t *region, size_t buffer_row, size_t buffer_slice,
                               size_t host_row, size_t host_slice, void *ptr, cl_uint num_events,
                               const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueReadBufferRect);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE_BUFFER(buffer);
  FAKE_REQUIRE(buffer_origin && host_origin && region && ptr, CL_INVALID_VALUE);
  fake_command command = rect_of(CL_COMMAND_READ_BUFFER_RECT, region);
  command.to = line(ptr);
  FAKE_REQUIRE(box_in(buffer, &command.from, buffer_origin, region, buffer_row, buffer_slice) &&
                   box_at(&command.to, host_origin, region, host_row, host_slice),
               CL_INVALID_VALUE);
  command.mems[0] = buffer;
  return fake_submit(&command, queue, num_events, events, blocking, event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                const size_t *buffer_origin, const size_t *host_origin,
                                const size_t *region, size_t buffer_row, size_t buffer_slice,
                                size_t host_row, size_t host_slice, const void *ptr,
                                cl_uint num_events, const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueWriteBufferRect);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE_BUFFER(buffer);
  FAKE_REQUIRE(buffer_origin && host_origin && region && ptr, CL_INVALID_VALUE);
  fake_command command = rect_of(CL_COMMAND_WRITE_BUFFER_RECT, region);
  command.from = constant_line(ptr);
  FAKE_REQUIRE(box_in(buffer, &command.to, buffer_origin, region, buffer_row, buffer_slice) &&
                   box_at(&command.from, host_origin, region, host_row, host_slice),
               CL_INVALID_VALUE);
  command.mems[0] = buffer;
  return fake_submit(&command, queue, num_events, events, blocking, event);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                               const size_t *from_origin, const size_t *to_origin,
                               const size_t *region, size_t from_row, size_t from_slice,
                               size_t to_row, size_t to_slice, cl_uint num_events,
                               const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueCopyBufferRect);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE_BUFFER(from);
  FAKE_REQUIRE_BUFFER(to);
  FAKE_REQUIRE(from_origin && to_origin && region, CL_INVALID_VALUE);
  fake_command command = rect_of(CL_COMMAND_COPY_BUFFER_RECT, region);
  FAKE_REQUIRE(box_in(from, &command.from, from_origin, region, from_row, from_slice) &&
                   box_in(to, &command.to, to_origin, region, to_row, to_slice),
               CL_INVALID_VALUE);
  command.mems[0] = from;
  command.mems[1] = to;
  return fake_submit(&command, queue, num_events, events, CL_FALSE, event);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint num_events,
                           const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueFillBuffer);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE_BUFFER(buffer);
  FAKE_REQUIRE(inside(buffer, offset, size), CL_INVALID_VALUE);
  FAKE_REQUIRE(pattern && pattern_size != 0 && pattern_size <= FAKE_PATTERN_MAX &&
                   (pattern_size & (pattern_size - 1)) == 0 && offset % pattern_size == 0 &&
                   size % pattern_size == 0,
               CL_INVALID_VALUE);
  fake_command command = {.type = CL_COMMAND_FILL_BUFFER,
                          .work = FAKE_WORK_FILL,
                          .to = line(buffer->bytes + offset),
                          .region = {size, 1, 1},
                          .pattern_size = pattern_size,
                          .mems = {buffer}};
  memcpy(command.pattern, pattern, pattern_size);
  return fake_submit(&command, queue, num_events, events, CL_FALSE, event);
}

/* Computes a part of an image as a box, and its region in bytes, rows and slices. Returns false if
 * it is out of bounds. */
static bool image_box(cl_mem image, fake_box *box, const size_t *origin, const size_t *region,
                      size_t bytes[3]) {
  const cl_image_desc *desc = &image->desc;
  /* The second coordinate of a 1D array is the layer. */
  const bool layers = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const size_t rows = desc->image_type == CL_MEM_OBJECT_IMAGE1D || layers ? 1 : desc->image_height;
  const size_t slices = desc->image_type == CL_MEM_OBJECT_IMAGE3D ? desc->image_depth
                        : desc->image_array_size && image->size > desc->image_slice_pitch
                            ? desc->image_array_size
                            : 1;
  const size_t at[3] = {origin[0], layers ? 0 : origin[1], layers ? origin[1] : origin[2]};
  const size_t limits[3] = {desc->image_width, rows, slices};
  bytes[0] = region[0] * image->element;
  bytes[1] = layers ? 1 : region[1];
  bytes[2] = layers ? region[1] : region[2];
  for (size_t i = 0; i < 3; i++) {
    const size_t size = i == 0 ? region[0] : bytes[i];
    if (size == 0 || at[i] > limits[i] || size > limits[i] - at[i])
      return false;
  }
  *box = (fake_box){image->bytes + at[0] * image->element + at[1] * desc->image_row_pitch +
                        at[2] * desc->image_slice_pitch,
                    desc->image_row_pitch, desc->image_slice_pitch};
  return true;
}

static bool host_image_box(fake_box *box, const size_t bytes[3], size_t row, size_t slice) {
  static const size_t origin[3];
  return box_at(box, origin, bytes, row, slice);
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                          const size_t *origin, const size_t *region, size_t row_pitch,
                          size_t slice_pitch, void *ptr, cl_uint num_events, const cl_event *events,
                          cl_event *event) {
  FAKE_ENTER(EnqueueReadImage);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE_IMAGE(image);
  FAKE_REQUIRE(origin && region && ptr, CL_INVALID_VALUE);
  fake_command command = {.type = CL_COMMAND_READ_IMAGE, .work = FAKE_WORK_COPY, .to = line(ptr)};
  FAKE_REQUIRE(image_box(image, &command.from, origin, region, command.region) &&
                   host_image_box(&command.to, command.region, row_pitch, slice_pitch),
               CL_INVALID_VALUE);
  command.mems[0] = image;
  return fake_submit(&command, queue, num_events, events, blocking, event);
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                           const size_t *origin, const size_t *region, size_t row_pitch,
                           size_t slice_pitch, const void *ptr, cl_uint num_events,
                           const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueWriteImage);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE_IMAGE(image);
  FAKE_REQUIRE(origin && region && ptr, CL_INVALID_VALUE);
  fake_command command = {
      .type = CL_COMMAND_WRITE_IMAGE, .work = FAKE_WORK_COPY, .from = constant_line(ptr)};
  FAKE_REQUIRE(image_box(image, &command.to, origin, region, command.region) &&
                   host_image_box(&command.from, command.region, row_pitch, slice_pitch),
               CL_INVALID_VALUE);
  command.mems[0] = image;
  return fake_submit(&command, queue, num_events, events, blocking, event);
}

cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                          const size_t *to_origin, const size_t *region, cl_uint num_events,
                          const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueCopyImage);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE_IMAGE(from);
  FAKE_REQUIRE_IMAGE(to);
  FAKE_REQUIRE(memcmp(&from->format, &to->format, sizeof from->format) == 0,
               CL_IMAGE_FORMAT_MISMATCH);
  FAKE_REQUIRE(from_origin && to_origin && region, CL_INVALID_VALUE);
  fake_command command = {.type = CL_COMMAND_COPY_IMAGE, .work = FAKE_WORK_COPY};
  FAKE_REQUIRE(image_box(from, &command.from, from_origin, region, command.region) &&
                   image_box(to, &command.to, to_origin, region, command.region),
               CL_INVALID_VALUE);
  command.mems[0] = from;
  command.mems[1] = to;
  return fake_submit(&command, queue, num_events, events, CL_FALSE, event);
}

/* Supports only 32-bit channels, for which the pixel has the same bytes as the color. */
cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *fill_color,
                          const size_t *origin, const size_t *region, cl_uint num_events,
                          const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueFillImage);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE_IMAGE(image);
  FAKE_REQUIRE(fill_color && origin && region, CL_INVALID_VALUE);
  FAKE_REQUIRE(image->element % 4 == 0 && image->format.image_channel_data_type >= CL_SIGNED_INT32,
               CL_IMAGE_FORMAT_NOT_SUPPORTED);
  fake_command command = {.type = CL_COMMAND_FILL_IMAGE,
                          .work = FAKE_WORK_FILL,
                          .pattern_size = image->element,
                          .mems = {image}};
  FAKE_REQUIRE(image_box(image, &command.to, origin, region, command.region), CL_INVALID_VALUE);
  memcpy(command.pattern, fill_color, image->element);
  return fake_submit(&command, queue, num_events, events, CL_FALSE, event);
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t size, cl_uint num_events,
                         const cl_event *events, cl_event *event, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(EnqueueMapBuffer);
  FAKE_REQUIRE_CREATE(fake_is(queue, FAKE_QUEUE), CL_INVALID_COMMAND_QUEUE);
  FAKE_REQUIRE_CREATE(fake_is(buffer, FAKE_MEM) && buffer->type == CL_MEM_OBJECT_BUFFER,
                      CL_INVALID_MEM_OBJECT);
  FAKE_REQUIRE_CREATE(buffer->context == queue->context, CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(inside(buffer, offset, size) && flags < 8, CL_INVALID_VALUE);
  const fake_command command = {.type = CL_COMMAND_MAP_BUFFER, .mems = {buffer}};
  const cl_int code = fake_submit(&command, queue, num_events, events, blocking, event);
  FAKE_REQUIRE_CREATE(code == CL_SUCCESS, code);
  buffer->maps++;
  FAKE_CREATED(buffer->bytes + offset);
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *mapped_ptr,
                               cl_uint num_events, const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueUnmapMemObject);
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE(fake_is(mem, FAKE_MEM), CL_INVALID_MEM_OBJECT);
  FAKE_REQUIRE(mem->context == queue->context, CL_INVALID_CONTEXT);
  FAKE_REQUIRE(mem->maps != 0 && (unsigned char *)mapped_ptr >= mem->bytes &&
                   (unsigned char *)mapped_ptr < mem->bytes + mem->size,
               CL_INVALID_VALUE);
  const fake_command command = {.type = CL_COMMAND_UNMAP_MEM_OBJECT, .mems = {mem}};
  FAKE_TRY(fake_submit(&command, queue, num_events, events, CL_FALSE, event));
  mem->maps--;
  return CL_SUCCESS;
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint num_events,
                                   const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueMarkerWithWaitList);
  FAKE_REQUIRE_QUEUE(queue);
  const fake_command command = {.type = CL_COMMAND_MARKER, .ordered = num_events == 0};
  return fake_submit(&command, queue, num_events, events, CL_FALSE, event);
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint num_events,
                                    const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueBarrierWithWaitList);
  FAKE_REQUIRE_QUEUE(queue);
  const fake_command command = {
      .type = CL_COMMAND_BARRIER, .ordered = num_events == 0, .barrier = true};
  return fake_submit(&command, queue, num_events, events, CL_FALSE, event);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint num_events, const cl_event *events, cl_event *event) {
  FAKE_ENTER(EnqueueNDRangeKernel);
  (void)offset;
  FAKE_REQUIRE_QUEUE(queue);
  FAKE_REQUIRE(fake_is(kernel, FAKE_KERNEL), CL_INVALID_KERNEL);
  FAKE_REQUIRE(kernel->program->context == queue->context, CL_INVALID_CONTEXT);
  FAKE_REQUIRE(work_dim >= 1 && work_dim <= 3, CL_INVALID_WORK_DIMENSION);
  FAKE_REQUIRE(global, CL_INVALID_GLOBAL_WORK_SIZE);
  fake_command command = {.type = CL_COMMAND_NDRANGE_KERNEL,
                          .work = FAKE_WORK_LAUNCH,
                          .kernel = kernel,
                          .arguments = kernel->arguments,
                          .dimensions = work_dim,
                          .items = 1};
  cl_ulong group = 1;
  for (cl_uint i = 0; i < work_dim; i++) {
    FAKE_REQUIRE(!local || (local[i] != 0 && global[i] % local[i] == 0),
                 CL_INVALID_WORK_GROUP_SIZE);
    command.items *= global[i];
    group *= local ? local[i] : 1;
  }
  FAKE_REQUIRE(group <= fake_group_size(), CL_INVALID_WORK_GROUP_SIZE);
  for (cl_uint i = 0; i < kernel->entry->argument_count; i++)
    FAKE_REQUIRE(kernel->arguments[i].set, CL_INVALID_KERNEL_ARGS);
  return fake_submit(&command, queue, num_events, events, CL_FALSE, event);
}

/* Further calls of entry points that have several paths. */
#include "scenarios.h"

/* In OpenCL the ids are in a decoration group, so the plugin passes the driver another module. */
MORE(program_of_other_code) {
  return piProgramCreate(w->context, backend_other_code(), backend_other_code_size(),
                         &w->out.program);
}

/* A NULL output pointer means that the caller wants no binary, so the plugin discards it. */
MORE(binaries_unwanted) {
  unsigned char *nowhere = NULL;
  return piProgramGetInfo(w->rebuilt, PI_PROGRAM_INFO_BINARIES, sizeof nowhere, &nowhere, NULL);
}

/* More commands than the first allocation has space for. */
MORE(command_buffer_grows) {
  enum { MANY = 12 };
  pi_result result = PI_SUCCESS;
  for (int i = 0; i < MANY && result == PI_SUCCESS; i++)
    result = piextCommandBufferMemBufferCopy(w->spare.command_buffer, w->buffer, w->second, 0, 0,
                                             64, 0, NULL, NULL);
  return result;
}

/* --- commands that take several calls of the driver; the fixture does not use their output */

static unsigned char host[WORLD_BYTES];

enum { HALF = WORLD_BYTES / 2 };

MORE(fill_in_steps) {
  return piEnqueueMemBufferFill(w->queue, w->spare.mem, "abcdefghijk", 11, 0, 55, 1, &w->event,
                                &w->out.event);
}

MORE(write_later) {
  return piEnqueueMemBufferWrite(w->queue, w->spare.mem, PI_FALSE, 0, HALF, w->host, 0, NULL,
                                 &w->out.event);
}

/* The plugin may have to allocate memory of the host first. */
MORE(first_map) {
  void *mapped = NULL;
  pi_mem mem = NULL;
  pi_result result =
      piMemBufferCreate(w->context, PI_MEM_FLAGS_ACCESS_RW, WORLD_BYTES, NULL, &mem, NULL);
  if (result != PI_SUCCESS)
    return result;
  result =
      piEnqueueMemBufferMap(w->queue, mem, PI_TRUE, PI_MAP_WRITE, 0, HALF, 0, NULL, NULL, &mapped);
  (void)piMemRelease(mem);
  return result;
}

/* The slice pitch is no whole number of rows. */
MORE(read_rect_in_steps) {
  pi_buff_rect_offset_struct origin = {0, 0, 0};
  pi_buff_rect_region_struct rect = {8, 4, 4};
  return piEnqueueMemBufferReadRect(w->queue, w->buffer, PI_FALSE, &origin, &origin, &rect, 16,
                                    backend.odd_slices ? 65 : 80, 8, 32, host, 0, NULL,
                                    &w->out.event);
}

/* Two commands that need not wait for each other. */
static pi_result fill_halves(world *w) {
  const pi_result result =
      piEnqueueMemBufferFill(w->queue, w->spare.mem, "a", 1, 0, HALF, 0, NULL, NULL);
  return result != PI_SUCCESS
             ? result
             : piEnqueueMemBufferFill(w->queue, w->spare.mem, "b", 1, HALF, HALF, 0, NULL, NULL);
}

MORE(barrier_of_all) {
  pi_result result = fill_halves(w);
  if (result == PI_SUCCESS)
    result = piEnqueueEventsWaitWithBarrier(w->queue, 0, NULL, NULL);
  return result != PI_SUCCESS ? result
                              : piEnqueueMemBufferCopy(w->queue, w->buffer, w->spare.mem, 0, 0,
                                                       HALF, 0, NULL, &w->out.event);
}

MORE(marker_of_all) {
  const pi_result result = fill_halves(w);
  return result != PI_SUCCESS ? result : piEnqueueEventsWait(w->queue, 0, NULL, &w->out.event);
}

/* In CUDA a user event, because streams cannot wait for one with pageable memory. */
static pi_event *gate_of(world *w) {
  return backend.stages_transfers ? &w->spare.user_event : &w->event;
}

/* Sets the user event even if the command failed, so that the fixture can go on. */
static pi_result open_gate(world *w, pi_result result) {
  if (backend.stages_transfers)
    (void)piEventSetStatus(w->spare.user_event, PI_EVENT_COMPLETE);
  return result;
}

MORE(write_behind_a_gate) {
  return open_gate(w, piEnqueueMemBufferWrite(w->queue, w->spare.mem, PI_FALSE, 0, HALF, w->host, 1,
                                              gate_of(w), NULL));
}

MORE(read_behind_a_gate) {
  return open_gate(
      w, piEnqueueMemBufferRead(w->queue, w->buffer, PI_FALSE, 0, HALF, host, 1, gate_of(w), NULL));
}

MORE(queue_with_a_command) {
  const pi_result result = fill_halves(w);
  return result != PI_SUCCESS ? result
                              : piQueueGetInfo(w->queue,
                                               backend.empty_queues ? PI_EXT_ONEAPI_QUEUE_INFO_EMPTY
                                                                    : PI_QUEUE_INFO_REFERENCE_COUNT,
                                               sizeof w->out.count, &w->out.count, NULL);
}

/* --- objects */

MORE(native_user_event) {
  return open_gate(w, piextEventGetNativeHandle(w->spare.user_event, &w->out.native));
}

MORE(buffer_of_used_memory) {
  return piMemBufferCreate(w->context, PI_MEM_FLAGS_HOST_PTR_USE, WORLD_BYTES, host, &w->out.mem,
                           NULL);
}

MORE(buffer_of_allocated_memory) {
  return piMemBufferCreate(w->context, PI_MEM_FLAGS_HOST_PTR_ALLOC | PI_MEM_FLAGS_HOST_PTR_COPY,
                           WORLD_BYTES, host, &w->out.mem, NULL);
}

MORE(usm_fill_in_steps) {
  return piextUSMEnqueueFill2D(w->queue, w->spare.usm, 70, 7, "pattern", 63, 20, 0, NULL,
                               &w->out.event);
}

MORE(usm_copy_of_rows_later) {
  return piextUSMEnqueueMemcpy2D(w->queue, PI_FALSE, host, 64, w->spare.usm, 60, 60, 10, 0, NULL,
                                 &w->out.event);
}

/* --- images */

MORE(image_of_host_memory) {
  const pi_image_desc deep = {.image_type = PI_MEM_TYPE_IMAGE3D,
                              .image_width = 6,
                              .image_height = 5,
                              .image_depth = 4,
                              .image_array_size = 4};
  return piMemImageCreate(w->context, PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY,
                          &world_format, &deep, host, &w->out.mem);
}

static pi_image_offset_struct start = {0, 0, 0};
static pi_image_region_struct part = {WORLD_IMAGE, WORLD_IMAGE / 2, 1};

MORE(image_read_with_gaps) {
  return piEnqueueMemImageRead(w->queue, w->image, PI_TRUE, &start, &part, 16 * WORLD_IMAGE + 1, 0,
                               host, 0, NULL, &w->out.event);
}

static pi_result copy_image(world *w, void *to, void *from, pi_image_copy_flags way) {
  return expect_where(backend.bindless_images,
                      piextMemImageCopy(w->queue, to, from, &world_format, &world_desc, way, &start,
                                        &start, &part, &part, 0, NULL, &w->out.event));
}

MORE(image_copied_further) {
  return copy_image(w, w->spare.image_mem, w->image_mem, PI_IMAGE_COPY_DEVICE_TO_DEVICE);
}

MORE(image_copied_back) {
  return copy_image(w, host, w->image_mem, PI_IMAGE_COPY_DEVICE_TO_HOST);
}

MORE(mipmap_memory) {
  pi_image_desc desc = world_desc;
  pi_image_mem_handle memory = NULL;
  desc.num_mip_levels = 2;
  pi_result result = piextMemImageAllocate(w->context, w->device, &world_format, &desc, &memory);
  if (result == PI_SUCCESS) {
    result = piextMemMipmapFree(w->context, w->device, memory);
    if (result != PI_SUCCESS)
      (void)piextMemMipmapFree(w->context, w->device, memory);
  }
  return expect_where(backend.mipmaps, result);
}

MORE(unsampled_level) {
  return backend.mipmaps
             ? piextMemUnsampledImageCreate(w->context, w->device, w->level, &world_format,
                                            &world_desc, &w->out.mem, &w->out.unsampled)
             : expect_unsupported(
                   piextMemMipmapGetLevel(w->context, w->device, w->mipmap, 0, &w->out.level));
}

MORE(sampled_mipmap) {
  pi_image_desc desc = world_desc;
  desc.num_mip_levels = 2;
  return expect_where(backend.mipmaps, piextMemSampledImageCreate(
                                           w->context, w->device, w->mipmap, &world_format, &desc,
                                           w->bindless_sampler, &w->out.mem, &w->out.sampled));
}

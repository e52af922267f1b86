#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "world.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

pi_image_format world_format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_FLOAT};
pi_image_desc world_desc = {
    .image_type = PI_MEM_TYPE_IMAGE2D, .image_width = WORLD_IMAGE, .image_height = WORLD_IMAGE};

static unsigned char expected_byte(size_t i) {
  return (unsigned char)(i % 251);
}

static void create_memory(world *w) {
  for (size_t i = 0; i < WORLD_BYTES; i++)
    w->host[i] = expected_byte(i);
  must(piMemBufferCreate(w->context, PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY,
                         WORLD_BYTES, w->host, &w->buffer, NULL));
  pi_mem *zeroed[] = {&w->second, &w->mapped, &w->spare.mem};
  static unsigned char zeros[WORLD_BYTES];
  for (size_t i = 0; i < sizeof zeroed / sizeof zeroed[0]; i++)
    must(piMemBufferCreate(w->context, PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY,
                           WORLD_BYTES, zeros, zeroed[i], NULL));
  must(piEnqueueMemBufferMap(w->queue, w->mapped, PI_TRUE, PI_MAP_WRITE, 0, WORLD_BYTES, 0, NULL,
                             NULL, &w->spare.map));
  pi_mem *images[] = {&w->image, &w->second_image};
  for (size_t i = 0; i < sizeof images / sizeof images[0]; i++)
    must(piMemImageCreate(w->context, PI_MEM_FLAGS_ACCESS_RW, &world_format, &world_desc, NULL,
                          images[i]));
  void **usm[] = {(void **)&w->usm, (void **)&w->second_usm, &w->spare.usm};
  for (size_t i = 0; i < sizeof usm / sizeof usm[0]; i++)
    must(piextUSMSharedAlloc(usm[i], w->context, w->device, NULL, WORLD_BYTES, 0));
  memset(w->usm, 0, WORLD_BYTES);
  memset(w->second_usm, 0, WORLD_BYTES);
}

static pi_program create_program(world *w) {
  const pi_uint32 value = WORLD_CONSTANT;
  pi_program program = NULL;
  must(piProgramCreate(w->context, backend_code(), backend_code_size(), &program));
  must(piextProgramSetSpecializationConstant(program, 0, sizeof value, &value));
  return program;
}

static void create_programs(world *w) {
  w->program = create_program(w);
  w->compiled = create_program(w);
  must(piProgramCompile(w->compiled, 1, &w->device, "", 0, NULL, NULL, NULL, NULL));
  w->rebuilt = create_program(w);
  must(piProgramBuild(w->rebuilt, 1, &w->device, "", NULL, NULL));
  must(piProgramBuild(w->rebuilt, 1, &w->device, "", NULL, NULL));
  w->spare.program = create_program(w);
  must(piProgramBuild(w->spare.program, 1, &w->device, "", NULL, NULL));
  must(piProgramBuild(w->spare.program, 1, &w->device, "", NULL, NULL));
  must(piKernelCreate(w->rebuilt, "probe", &w->kernel));
  must(piKernelCreate(w->rebuilt, "other", &w->other));
  must(piKernelCreate(w->rebuilt, "probe", &w->spare.kernel));
  const pi_uint32 five = 5;
  must(piextKernelSetArgMemObj(w->kernel, 0, NULL, &w->second));
  must(piKernelSetArg(w->kernel, 1, sizeof five, &five));
  must(piProgramGetInfo(w->rebuilt, PI_PROGRAM_INFO_BINARY_SIZES, sizeof w->binary_size,
                        &w->binary_size, NULL));
  w->binary = malloc(w->binary_size);
  assert_non_null(w->binary);
  must(piProgramGetInfo(w->rebuilt, PI_PROGRAM_INFO_BINARIES, sizeof w->binary, &w->binary, NULL));
}

static void create_command_buffers(world *w) {
  const pi_ext_command_buffer_desc desc = {.stype = PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC};
  must(piextKernelSetArgMemObj(w->kernel, 0, NULL, &w->mapped));
  pi_ext_command_buffer *all[] = {&w->command_buffer, &w->finalized, &w->spare.command_buffer};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    pi_ext_sync_point point;
    must(piextCommandBufferCreate(w->context, w->device, &desc, all[i]));
    must(piextCommandBufferMemBufferCopy(*all[i], w->second, w->mapped, 0, 0, 64, 0, NULL, &point));
    if (*all[i] == w->command_buffer)
      continue;
    const size_t one = 1;
    must(piextCommandBufferNDRangeKernel(*all[i], w->kernel, 1, NULL, &one, NULL, 1, &point,
                                         &point));
    must(piextCommandBufferMemcpyUSM(*all[i], w->usm, w->second_usm, 64, 1, &point, NULL));
  }
  must(piextCommandBufferFinalize(w->finalized));
  must(piextKernelSetArgMemObj(w->kernel, 0, NULL, &w->second));
}

static void create_sub_devices(world *w) {
  if (backend.sub_devices)
    must(piDevicePartition(w->device, backend.partition, 2, w->sub_devices, NULL));
  else
    w->sub_devices[0] = w->sub_devices[1] = w->device;
}

/* Native handles are returned without a reference. */
static void get_natives(world *w) {
  natives *to = &w->native;
  if (backend.native_platforms)
    must(piextPlatformGetNativeHandle(w->platform, &to->platform));
  must(piextDeviceGetNativeHandle(w->device, &to->device));
  must(piextContextGetNativeHandle(w->context, &to->context));
  must(piextQueueGetNativeHandle(w->queue, &to->queue, &to->queue_desc));
  must(piextMemGetNativeHandle(w->buffer, w->device, &to->buffer));
  must(piextMemGetNativeHandle(w->image, w->device, &to->image));
  must(piextKernelGetNativeHandle(w->kernel, &to->kernel));
  must(piextEventGetNativeHandle(w->event, &to->event));
}

/*
 * Makes the plugin create the events and streams that it keeps for a queue's next commands, and the
 * host memory that it keeps for a buffer's next map. Later, any new object that stays is a leak.
 */
static void warm_up(world *w) {
  pi_event events[4];
  for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
    must(piEnqueueEventsWait(w->queue, 1, &w->event, &events[i]));
  must(piEventsWait(4, events));
  void *map;
  must(piEnqueueMemBufferMap(w->queue, w->buffer, PI_TRUE, PI_MAP_READ, 0, WORLD_BYTES, 0, NULL,
                             NULL, &map));
  must(piEnqueueMemUnmap(w->queue, w->buffer, map, 0, NULL, NULL));
  must(piQueueFinish(w->queue));
  for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
    must(piEventRelease(events[i]));
}

bool world_queue_is(const char *word) {
  const char *words = getenv("FAULT_QUEUE");
  return words && strstr(words, word);
}

/* The spare queue has the queue's properties. It replaces the queue if a test wants an unused one.
 */
static void create_queues(world *w) {
  const pi_queue_properties flags =
      (world_queue_is("unprofiled") ? 0 : PI_QUEUE_FLAG_PROFILING_ENABLE) |
      (world_queue_is("unordered") ? PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  must(piQueueCreate(w->context, w->device, flags, &w->queue));
  must(piQueueCreate(w->context, w->device, flags, &w->spare.queue));
}

static void change_queue(world *w) {
  const pi_queue used = w->queue;
  must(piQueueFinish(used));
  w->queue = w->spare.queue;
  w->spare.queue = used;
}

void world_begin(world *w) {
  *w = (world){0};
  must(piPlatformsGet(1, &w->platform, NULL));
  must(piDevicesGet(w->platform, PI_DEVICE_TYPE_ALL, 1, &w->device, NULL));
  create_sub_devices(w);
  w->spare.device = w->sub_devices[1];
  must(piDeviceRetain(w->spare.device));
  must(piContextCreate(NULL, 1, &w->device, NULL, NULL, &w->context));
  must(piContextCreate(NULL, 1, &w->device, NULL, NULL, &w->spare.context));
  create_queues(w);
  const pi_sampler_properties sampler[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 1, 0};
  must(piSamplerCreate(w->context, sampler, &w->sampler));
  must(piSamplerCreate(w->context, sampler, &w->spare.sampler));
  create_memory(w);
  create_programs(w);
  create_command_buffers(w);
  must(piEnqueueEventsWait(w->queue, 0, NULL, &w->event));
  must(piEnqueueEventsWait(w->queue, 0, NULL, &w->spare.event));
  must(piEventCreate(w->context, &w->spare.user_event));
  get_natives(w);
  extras_begin(w);
  warm_up(w);
  if (world_queue_is("unused"))
    change_queue(w);
  outputs_reset(&w->out);
}

/* Returns the value of a constant that a launch of "probe" reports. */
static uint64_t launch_value(world *w, pi_kernel kernel, uint32_t id) {
  const size_t one = 1;
  const pi_uint32 value = 5;
  launch_record records[8] = {{0}};
  pi_mem memory;
  must(piMemBufferCreate(w->context, PI_MEM_FLAGS_ACCESS_RW, sizeof records, NULL, &memory, NULL));
  must(piextKernelSetArgMemObj(kernel, 0, NULL, &memory));
  must(piKernelSetArg(kernel, 1, sizeof value, &value));
  must(piEnqueueKernelLaunch(w->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  must(piQueueFinish(w->queue));
  must(
      piEnqueueMemBufferRead(w->queue, memory, PI_TRUE, 0, sizeof records, records, 0, NULL, NULL));
  must(piMemRelease(memory));
  for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
    if (records[i].what == id && records[i].size != 0)
      return records[i].value;
  fail_with("a launch reported nothing about constant %u", id);
  return 0;
}

uint64_t world_built_value(world *w, pi_program program, uint32_t id) {
  pi_kernel kernel;
  must(piProgramBuild(program, 1, &w->device, "", NULL, NULL));
  must(piKernelCreate(program, "probe", &kernel));
  const uint64_t value = launch_value(w, kernel, id);
  must(piKernelRelease(kernel));
  return value;
}

static void check_world_bytes(const unsigned char *bytes, bool zero, const char *what) {
  for (size_t i = 0; i < WORLD_BYTES; i++)
    if (bytes[i] != (zero ? 0 : expected_byte(i)))
      fail_with("byte %zu of %s is %u after the failure", i, what, bytes[i]);
}

/* If a queue's only command failed late, finishing the queue reports that failure. */
static void finish_queue(world *w) {
  const pi_result result = piQueueFinish(w->queue);
  if (!world_queue_is("unused"))
    must(result);
}

void world_check(world *w) {
  unsigned char bytes[WORLD_BYTES];
  finish_queue(w);
  must(piEnqueueMemBufferRead(w->queue, w->buffer, PI_TRUE, 0, sizeof bytes, bytes, 0, NULL, NULL));
  check_world_bytes(bytes, false, "the buffer");
  must(piEnqueueMemBufferRead(w->queue, w->second, PI_TRUE, 0, sizeof bytes, bytes, 0, NULL, NULL));
  check_world_bytes(bytes, true, "the second buffer");
  check_world_bytes(w->usm, true, "the USM");
  check_world_bytes(w->second_usm, true, "the second USM");
  check_world_bytes(w->host, false, "the host's memory");
  /* Checks the older kernel, and new builds. */
  assert_int_equal(launch_value(w, w->kernel, 0), WORLD_CONSTANT);
  assert_int_equal(world_built_value(w, w->program, 0), WORLD_CONSTANT);
  assert_int_equal(world_built_value(w, w->rebuilt, 0), WORLD_CONSTANT);
  assert_int_equal(world_built_value(w, w->compiled, 0), WORLD_CONSTANT);
  must(piextKernelSetArgMemObj(w->kernel, 0, NULL, &w->second));
  must(piProgramCompile(w->compiled, 1, &w->device, "", 0, NULL, NULL, NULL, NULL));
}

void world_restore(world *w) {
  static unsigned char zeros[WORLD_BYTES];
  finish_queue(w);
  must(
      piEnqueueMemBufferWrite(w->queue, w->second, PI_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL));
  memset(w->usm, 0, WORLD_BYTES);
  memset(w->second_usm, 0, WORLD_BYTES);
  memset(w->out.bytes, OUTPUT_UNTOUCHED, sizeof w->out.bytes);
}

void world_change_event(world *w) {
  const pi_event failed = w->event;
  w->event = w->spare.event;
  w->spare.event = failed;
}

#define RELEASE(object, function) must((object) ? function(object) : PI_SUCCESS)

void world_end(world *w) {
  extras_end(w);
  RELEASE(w->command_buffer, piextCommandBufferRelease);
  RELEASE(w->finalized, piextCommandBufferRelease);
  RELEASE(w->spare.command_buffer, piextCommandBufferRelease);
  RELEASE(w->event, piEventRelease);
  RELEASE(w->spare.event, piEventRelease);
  RELEASE(w->spare.user_event, piEventRelease);
  RELEASE(w->kernel, piKernelRelease);
  RELEASE(w->other, piKernelRelease);
  RELEASE(w->spare.kernel, piKernelRelease);
  RELEASE(w->program, piProgramRelease);
  RELEASE(w->rebuilt, piProgramRelease);
  RELEASE(w->compiled, piProgramRelease);
  RELEASE(w->spare.program, piProgramRelease);
  RELEASE(w->sampler, piSamplerRelease);
  RELEASE(w->spare.sampler, piSamplerRelease);
  must(piextUSMFree(w->context, w->usm));
  must(piextUSMFree(w->context, w->second_usm));
  if (w->spare.usm)
    must(piextUSMFree(w->context, w->spare.usm));
  if (w->spare.map)
    must(piEnqueueMemUnmap(w->queue, w->mapped, w->spare.map, 0, NULL, NULL));
  RELEASE(w->buffer, piMemRelease);
  RELEASE(w->second, piMemRelease);
  RELEASE(w->mapped, piMemRelease);
  RELEASE(w->image, piMemRelease);
  RELEASE(w->second_image, piMemRelease);
  RELEASE(w->spare.mem, piMemRelease);
  RELEASE(w->queue, piQueueRelease);
  RELEASE(w->spare.queue, piQueueRelease);
  RELEASE(w->context, piContextRelease);
  RELEASE(w->spare.context, piContextRelease);
  RELEASE(w->spare.device, piDeviceRelease);
  RELEASE(w->sub_devices[0], piDeviceRelease);
  RELEASE(w->sub_devices[1], piDeviceRelease);
  free(w->binary);
}

bool driver_settles(size_t objects, char *list, size_t size) {
  const struct timespec moment = {0, 5 * 1000 * 1000};
  for (int i = 0; i < 400 && driver_list(list, size) != objects; i++)
    nanosleep(&moment, NULL);
  return driver_list(list, size) == objects;
}

void outputs_reset(outputs *out) {
  memset(out, OUTPUT_UNTOUCHED, sizeof *out);
}

bool outputs_are_untouched(const outputs *out) {
  const unsigned char *bytes = (const unsigned char *)out;
  for (size_t i = 0; i < sizeof *out; i++)
    if (bytes[i] != OUTPUT_UNTOUCHED)
      return false;
  return true;
}

bool output_is_written(const void *handle) {
  uintptr_t untouched;
  memset(&untouched, OUTPUT_UNTOUCHED, sizeof untouched);
  return (uintptr_t)handle != untouched && handle;
}

#define RELEASE_WRITTEN(object, function)                                                          \
  must(output_is_written(object) ? function(object) : PI_SUCCESS)

void outputs_release(world *w) {
  outputs *out = &w->out;
  extras_release_outputs(w);
  RELEASE_WRITTEN(out->command_buffer, piextCommandBufferRelease);
  RELEASE_WRITTEN(out->event, piEventRelease);
  RELEASE_WRITTEN(out->kernel, piKernelRelease);
  RELEASE_WRITTEN(out->program, piProgramRelease);
  RELEASE_WRITTEN(out->sampler, piSamplerRelease);
  if (output_is_written(out->usm))
    must(piextUSMFree(w->context, out->usm));
  if (output_is_written(out->map))
    must(piEnqueueMemUnmap(w->queue, w->buffer, out->map, 0, NULL, NULL));
  RELEASE_WRITTEN(out->mem, piMemRelease);
  RELEASE_WRITTEN(out->queue, piQueueRelease);
  RELEASE_WRITTEN(out->context, piContextRelease);
  RELEASE_WRITTEN(out->device, piDeviceRelease);
  for (size_t i = 0; i < sizeof out->devices / sizeof out->devices[0]; i++)
    RELEASE_WRITTEN(out->devices[i], piDeviceRelease);
  outputs_reset(out);
}

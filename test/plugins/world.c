#define _DEFAULT_SOURCE /* usleep */
#include "world.h"

#include "../../plugins/base/error.h"

#include <unistd.h>

world w;

void must_succeed(pi_result result, const char *call, const char *file, int line) {
  const char *message = "";
  if (result == PI_SUCCESS)
    return;
  plugin_error_last(&message);
  print_error("%s: %d, %s\n", call, (int)result, message);
  _fail(file, line);
}

void must_fail(pi_result code, pi_result result, const char *call, const char *file, int line) {
  const char *message = "";
  const pi_result last = plugin_error_last(&message);
  if (result == code && last == code && message[0])
    return;
  print_error("%s: expected %d, got %d; the last error is %d, \"%s\"\n", call, (int)code,
              (int)result, (int)last, message);
  _fail(file, line);
}

int open_world(void **state) {
  (void)state;
  pi_uint32 count = 0;
  must(piPlatformsGet(1, &w.platform, &count));
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 1, &w.device, NULL));
  must(piContextCreate(NULL, 1, &w.device, NULL, NULL, &w.context));
  w.queue = new_queue(IN_ORDER);
  return 0;
}

int close_world(void **state) {
  (void)state;
  must(piQueueFinish(w.queue));
  must(piQueueRelease(w.queue));
  must(piContextRelease(w.context));
  return driver_is_clean() ? 0 : -1;
}

pi_uint32 get_devices(pi_uint32 room, pi_device *ret) {
  enum { MOST = 8 };
  pi_platform platforms[MOST];
  pi_uint32 platform_count = 0;
  pi_uint32 count = 0;
  must(piPlatformsGet(MOST, platforms, &platform_count));
  for (pi_uint32 i = 0; i < platform_count && i < MOST; i++) {
    pi_device devices[MOST];
    pi_uint32 more = 0;
    must(piDevicesGet(platforms[i], PI_DEVICE_TYPE_ALL, MOST, devices, &more));
    for (pi_uint32 k = 0; k < more && k < MOST; k++, count++)
      if (count < room)
        ret[count] = devices[k];
  }
  return count;
}

void get_two_devices(pi_device ret[2]) {
  assert_in_range(get_devices(2, ret), 2, UINT32_MAX);
}

pi_context context_of_all(void) {
  pi_uint32 count = 0;
  pi_device devices[8];
  pi_context context = NULL;
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 8, devices, &count));
  must(piContextCreate(NULL, count < 8 ? count : 8, devices, NULL, NULL, &context));
  return context;
}

pi_program reload_program(pi_program program) {
  size_t size = 0;
  pi_program made = NULL;
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *binary = malloc(size);
  assert_non_null(binary);
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, sizeof binary, &binary, NULL));
  const unsigned char *list = binary;
  must(piProgramCreateWithBinary(w.context, 1, &w.device, &size, &list, 0, NULL, NULL, &made));
  free(binary);
  must(piProgramBuild(made, 1, &w.device, "", NULL, NULL));
  return made;
}

pi_queue new_queue(pi_queue_properties flags) {
  pi_queue queue = NULL;
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, flags, 0};
  must(piextQueueCreate(w.context, w.device, list, &queue));
  return queue;
}

pi_mem new_buffer(size_t size, const void *bytes) {
  pi_mem mem = NULL;
  union {
    const void *from;
    void *to;
  } host = {bytes};
  const pi_mem_flags flags =
      PI_MEM_FLAGS_ACCESS_RW | (pi_mem_flags)(bytes ? PI_MEM_FLAGS_HOST_PTR_COPY : 0);
  must(piMemBufferCreate(w.context, flags, size, host.to, &mem, NULL));
  return mem;
}

pi_event new_user_event(void) {
  pi_event event = NULL;
  must(piEventCreate(w.context, &event));
  return event;
}

static size_t size_of(pi_mem buffer) {
  size_t size = 0;
  must(piMemGetInfo(buffer, PI_MEM_SIZE, sizeof size, &size, NULL));
  return size;
}

void fill_buffer(pi_queue queue, pi_mem buffer, unsigned char byte, pi_event wait,
                 pi_event *event) {
  must(piEnqueueMemBufferFill(queue, buffer, &byte, 1, 0, size_of(buffer), wait ? 1 : 0,
                              wait ? &wait : NULL, event));
}

void number_bytes(unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(i * 5 + i / 256 + 1);
}

void read_all(pi_mem buffer, void *bytes, size_t size) {
  must(piEnqueueMemBufferRead(w.queue, buffer, PI_TRUE, 0, size, bytes, 0, NULL, NULL));
}

void expect_filled(pi_mem buffer, unsigned char byte) {
  const size_t size = size_of(buffer);
  unsigned char *got = malloc(size);
  assert_non_null(got);
  must(piEnqueueMemBufferRead(w.queue, buffer, PI_TRUE, 0, size, got, 0, NULL, NULL));
  for (size_t i = 0; i < size; i++)
    if (got[i] != byte)
      fail_msg("byte %zu is 0x%02x, not 0x%02x", i, got[i], byte);
  free(got);
}

pi_int32 status_of(pi_event event) {
  pi_int32 status = 99;
  must(piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

pi_uint32 references_of(pi_queue queue) {
  pi_uint32 count = 0;
  must(piQueueGetInfo(queue, PI_QUEUE_INFO_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

void expect_done(pi_event event) {
  for (int i = 0; i < 5000 && status_of(event) > PI_EVENT_COMPLETE; i++)
    usleep(1000);
  assert_int_equal(status_of(event), PI_EVENT_COMPLETE);
}

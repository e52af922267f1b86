/* Level Zero buffers: batches, several devices, failures, pointers of the application. */
#define _DEFAULT_SOURCE /* usleep */
#include "../plugins/buffer.h"
#include "world.h"

#include "../../plugins/level_zero/memory.h"

#include <unistd.h>

/* A batch stays pending as long as nothing waits for it. */
WORLD_TEST(a_buffer_of_a_batch_is_freed_later) {
  const pi_queue queue = new_queue(PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE);
  const size_t before = fake_ze_live(FAKE_MEMORY);
  const pi_mem buffer = new_buffer(64, NULL);
  unsigned char got[64] = {0};
  fill_buffer(queue, buffer, 7, NULL, NULL);
  must(piEnqueueMemBufferRead(queue, buffer, PI_FALSE, 0, 64, got, 0, NULL, NULL));
  must(piMemRelease(buffer));
  assert_int_equal(fake_ze_live(FAKE_MEMORY), before + 1);
  must(piQueueFinish(queue));
  assert_int_equal(fake_ze_live(FAKE_MEMORY), before);
  assert_int_equal(got[63], 7);
  must(piQueueRelease(queue));
}

/* Needs a second device: both reach the buffer, wherever it is. */
WORLD_TEST(a_buffer_is_for_all_devices) {
  const pi_context context = context_of_all();
  pi_device devices[2];
  pi_queue queues[2] = {NULL};
  pi_mem buffer = NULL;
  pi_event event = NULL;
  unsigned char byte = 3;
  unsigned char got[64] = {0};
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, devices, NULL));
  for (int i = 0; i < 2; i++)
    must(piQueueCreate(context, devices[i], 0, &queues[i]));
  must(piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, 64, NULL, &buffer, NULL));
  must(piEnqueueMemBufferFill(queues[1], buffer, &byte, 1, 0, 64, 0, NULL, &event));
  must(piEnqueueMemBufferRead(queues[0], buffer, PI_TRUE, 0, 64, got, 1, &event, NULL));
  assert_int_equal(got[0], 3);
  assert_int_equal(got[63], 3);
  must(piEventRelease(event));
  must(piMemRelease(buffer));
  for (int i = 0; i < 2; i++)
    must(piQueueRelease(queues[i]));
  must(piContextRelease(context));
}

/* The driver has no memory: no object stays, and there is a message. */
WORLD_TEST(failed_allocations_leave_no_memory) {
  static const char *const calls[] = {"zeMemAllocDevice", "zeMemAllocHost"};
  const size_t before = fake_ze_live(FAKE_MEMORY);
  unsigned char bytes[64] = {0};
  for (size_t i = 0; i < 2; i++) {
    pi_mem mem = NULL;
    if (device_is_integrated() && i == 0)
      continue;
    fake_ze_fail(calls[i], 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    fails(PI_ERROR_OUT_OF_RESOURCES,
          piMemBufferCreate(w.context, PI_MEM_FLAGS_HOST_PTR_ALLOC | PI_MEM_FLAGS_HOST_PTR_COPY, 64,
                            bytes, &mem, NULL));
    assert_string_equal(fake_ze_unfail(), calls[i]);
    assert_null(mem);
    assert_int_equal(fake_ze_live(FAKE_MEMORY), before);
  }
  const pi_mem buffer = new_buffer(64, NULL);
  if (!device_is_integrated()) {
    void *mapped = NULL;
    fake_ze_fail("zeMemAllocHost", 1, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    fails(PI_ERROR_MAP_FAILURE, piEnqueueMemBufferMap(w.queue, buffer, PI_TRUE, PI_MAP_READ, 0, 64,
                                                      0, NULL, NULL, &mapped));
    assert_null(mapped);
  }
  fake_ze_fail("zeCommandListAppendMemoryCopy", 1, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  fails(PI_ERROR_OUT_OF_HOST_MEMORY,
        piEnqueueMemBufferRead(w.queue, buffer, PI_TRUE, 0, 64, bytes, 0, NULL, NULL));
  fill_buffer(w.queue, buffer, 5, NULL, NULL);
  expect_filled(buffer, 5);
  must(piMemRelease(buffer));
}

/* Pointers to all kinds of memory that a buffer may use. */
WORLD_TEST(a_native_pointer_is_used) {
  const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  const ze_context_handle_t context = w.context->driver.context;
  for (int i = 0; i < 6; i++) {
    const bool owned = i % 2;
    void *pointer = NULL;
    pi_native_handle native = 0;
    pi_mem mem = NULL;
    size_t size = 0;
    if (i / 2 == 0)
      driver(ze.MemAllocDevice(context, &device, 1000, 0, w.device->driver.device, &pointer));
    else if (i / 2 == 1)
      driver(ze.MemAllocHost(context, &host, 1000, 0, &pointer));
    else
      driver(
          ze.MemAllocShared(context, &device, &host, 1000, 0, w.device->driver.device, &pointer));
    must(piextMemCreateWithNativeHandle((pi_native_handle)pointer, w.context, owned, &mem));
    must(piMemGetInfo(mem, PI_MEM_SIZE, sizeof size, &size, NULL));
    assert_true(size >= 1000);
    must(piextMemGetNativeHandle(mem, w.device, &native));
    assert_ptr_equal((void *)native, pointer);
    fill_buffer(w.queue, mem, 8, NULL, NULL);
    expect_filled(mem, 8);
    unsigned char *mapped = map(mem, PI_MAP_READ | PI_MAP_WRITE, 10, 20);
    assert_int_equal(mapped[0], 8);
    memset(mapped, 8, 20);
    unmap(mem, mapped);
    expect_filled(mem, 8);
    const size_t before = fake_ze_live(FAKE_MEMORY);
    must(piMemRelease(mem));
    assert_true(fake_ze_live(FAKE_MEMORY) <= before - (size_t)owned);
    if (!owned)
      driver(ze.MemFree(context, pointer));
  }
}

/* Imported memory and semaphores: a memfd and an eventfd stand for another API's exports. */
#define _GNU_SOURCE /* memfd_create */
#include "world.h"

#include "../../plugins/objects/registry.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

static pi_image_format r32 = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32};

static pi_image_desc describe(unsigned levels) {
  return (pi_image_desc){.image_type = PI_MEM_TYPE_IMAGE2D,
                         .image_width = 16,
                         .image_height = 16,
                         .num_mip_levels = levels};
}

static int new_file(size_t size) {
  const int file = memfd_create("memory", 0);
  assert_true(file >= 0);
  assert_int_equal(ftruncate(file, (off_t)size), 0);
  return file;
}

static bool is_open(int file) {
  return fcntl(file, F_GETFD) != -1;
}

WORLD_TEST(an_image_uses_imported_memory) {
  const int file = new_file(4096);
  pi_interop_mem_handle import = 0;
  pi_image_desc desc = describe(1);
  pi_image_mem_handle image = NULL;
  uint32_t want[256], got[256] = {0};
  for (uint32_t i = 0; i < 256; i++)
    want[i] = 3 * i;
  must(piextMemImportOpaqueFD(w.context, w.device, 4096, file, &import));
  if (backend.imports_at_once)
    assert_false(is_open(file));
  must(piextMemMapExternalArray(w.context, w.device, &r32, &desc, import, &image));
  struct pi_image_offset_struct origin = {0, 0, 0};
  struct pi_image_region_struct size = {16, 16, 1};
  must(piextMemImageCopy(w.queue, image, want, &r32, &desc, PI_IMAGE_COPY_HOST_TO_DEVICE, &origin,
                         &origin, &size, &size, 0, NULL, NULL));
  must(piextMemImageCopy(w.queue, got, image, &r32, &desc, PI_IMAGE_COPY_DEVICE_TO_HOST, &origin,
                         &origin, &size, &size, 0, NULL, NULL));
  must(piQueueFinish(w.queue));
  assert_memory_equal(want, got, sizeof got);
  must(piextMemImageFree(w.context, w.device, image));
  must(piextMemReleaseInterop(w.context, w.device, import));
  assert_false(is_open(file)); /* it was the plugin's */
  fails(PI_ERROR_INVALID_VALUE, piextMemReleaseInterop(w.context, w.device, import));
}

WORLD_TEST(imported_memory_has_levels) {
  pi_image_desc desc = describe(3);
  for (int mipmap = 0; mipmap < 2; mipmap++) {
    pi_interop_mem_handle import = 0;
    pi_image_mem_handle image = NULL, level = NULL;
    must(piextMemImportOpaqueFD(w.context, w.device, 8192, new_file(8192), &import));
    if (!backend.mipmaps) {
      fails(PI_ERROR_UNSUPPORTED_FEATURE,
            piextMemMapExternalArray(w.context, w.device, &r32, &desc, import, &image));
      must(piextMemReleaseInterop(w.context, w.device, import));
      continue;
    }
    must(piextMemMapExternalArray(w.context, w.device, &r32, &desc, import, &image));
    must(piextMemMipmapGetLevel(w.context, w.device, image, 2, &level));
    size_t width = 0;
    must(piextMemImageGetInfo(level, PI_IMAGE_INFO_WIDTH, &width, NULL));
    assert_int_equal(width, 4);
    must(mipmap ? piextMemMipmapFree(w.context, w.device, image)
                : piextMemImageFree(w.context, w.device, image));
    must(piextMemReleaseInterop(w.context, w.device, import));
  }
  assert_int_equal(registry_count(), 0);
}

/* Two images of one import see the same bytes, and keep them after its release. */
WORLD_TEST(two_images_share_imported_memory) {
  pi_image_desc desc = describe(1);
  pi_interop_mem_handle import = 0;
  pi_image_mem_handle images[2];
  uint32_t want[256], got[256] = {0};
  struct pi_image_offset_struct origin = {0, 0, 0};
  struct pi_image_region_struct size = {16, 16, 1};
  for (uint32_t i = 0; i < 256; i++)
    want[i] = 5 * i;
  must(piextMemImportOpaqueFD(w.context, w.device, 4096, new_file(4096), &import));
  for (int i = 0; i < 2; i++)
    must(piextMemMapExternalArray(w.context, w.device, &r32, &desc, import, &images[i]));
  must(piextMemReleaseInterop(w.context, w.device, import));
  must(piextMemImageCopy(w.queue, images[0], want, &r32, &desc, PI_IMAGE_COPY_HOST_TO_DEVICE,
                         &origin, &origin, &size, &size, 0, NULL, NULL));
  must(piextMemImageCopy(w.queue, got, images[1], &r32, &desc, PI_IMAGE_COPY_DEVICE_TO_HOST,
                         &origin, &origin, &size, &size, 0, NULL, NULL));
  must(piQueueFinish(w.queue));
  assert_memory_equal(want, got, sizeof got);
  for (int i = 0; i < 2; i++)
    must(piextMemImageFree(w.context, w.device, images[i]));
  assert_int_equal(registry_count(), 0);
}

WORLD_TEST(memory_is_checked) {
  const pi_context c = w.context;
  const pi_device d = w.device;
  pi_interop_mem_handle import = 99;
  pi_image_mem_handle image = &w;
  pi_image_desc desc = describe(1);
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  fails(PI_ERROR_INVALID_VALUE, piextMemImportOpaqueFD(c, d, 64, -1, &import));
  fails(PI_ERROR_INVALID_VALUE, piextMemImportOpaqueFD(c, d, 0, pipes[0], &import));
  fails(PI_ERROR_INVALID_VALUE, piextMemImportOpaqueFD(c, d, 64, pipes[0], NULL));
  fails(PI_ERROR_INVALID_DEVICE, piextMemImportOpaqueFD(c, NULL, 64, pipes[0], &import));
  /* A refused file still belongs to the caller. */
  fails(PI_ERROR_INVALID_VALUE, piextMemImportOpaqueFD(c, d, 64, 1 << 20, &import));
  fails(PI_ERROR_INVALID_VALUE, piextMemImportOpaqueFD(c, d, 4096, pipes[0], &import));
  assert_true(is_open(pipes[0]));
  /* The driver may find only at the first image that a file is no memory. */
  pi_interop_mem_handle of_counter = 0;
  if (!backend.imports_at_once) {
    must(piextMemImportOpaqueFD(c, d, 4096, eventfd(0, 0), &of_counter));
    fails(PI_ERROR_INVALID_VALUE, piextMemMapExternalArray(c, d, &r32, &desc, of_counter, &image));
    must(piextMemReleaseInterop(c, d, of_counter));
  }
  const pi_interop_mem_handle wrong[] = {0, 1, (pi_interop_mem_handle)(uintptr_t)&desc, UINT64_MAX};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    fails(PI_ERROR_INVALID_VALUE, piextMemReleaseInterop(c, d, wrong[i]));
    fails(PI_ERROR_INVALID_VALUE, piextMemMapExternalArray(c, d, &r32, &desc, wrong[i], &image));
  }
  pi_interop_mem_handle small = 0;
  must(piextMemImportOpaqueFD(c, d, 512, new_file(512), &small));
  fails(PI_ERROR_INVALID_IMAGE_SIZE, piextMemMapExternalArray(c, d, &r32, &desc, small, &image));
  desc.image_width = 0;
  fails(PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
        piextMemMapExternalArray(c, d, &r32, &desc, small, &image));
  must(piextMemReleaseInterop(c, d, small));
  assert_int_equal(import, 99);
  assert_ptr_equal(image, &w);
  assert_int_equal(registry_count(), 0);
  close(pipes[0]);
  close(pipes[1]);
}

/* Commands after the wait run once the semaphore is signalled, in queues of both orders. */
WORLD_TEST(commands_wait_for_a_semaphore) {
  static const pi_queue_properties kinds[] = {IN_ORDER, OUT_OF_ORDER};
  for (size_t i = 0; i < 2; i++) {
    const int event_file = eventfd(0, 0), mine = dup(event_file);
    pi_interop_semaphore_handle semaphore = 0;
    const pi_queue queue = new_queue(kinds[i]);
    pi_mem buffers[5];
    pi_event waited = NULL, filled = NULL;
    must(piextImportExternalSemaphoreOpaqueFD(w.context, w.device, event_file, &semaphore));
    must(piextWaitExternalSemaphore(queue, semaphore, 0, NULL, &waited));
    for (int k = 0; k < 5; k++) {
      if (filled)
        must(piEventRelease(filled));
      buffers[k] = new_buffer(256, NULL);
      fill_buffer(queue, buffers[k], 7, NULL, &filled);
    }
    usleep(20 * 1000); /* more than they need without the wait */
    assert_true(status_of(waited) > PI_EVENT_COMPLETE);
    assert_true(status_of(filled) > PI_EVENT_COMPLETE);
    const uint64_t one = 1;
    assert_int_equal(write(mine, &one, sizeof one), sizeof one);
    must(piEventsWait(1, &filled));
    must(piEventsWait(1, &waited));
    must(piQueueFinish(queue));
    for (int k = 0; k < 5; k++)
      expect_filled(buffers[k], 7);
    /* Another interface waits for the signal. */
    must(piEventRelease(waited));
    must(piextSignalExternalSemaphore(queue, semaphore, 1, &filled, &waited));
    must(piEventsWait(1, &waited));
    uint64_t count = 0;
    assert_int_equal(read(mine, &count, sizeof count), sizeof count);
    assert_int_equal(count, 1);
    must(piEventRelease(waited));
    must(piEventRelease(filled));
    must(piextDestroyExternalSemaphore(w.context, w.device, semaphore));
    fails(PI_ERROR_INVALID_VALUE, piextDestroyExternalSemaphore(w.context, w.device, semaphore));
    for (int k = 0; k < 5; k++)
      must(piMemRelease(buffers[k]));
    must(piQueueRelease(queue));
    close(mine);
  }
}

/* A signal comes after all commands enqueued before it, in any stream. */
WORLD_TEST(a_signal_waits_for_what_came_before) {
  const int event_file = eventfd(0, EFD_NONBLOCK), mine = dup(event_file);
  pi_interop_semaphore_handle semaphore = 0;
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  const pi_mem buffer = new_buffer(256, NULL);
  const pi_event gate = new_user_event();
  pi_event signalled = NULL;
  must(piextImportExternalSemaphoreOpaqueFD(w.context, w.device, event_file, &semaphore));
  fill_buffer(queue, buffer, 7, gate, NULL);
  must(piextSignalExternalSemaphore(queue, semaphore, 0, NULL, &signalled));
  usleep(20 * 1000);
  const pi_int32 before = status_of(signalled);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &signalled));
  assert_int_not_equal(before, PI_EVENT_COMPLETE);
  uint64_t count = 0;
  assert_int_equal(read(mine, &count, sizeof count), sizeof count);
  must(piEventRelease(signalled));
  must(piEventRelease(gate));
  must(piextDestroyExternalSemaphore(w.context, w.device, semaphore));
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
  close(mine);
}

WORLD_TEST(semaphores_are_checked) {
  const pi_context c = w.context;
  const pi_device d = w.device;
  pi_interop_semaphore_handle semaphore = 99;
  pi_event event = (pi_event)(void *)&w;
  const int file = new_file(64);
  fails(PI_ERROR_INVALID_VALUE, piextImportExternalSemaphoreOpaqueFD(c, d, -1, &semaphore));
  fails(PI_ERROR_INVALID_VALUE, piextImportExternalSemaphoreOpaqueFD(c, d, 1 << 20, &semaphore));
  fails(PI_ERROR_INVALID_VALUE, piextImportExternalSemaphoreOpaqueFD(c, d, file, NULL));
  fails(PI_ERROR_INVALID_CONTEXT, piextImportExternalSemaphoreOpaqueFD(NULL, d, file, &semaphore));
  const pi_interop_semaphore_handle wrong[] = {0, 1, UINT64_MAX};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    fails(PI_ERROR_INVALID_VALUE, piextDestroyExternalSemaphore(c, d, wrong[i]));
    fails(PI_ERROR_INVALID_VALUE, piextWaitExternalSemaphore(w.queue, wrong[i], 0, NULL, &event));
    fails(PI_ERROR_INVALID_VALUE, piextSignalExternalSemaphore(w.queue, wrong[i], 0, NULL, &event));
  }
  fails(PI_ERROR_INVALID_QUEUE, piextWaitExternalSemaphore(NULL, 1, 0, NULL, &event));
  fails(PI_ERROR_INVALID_EVENT_WAIT_LIST,
        piextSignalExternalSemaphore(w.queue, 1, 1, NULL, &event));
  assert_int_equal(semaphore, 99);
  assert_ptr_equal(event, &w);
  close(file);
}

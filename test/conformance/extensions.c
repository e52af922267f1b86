/* Extensions that few backends have: peer access, host pipes, external memory and semaphores.
 * Bindless images are in bindless.c. */
#define _GNU_SOURCE /* memfd_create, pipe */
#include "exporter.h"
#include "fixture.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

/* The plugin answers the query; it refuses access from a device to itself. */
TEST(extensions, peer_access) {
  pi_uint32 can = 99;
  if (is_supported(pi.piextPeerAccessGetInfo(the_device(), the_device(), PI_PEER_ACCESS_SUPPORTED,
                                             sizeof can, &can, NULL)))
    expect(can <= 1, "the answer is %u", can);
  /* A plugin with peer access refuses a device as its own peer. */
  const pi_result result = pi.piextEnablePeerAccess(the_device(), the_device());
  if (result == PI_ERROR_UNSUPPORTED_FEATURE) {
    (void)is_supported(result);
    (void)is_supported(pi.piextDisablePeerAccess(the_device(), the_device()));
    return;
  }
  expect_refused(result);
  expect_refused(pi.piextDisablePeerAccess(the_device(), the_device()));
}

static void skip_without_peers(const char *reason) {
  cannot_show(PI_INDEX_piextEnablePeerAccess, true, reason);
  cannot_show(PI_INDEX_piextDisablePeerAccess, true, reason);
  skip_test("%s", reason);
}

/* Returns the platform's second device, or the second platform's first; else skips the test. */
static pi_device other_device(void) {
  pi_device devices[2] = {NULL, NULL};
  pi_uint32 count = 0;
  expect_success(pi.piDevicesGet(the_platform(), PI_DEVICE_TYPE_ALL, 2, devices, &count));
  if (count < 2) {
    pi_platform platforms[2];
    expect_success(pi.piPlatformsGet(2, platforms, &count));
    if (count < 2)
      skip_without_peers("there is one device only");
    expect_success(pi.piDevicesGet(platforms[1], PI_DEVICE_TYPE_ALL, 1, &devices[1], NULL));
  }
  pi_uint32 can = 0;
  if (!is_supported(pi.piextPeerAccessGetInfo(the_device(), devices[1], PI_PEER_ACCESS_SUPPORTED,
                                              sizeof can, &can, NULL)) ||
      !can)
    skip_without_peers("the device cannot reach the second one");
  return devices[1];
}

/*
 * A kernel on the first device writes to memory of the second one. In Level Zero both devices must
 * be in one context; in CUDA each has its own.
 */
TEST(extensions, peer_access_works) {
  const pi_device other = other_device();
  pi_context context = NULL;
  pi_queue queue = NULL;
  pi_usm_mem_properties none[] = {0};
  pi_queue_properties plain[] = {PI_QUEUE_FLAGS, 0, 0};
  pi_uint32 *memory = NULL;
  pi_uint32 got[64];
  if (the_backend() == PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO && !code_is_ptx()) {
    context = the_context_with(other);
    expect_success(pi.piContextRetain(context));
  } else {
    expect_success(pi.piContextCreate(NULL, 1, &other, NULL, NULL, &context));
  }
  expect_success(pi.piextQueueCreate(context, other, plain, &queue));
  expect_success(pi.piextUSMDeviceAlloc((void **)&memory, context, other, none, sizeof got, 0));
  expect_success(pi.piextUSMEnqueueMemset(queue, memory, 0, sizeof got, 0, NULL, NULL));
  expect_success(pi.piQueueFinish(queue));
  const pi_kernel kernel = new_kernel(new_built_program(module_basic()), "numbers");
  expect_success(pi.piextEnablePeerAccess(the_device(), other));
  expect_success(pi.piextKernelSetArgPointer(kernel, 0, sizeof memory, &memory));
  run_kernel(kernel, 64);
  expect_success(pi.piextUSMEnqueueMemcpy(queue, PI_TRUE, got, memory, sizeof got, 0, NULL, NULL));
  for (pi_uint32 i = 0; i < 64; i++)
    expect_equal(i, got[i]);
  expect_success(pi.piextDisablePeerAccess(the_device(), other));
  expect_success(pi.piextUSMFree(context, memory));
  expect_success(pi.piQueueRelease(queue));
  expect_success(pi.piContextRelease(context));
}

TEST(extensions, peer_access_refuses_twice) {
  const pi_device other = other_device();
  expect_error(PI_ERROR_INVALID_OPERATION, pi.piextDisablePeerAccess(the_device(), other));
  expect_success(pi.piextEnablePeerAccess(the_device(), other));
  expect_error(PI_ERROR_INVALID_OPERATION, pi.piextEnablePeerAccess(the_device(), other));
  expect_success(pi.piextDisablePeerAccess(the_device(), other));
  expect_error(PI_ERROR_INVALID_OPERATION, pi.piextDisablePeerAccess(the_device(), other));
}

TEST(extensions, peer_access_refuses_null) {
  pi_uint32 can;
  expect_refused(pi.piextEnablePeerAccess(NULL, the_device()));
  expect_refused(pi.piextDisablePeerAccess(NULL, the_device()));
  expect_refused_keeps(can, pi.piextPeerAccessGetInfo(NULL, the_device(), PI_PEER_ACCESS_SUPPORTED,
                                                      sizeof can, &can, NULL));
}

TEST(extensions, peer_access_refuses_unknown) {
  pi_uint32 can;
  expect_refused_keeps(can,
                       pi.piextPeerAccessGetInfo(the_device(), the_device(), (pi_peer_attr)0x7777,
                                                 sizeof can, &can, NULL));
}

/* No module of the tests has a pipe, so a plugin with pipes finds none of this name. */
TEST(extensions, host_pipes) {
  const pi_program program = new_built_program(module_global_variable());
  int value = 0;
  pi_result result = pi.piextEnqueueReadHostPipe(the_queue(), program, "pipe", PI_TRUE, &value,
                                                 sizeof value, 0, NULL, NULL);
  expect(result != PI_SUCCESS, "a pipe that is not there was read");
  if (result == PI_ERROR_UNSUPPORTED_FEATURE)
    (void)is_supported(result);
  result = pi.piextEnqueueWriteHostPipe(the_queue(), program, "pipe", PI_TRUE, &value, sizeof value,
                                        0, NULL, NULL);
  expect(result != PI_SUCCESS, "a pipe that is not there was written");
  if (result == PI_ERROR_UNSUPPORTED_FEATURE)
    (void)is_supported(result);
}

TEST(extensions, host_pipes_refuse_null) {
  int value = 0;
  expect_refused(pi.piextEnqueueReadHostPipe(NULL, NULL, "pipe", PI_TRUE, &value, sizeof value, 0,
                                             NULL, NULL));
  expect_refused(pi.piextEnqueueWriteHostPipe(NULL, NULL, "pipe", PI_TRUE, &value, sizeof value, 0,
                                              NULL, NULL));
}

/* --- external memory and semaphores */

static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8};

static pi_image_desc small(void) {
  return (pi_image_desc){.image_type = PI_MEM_TYPE_IMAGE2D,
                         .image_width = 8,
                         .image_height = 8,
                         .image_depth = 1,
                         .num_mip_levels = 1};
}

static const char no_exporter[] = "nothing on this machine exports what the device imports";

/* Returns a descriptor that cannot be imported: a pipe is neither memory nor a semaphore. */
static int new_pipe(void) {
  int ends[2];
  expect(pipe(ends) == 0, "pipe failed");
  close(ends[1]);
  return ends[0];
}

static pi_result try_import(int file, size_t size, pi_interop_mem_handle *ret) {
  if (file < 0)
    return PI_ERROR_INVALID_VALUE;
  const pi_result result = pi.piextMemImportOpaqueFD(the_context(), the_device(), size, file, ret);
  if (result != PI_SUCCESS)
    close(file);
  return result;
}

/*
 * Imports a memory file, which only drivers without a GPU accept, or else memory that the CUDA
 * driver exports. Returns false where the plugin has no import; skips the test where it refuses
 * both.
 */
static bool import_memory(size_t size, pi_interop_mem_handle *ret) {
  const int file = memfd_create("conformance", MFD_CLOEXEC);
  expect(file >= 0 && ftruncate(file, (off_t)size) == 0, "no file in memory");
  pi_result result = try_import(file, size, ret);
  if (result != PI_SUCCESS && result != PI_ERROR_UNSUPPORTED_FEATURE) {
    const int exported = export_from_cuda(&size);
    result = try_import(exported, size, ret);
  }
  if (result == PI_SUCCESS || result == PI_ERROR_UNSUPPORTED_FEATURE)
    return is_supported(result);
  cannot_show(PI_INDEX_piextMemImportOpaqueFD, true, no_exporter);
  cannot_show(PI_INDEX_piextMemMapExternalArray, true, no_exporter);
  cannot_show(PI_INDEX_piextMemReleaseInterop, true, no_exporter);
  skip_test("%s", no_exporter);
}

/* An image in imported memory keeps its pixels. */
TEST(extensions, external_memory) {
  const pi_context context = the_context();
  const pi_device device = the_device();
  pi_interop_mem_handle handle = 0;
  pi_image_desc desc = small();
  pi_image_mem_handle memory = NULL;
  if (!import_memory(1 << 20, &handle)) {
    expect_no_such(pi.piextMemMapExternalArray(context, device, &format, &desc, 1, &memory));
    expect_no_such(pi.piextMemReleaseInterop(context, device, 1));
    return;
  }
  expect_success(pi.piextMemMapExternalArray(context, device, &format, &desc, handle, &memory));
  size_t width = 0;
  expect_success(pi.piextMemImageGetInfo(memory, PI_IMAGE_INFO_WIDTH, &width, NULL));
  expect_equal(8, width);
  struct pi_image_offset_struct origin = {0, 0, 0};
  struct pi_image_region_struct whole = {8, 8, 1};
  pi_uint32 pixels[64];
  pi_uint32 got[64] = {0};
  for (pi_uint32 i = 0; i < 64; i++)
    pixels[i] = i * 2654435761u;
  expect_success(pi.piextMemImageCopy(the_queue(), memory, pixels, &format, &desc,
                                      PI_IMAGE_COPY_HOST_TO_DEVICE, &origin, &origin, &whole,
                                      &whole, 0, NULL, NULL));
  expect_success(pi.piextMemImageCopy(the_queue(), got, memory, &format, &desc,
                                      PI_IMAGE_COPY_DEVICE_TO_HOST, &origin, &origin, &whole,
                                      &whole, 0, NULL, NULL));
  expect_success(pi.piQueueFinish(the_queue()));
  expect_bytes(pixels, got, sizeof pixels);
  expect_success(pi.piextMemImageFree(context, device, memory));
  expect_success(pi.piextMemReleaseInterop(context, device, handle));
  expect_refused(pi.piextMemReleaseInterop(context, device, handle));
}

TEST(extensions, external_memory_refuses) {
  pi_interop_mem_handle handle;
  const int file = new_pipe();
  expect_refused_keeps(handle,
                       pi.piextMemImportOpaqueFD(the_context(), the_device(), 64, file, &handle));
  close(file);
  expect_refused_keeps(handle,
                       pi.piextMemImportOpaqueFD(the_context(), the_device(), 64, -1, &handle));
  expect_refused(pi.piextMemReleaseInterop(the_context(), the_device(), 12345));
}

/* Signals and waits for an imported semaphore, an eventfd. */
TEST(extensions, external_semaphores) {
  const pi_context context = the_context();
  const pi_device device = the_device();
  pi_interop_semaphore_handle handle = 0;
  const int file = eventfd(0, EFD_CLOEXEC);
  expect(file >= 0, "eventfd failed");
  const pi_result result = pi.piextImportExternalSemaphoreOpaqueFD(context, device, file, &handle);
  if (result == PI_ERROR_UNSUPPORTED_FEATURE) {
    (void)is_supported(result);
    expect_no_such(pi.piextWaitExternalSemaphore(the_queue(), 1, 0, NULL, NULL));
    expect_no_such(pi.piextSignalExternalSemaphore(the_queue(), 1, 0, NULL, NULL));
    expect_no_such(pi.piextDestroyExternalSemaphore(context, device, 1));
    close(file);
    return;
  }
  if (result != PI_SUCCESS) {
    close(file);
    cannot_show(PI_INDEX_piextImportExternalSemaphoreOpaqueFD, true, no_exporter);
    cannot_show(PI_INDEX_piextWaitExternalSemaphore, true, no_exporter);
    cannot_show(PI_INDEX_piextSignalExternalSemaphore, true, no_exporter);
    cannot_show(PI_INDEX_piextDestroyExternalSemaphore, true, no_exporter);
    skip_test("%s", no_exporter);
  }
  (void)is_supported(result);
  /* A queue that batches commands may not support external semaphores. */
  const pi_queue other = new_queue(PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE);
  const pi_queue waiting = new_queue(PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE);
  pi_event event = NULL;
  expect_success(pi.piextSignalExternalSemaphore(other, handle, 0, NULL, NULL));
  expect_success(pi.piextWaitExternalSemaphore(waiting, handle, 0, NULL, &event));
  release_event_later(event);
  expect_success(pi.piEventsWait(1, &event));
  expect_success(pi.piQueueFinish(other));
  expect_success(pi.piextDestroyExternalSemaphore(context, device, handle));
  expect_refused(pi.piextDestroyExternalSemaphore(context, device, handle));
}

TEST(extensions, external_semaphores_refuse) {
  pi_interop_semaphore_handle handle;
  const int file = new_pipe();
  expect_refused_keeps(
      handle, pi.piextImportExternalSemaphoreOpaqueFD(the_context(), the_device(), file, &handle));
  close(file);
  expect_refused(pi.piextSignalExternalSemaphore(the_queue(), 12345, 0, NULL, NULL));
  expect_refused(pi.piextWaitExternalSemaphore(the_queue(), 12345, 0, NULL, NULL));
  expect_refused(pi.piextDestroyExternalSemaphore(the_context(), the_device(), 12345));
}

TEST(extensions, external_refuse_null) {
  const pi_device device = the_device();
  pi_interop_mem_handle memory;
  pi_interop_semaphore_handle semaphore;
  pi_image_mem_handle image;
  pi_image_desc desc = small();
  expect_refused_keeps(memory, pi.piextMemImportOpaqueFD(NULL, device, 64, -1, &memory));
  expect_refused_keeps(image, pi.piextMemMapExternalArray(NULL, device, &format, &desc, 0, &image));
  expect_refused(pi.piextMemReleaseInterop(NULL, device, 0));
  expect_refused_keeps(semaphore,
                       pi.piextImportExternalSemaphoreOpaqueFD(NULL, device, -1, &semaphore));
  expect_refused(pi.piextDestroyExternalSemaphore(NULL, device, 0));
  expect_refused(pi.piextWaitExternalSemaphore(NULL, 0, 0, NULL, NULL));
  expect_refused(pi.piextSignalExternalSemaphore(NULL, 0, 0, NULL, NULL));
}

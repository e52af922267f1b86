/* Peers, host pipes, external memory: what few backends have. Bindless images are in bindless.c. */
#define _GNU_SOURCE /* pipe */
#include "fixture.h"

#include <unistd.h>

/* A device is no peer of itself; a plugin says what it can. */
TEST(extensions, peer_access) {
  pi_uint32 can = 99;
  if (is_supported(pi.piextPeerAccessGetInfo(the_device(), the_device(), PI_PEER_ACCESS_SUPPORTED,
                                             sizeof can, &can, NULL)))
    expect(can <= 1, "the answer is %u", can);
  /* Where peers are, a device is none of itself. */
  const pi_result result = pi.piextEnablePeerAccess(the_device(), the_device());
  if (result == PI_ERROR_UNSUPPORTED_FEATURE) {
    (void)is_supported(result);
    (void)is_supported(pi.piextDisablePeerAccess(the_device(), the_device()));
    return;
  }
  expect_refused(result);
  expect_refused(pi.piextDisablePeerAccess(the_device(), the_device()));
}

/* The second device, or the test is skipped. */
static pi_device other_device(void) {
  pi_device devices[2] = {NULL, NULL};
  pi_uint32 count = 0;
  expect_success(pi.piDevicesGet(the_platform(), PI_DEVICE_TYPE_ALL, 2, devices, &count));
  if (count < 2)
    skip_test("there is one device only");
  pi_uint32 can = 0;
  if (!is_supported(pi.piextPeerAccessGetInfo(the_device(), devices[1], PI_PEER_ACCESS_SUPPORTED,
                                              sizeof can, &can, NULL)) ||
      !can)
    skip_test("the device cannot reach the second one");
  return devices[1];
}

/* A kernel of the first device writes to memory of the second one. */
TEST(extensions, peer_access_works) {
  const pi_device other = other_device();
  pi_context context = NULL;
  pi_queue queue = NULL;
  pi_usm_mem_properties none[] = {0};
  pi_queue_properties plain[] = {PI_QUEUE_FLAGS, 0, 0};
  pi_uint32 *memory = NULL;
  pi_uint32 got[64];
  expect_success(pi.piContextCreate(NULL, 1, &other, NULL, NULL, &context));
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

/* No module here has a pipe, so the name is unknown wherever pipes are. */
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

/* --- external memory and semaphores: the file is none, so no import can work */

static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8};

static pi_image_desc small(void) {
  return (pi_image_desc){.image_type = PI_MEM_TYPE_IMAGE2D,
                         .image_width = 8,
                         .image_height = 8,
                         .image_depth = 1,
                         .num_mip_levels = 1};
}

TEST(extensions, external_memory) {
  const pi_context context = the_context();
  const pi_device device = the_device();
  pi_interop_mem_handle handle = 0;
  pi_image_desc desc = small();
  pi_image_mem_handle memory = NULL;
  int pipes[2];
  expect(pipe(pipes) == 0, "pipe failed");
  pi_result result = pi.piextMemImportOpaqueFD(context, device, 64, pipes[0], &handle);
  expect(result != PI_SUCCESS, "a pipe was imported as memory");
  if (result != PI_ERROR_UNSUPPORTED_FEATURE)
    skip_test("the device imports memory; this suite has none to import");
  (void)is_supported(result);
  (void)is_supported(pi.piextMemMapExternalArray(context, device, &format, &desc, 1, &memory));
  (void)is_supported(pi.piextMemReleaseInterop(context, device, 1));
  close(pipes[0]);
  close(pipes[1]);
}

TEST(extensions, external_semaphores) {
  const pi_context context = the_context();
  const pi_device device = the_device();
  pi_interop_semaphore_handle handle = 0;
  int pipes[2];
  expect(pipe(pipes) == 0, "pipe failed");
  pi_result result = pi.piextImportExternalSemaphoreOpaqueFD(context, device, pipes[0], &handle);
  expect(result != PI_SUCCESS, "a pipe was imported as a semaphore");
  if (result != PI_ERROR_UNSUPPORTED_FEATURE)
    skip_test("the device imports semaphores; this suite has none to import");
  (void)is_supported(result);
  (void)is_supported(pi.piextWaitExternalSemaphore(the_queue(), 1, 0, NULL, NULL));
  (void)is_supported(pi.piextSignalExternalSemaphore(the_queue(), 1, 0, NULL, NULL));
  (void)is_supported(pi.piextDestroyExternalSemaphore(context, device, 1));
  close(pipes[0]);
  close(pipes[1]);
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

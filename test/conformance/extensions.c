/* Peers, host pipes, bindless images, external memory: what few backends have. */
#define _GNU_SOURCE /* pipe */
#include "fixture.h"

#include <unistd.h>

/* A device is no peer of itself; a plugin says what it can. */
TEST(extensions, peer_access) {
  pi_uint32 can = 99;
  if (is_supported(pi.piextPeerAccessGetInfo(the_device(), the_device(), PI_PEER_ACCESS_SUPPORTED,
                                             sizeof can, &can, NULL)))
    expect(can <= 1, "the answer is %u", can);
  const pi_result result = pi.piextEnablePeerAccess(the_device(), the_device());
  if (is_supported(result))
    expect_success(pi.piextDisablePeerAccess(the_device(), the_device()));
  else
    (void)is_supported(pi.piextDisablePeerAccess(the_device(), the_device()));
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

/* --- bindless images */

static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8};

static pi_image_desc small(void) {
  return (pi_image_desc){.image_type = PI_MEM_TYPE_IMAGE2D,
                         .image_width = 8,
                         .image_height = 8,
                         .image_depth = 1,
                         .num_mip_levels = 1};
}

/* The whole way where the device has it; else each entry says that it has not. */
TEST(extensions, bindless_images) {
  const pi_context context = the_context();
  const pi_device device = the_device();
  pi_image_desc desc = small();
  pi_image_mem_handle memory = NULL;
  if (!is_supported(pi.piextMemImageAllocate(context, device, &format, &desc, &memory))) {
    pi_image_handle handle = 0;
    pi_mem mem = NULL;
    size_t width = 0;
    pi_uint32 pixels[64] = {0};
    struct pi_image_offset_struct at = {0, 0, 0};
    struct pi_image_region_struct size = {8, 8, 1};
    (void)is_supported(
        pi.piextMemUnsampledImageCreate(context, device, pixels, &format, &desc, &mem, &handle));
    (void)is_supported(pi.piextMemImageGetInfo(pixels, PI_IMAGE_INFO_WIDTH, &width, NULL));
    (void)is_supported(pi.piextMemImageCopy(the_queue(), pixels, pixels, &format, &desc,
                                            PI_IMAGE_COPY_HOST_TO_DEVICE, &at, &at, &size, &size, 0,
                                            NULL, NULL));
    (void)is_supported(pi.piextMemUnsampledImageHandleDestroy(context, device, 1));
    (void)is_supported(pi.piextMemImageFree(context, device, pixels));
    return;
  }
  pi_image_handle handle = 0;
  pi_mem mem = NULL;
  size_t width = 0;
  expect_success(
      pi.piextMemUnsampledImageCreate(context, device, memory, &format, &desc, &mem, &handle));
  expect_success(pi.piextMemImageGetInfo(memory, PI_IMAGE_INFO_WIDTH, &width, NULL));
  expect_equal(8, width);
  pi_uint32 pixels[64];
  for (pi_uint32 i = 0; i < 64; i++)
    pixels[i] = i;
  struct pi_image_offset_struct at = {0, 0, 0};
  struct pi_image_region_struct size = {8, 8, 1};
  expect_success(pi.piextMemImageCopy(the_queue(), memory, pixels, &format, &desc,
                                      PI_IMAGE_COPY_HOST_TO_DEVICE, &at, &at, &size, &size, 0, NULL,
                                      NULL));
  expect_success(pi.piQueueFinish(the_queue()));
  expect_success(pi.piextMemUnsampledImageHandleDestroy(context, device, handle));
  expect_success(pi.piextMemImageFree(context, device, memory));
}

TEST(extensions, bindless_sampled_images) {
  const pi_context context = the_context();
  const pi_device device = the_device();
  const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 1, 0};
  pi_image_desc desc = small();
  pi_sampler sampler = NULL;
  pi_image_mem_handle memory = NULL;
  pi_image_handle handle = 0;
  pi_mem mem = NULL;
  pi_uint32 pixels[64] = {0};
  if (!is_supported(pi.piextBindlessImageSamplerCreate(context, properties, 0, 0, 1, &sampler))) {
    (void)is_supported(pi.piextMemSampledImageCreate(context, device, pixels, &format, &desc,
                                                     sampler, &mem, &handle));
    (void)is_supported(pi.piextMemSampledImageHandleDestroy(context, device, 1));
    return;
  }
  if (is_supported(pi.piextMemImageAllocate(context, device, &format, &desc, &memory))) {
    expect_success(pi.piextMemSampledImageCreate(context, device, memory, &format, &desc, sampler,
                                                 &mem, &handle));
    expect_success(pi.piextMemSampledImageHandleDestroy(context, device, handle));
    expect_success(pi.piextMemImageFree(context, device, memory));
  }
  expect_success(pi.piSamplerRelease(sampler));
}

TEST(extensions, bindless_mipmaps) {
  const pi_context context = the_context();
  const pi_device device = the_device();
  pi_image_desc desc = small();
  desc.num_mip_levels = 2;
  pi_uint32 pixels[64] = {0};
  pi_image_mem_handle memory = NULL;
  pi_image_mem_handle level = NULL;
  if (!is_supported(pi.piextMemImageAllocate(context, device, &format, &desc, &memory))) {
    (void)is_supported(pi.piextMemMipmapGetLevel(context, device, pixels, 1, &level));
    (void)is_supported(pi.piextMemMipmapFree(context, device, pixels));
    return;
  }
  expect_success(pi.piextMemMipmapGetLevel(context, device, memory, 1, &level));
  expect_success(pi.piextMemMipmapFree(context, device, memory));
}

TEST(extensions, bindless_images_refuse_null) {
  const pi_device device = the_device();
  pi_image_desc desc = small();
  const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 1, 0};
  pi_image_mem_handle memory;
  pi_image_handle handle;
  pi_sampler sampler;
  pi_mem mem = NULL;
  size_t width;
  expect_refused_keeps(memory, pi.piextMemImageAllocate(NULL, device, &format, &desc, &memory));
  expect_refused(pi.piextMemImageFree(NULL, device, NULL));
  expect_refused_keeps(
      handle, pi.piextMemUnsampledImageCreate(NULL, device, NULL, &format, &desc, &mem, &handle));
  expect_refused_keeps(handle, pi.piextMemSampledImageCreate(NULL, device, NULL, &format, &desc,
                                                             NULL, &mem, &handle));
  expect_refused(pi.piextMemUnsampledImageHandleDestroy(NULL, device, 0));
  expect_refused(pi.piextMemSampledImageHandleDestroy(NULL, device, 0));
  expect_refused_keeps(sampler,
                       pi.piextBindlessImageSamplerCreate(NULL, properties, 0, 0, 1, &sampler));
  expect_refused(pi.piextMemImageCopy(NULL, NULL, NULL, NULL, NULL, PI_IMAGE_COPY_HOST_TO_DEVICE,
                                      NULL, NULL, NULL, NULL, 0, NULL, NULL));
  expect_refused_keeps(width, pi.piextMemImageGetInfo(NULL, PI_IMAGE_INFO_WIDTH, &width, NULL));
  expect_refused_keeps(memory, pi.piextMemMipmapGetLevel(NULL, device, NULL, 0, &memory));
  expect_refused(pi.piextMemMipmapFree(NULL, device, NULL));
}

/* --- external memory and semaphores: the file is none, so no import can work */

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

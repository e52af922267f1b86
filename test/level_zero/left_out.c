/*
 * Bindless images and imports on a driver without their extensions; the one for semaphores is
 * missing together with that for images, or is there.
 */
#define _GNU_SOURCE /* memfd_create */
#include "world.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static pi_image_format r32 = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32};

/* Without the extension every entry point says so, after its usual checks. */
static void without_images_every_entry_is_refused(void **state) {
  (void)state;
  pi_image_desc desc = {
      .image_type = PI_MEM_TYPE_IMAGE2D, .image_width = 8, .image_height = 4, .num_mip_levels = 1};
  const pi_context c = w.context;
  const pi_device d = w.device;
  const pi_result no = PI_ERROR_UNSUPPORTED_FEATURE;
  struct pi_image_offset_struct origin = {0, 0, 0};
  struct pi_image_region_struct size = {8, 4, 1};
  void *memory = NULL;
  size_t pitch;
  pi_mem mem;
  pi_image_handle handle;
  pi_bool answer = PI_TRUE;
  static uint32_t pixels[32];
  fails(no, piextMemImageAllocate(c, d, &r32, &desc, &memory));
  fails(no, piextMemImageFree(c, d, pixels));
  fails(no, piextMemMipmapFree(c, d, pixels));
  fails(no, piextMemMipmapGetLevel(c, d, pixels, 0, &memory));
  fails(no, piextUSMPitchedAlloc(&memory, &pitch, c, d, NULL, 64, 4, 4));
  fails(no, piextMemUnsampledImageCreate(c, d, pixels, &r32, &desc, &mem, &handle));
  fails(no, piextMemSampledImageCreate(c, d, pixels, &r32, &desc, NULL, &mem, &handle));
  fails(no, piextMemUnsampledImageHandleDestroy(c, d, 64));
  fails(no, piextMemSampledImageHandleDestroy(c, d, 64));
  fails(no, piextMemImageCopy(w.queue, pixels, pixels, &r32, &desc, PI_IMAGE_COPY_HOST_TO_DEVICE,
                              &origin, &origin, &size, &size, 0, NULL, NULL));
  fails(PI_ERROR_INVALID_CONTEXT, piextMemImageAllocate(NULL, d, &r32, &desc, &memory));
  must(piDeviceGetInfo(d, PI_EXT_ONEAPI_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT, sizeof answer, &answer,
                       NULL));
  assert_int_equal(answer, PI_FALSE);
  assert_null(memory);
}

static void without_imports_every_entry_is_refused(void **state) {
  (void)state;
  const pi_context c = w.context;
  const pi_device d = w.device;
  const pi_result no = PI_ERROR_UNSUPPORTED_FEATURE;
  pi_image_desc desc = {.image_type = PI_MEM_TYPE_IMAGE2D,
                        .image_width = 16,
                        .image_height = 16,
                        .num_mip_levels = 1};
  pi_interop_mem_handle import = 99;
  pi_interop_semaphore_handle semaphore = 99;
  pi_image_mem_handle image = &w;
  const int file = memfd_create("specpi", 0);
  fails(no, piextMemImportOpaqueFD(c, d, 64, file, &import));
  fails(no, piextMemMapExternalArray(c, d, &r32, &desc, 1, &image));
  fails(no, piextImportExternalSemaphoreOpaqueFD(c, d, file, &semaphore));
  fails(no, piextDestroyExternalSemaphore(c, d, 1));
  fails(no, piextWaitExternalSemaphore(w.queue, 1, 0, NULL, NULL));
  fails(no, piextSignalExternalSemaphore(w.queue, 1, 0, NULL, NULL));
  assert_int_not_equal(fcntl(file, F_GETFD), -1);
  assert_int_equal(import, 99);
  assert_int_equal(semaphore, 99);
  assert_ptr_equal(image, &w);
  close(file);
}

int main(void) {
  const struct CMUnitTest images[] = {cmocka_unit_test_setup_teardown(
      without_images_every_entry_is_refused, open_world, close_world)};
  const struct CMUnitTest imports[] = {cmocka_unit_test_setup_teardown(
      without_imports_every_entry_is_refused, open_world, close_world)};
  const int failed = cmocka_run_group_tests(images, NULL, NULL);
  const bool has_semaphores = !strstr(getenv("FAKE_ZE_WITHOUT"), "semaphores");
  return failed + (has_semaphores ? 0 : cmocka_run_group_tests(imports, NULL, NULL));
}

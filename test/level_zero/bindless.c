/* Level Zero bindless images: their end, failures, plain memory, the loader's handles. */
#include "../plugins/bindless.h"
#include "world.h"

#include "../../plugins/level_zero/image.h"
#include "../../plugins/level_zero/newer.h"
#include "../../plugins/objects/registry.h"

/* In a queue's order: memory freed meanwhile stays until the copy is done. */
WORLD_TEST(memory_freed_in_use_stays_until_the_copy_is_done) {
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_image_mem_handle memory = new_memory(&desc);
  static uint32_t pixels[32];
  struct pi_image_offset_struct origin = {0, 0, 0};
  struct pi_image_region_struct size = {8, 4, 1};
  const pi_event gate = new_user_event();
  pi_image_handle handle = 0;
  pi_mem mem = NULL;
  must(piextMemUnsampledImageCreate(w.context, w.device, memory, &r32, &desc, &mem, &handle));
  assert_int_equal(fake_ze_live(FAKE_IMAGE), 2);
  must(piextMemImageCopy(w.queue, memory, pixels, &r32, &desc, PI_IMAGE_COPY_HOST_TO_DEVICE,
                         &origin, &origin, &size, &size, 1, &gate, NULL));
  must(piextMemUnsampledImageHandleDestroy(w.context, w.device, handle));
  free_memory(memory);
  fails(PI_ERROR_INVALID_VALUE, piextMemImageFree(w.context, w.device, memory));
  assert_int_equal(fake_ze_live(FAKE_IMAGE), 2);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piQueueFinish(w.queue));
  must(piEventRelease(gate));
  must(piMemRelease(mem));
}

/* A call that fails on the way leaves no object. */
WORLD_TEST(failed_creations_leave_no_image) {
  static const char *const calls[] = {"zeImageViewCreateExp", "zeContextMakeImageResident",
                                      "zeImageGetDeviceOffsetExp"};
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_image_mem_handle memory = new_memory(&desc);
  pi_image_handle handle = 99;
  pi_mem mem = (pi_mem)(void *)&w;
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    fake_ze_fail(calls[i], 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    fails(PI_ERROR_OUT_OF_RESOURCES,
          piextMemUnsampledImageCreate(w.context, w.device, memory, &r32, &desc, &mem, &handle));
    assert_string_equal(fake_ze_unfail(), calls[i]);
    assert_int_equal(fake_ze_live(FAKE_IMAGE), 1);
  }
  free_memory(memory);
  pi_image_mem_handle none = &w;
  fake_ze_fail("zeImageCreate", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  fails(PI_ERROR_OUT_OF_RESOURCES, piextMemImageAllocate(w.context, w.device, &r32, &desc, &none));
  assert_ptr_equal(none, &w);
  assert_int_equal(handle, 99);
  assert_ptr_equal(mem, &w);
  assert_int_equal(registry_count(), 0);
}

/* Images in memory of the size that the description needs, with the driver's pitch. */
WORLD_TEST(images_use_plain_memory_with_the_driver_s_pitch) {
  const pi_context c = w.context;
  const pi_device d = w.device;
  const pi_sampler_properties linear[] = {PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                          PI_SAMPLER_FILTER_MODE_LINEAR, 0};
  pi_sampler sampler = NULL;
  must(piSamplerCreate(c, linear, &sampler));
  pi_image_handle handle = 99;
  pi_mem mem = (pi_mem)(void *)&w;
  void *plain = NULL, *host = NULL;
  size_t pitch = 0;
  must(piextUSMPitchedAlloc(&plain, &pitch, c, d, NULL, 240, 16, 4));
  assert_int_equal(pitch, 256);
  must(piextUSMHostAlloc(&host, c, NULL, 4096, 0));
  pi_image_format float1 = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_FLOAT};
  pi_image_desc rows = describe(PI_MEM_TYPE_IMAGE2D, 60, 16, 0);
  pi_image_desc deep = describe(PI_MEM_TYPE_IMAGE3D, 4, 4, 4);
  rows.image_row_pitch = pitch;
  fails(PI_ERROR_UNSUPPORTED_FEATURE,
        piextMemSampledImageCreate(c, d, plain, &float1, &deep, sampler, &mem, &handle));
  fails(PI_ERROR_INVALID_VALUE,
        piextMemSampledImageCreate(c, d, host, &float1, &rows, sampler, &mem, &handle));
  fails(PI_ERROR_INVALID_VALUE, piextMemSampledImageCreate(c, d, (char *)plain + 256, &float1,
                                                           &rows, sampler, &mem, &handle));
  rows.image_height = 17;
  fails(PI_ERROR_INVALID_VALUE,
        piextMemSampledImageCreate(c, d, plain, &float1, &rows, sampler, &mem, &handle));
  rows.image_height = 15;
  rows.image_row_pitch = 260;
  fails(PI_ERROR_UNSUPPORTED_FEATURE,
        piextMemSampledImageCreate(c, d, plain, &float1, &rows, sampler, &mem, &handle));
  assert_int_equal(handle, 99);
  assert_ptr_equal(mem, &w);
  rows.image_row_pitch = pitch;
  must(piextMemSampledImageCreate(c, d, plain, &float1, &rows, sampler, &mem, &handle));
  must(piextMemSampledImageHandleDestroy(c, d, handle));
  must(piMemRelease(mem));
  must(piextMemUnsampledImageCreate(c, d, plain, &r32, &rows, &mem, &handle));
  must(piextMemUnsampledImageHandleDestroy(c, d, handle));
  must(piMemRelease(mem));
  must(piextUSMFree(c, plain));
  must(piextUSMFree(c, host));
  must(piSamplerRelease(sampler));
}

/* The driver's own functions get its own handles, even if the loader wraps them. */
WORLD_TEST(the_driver_gets_its_own_handles) {
  const char *intercept = getenv("ZE_ENABLE_LOADER_INTERCEPT");
  const bool is_wrapped = intercept && strcmp(intercept, "1") == 0;
  void *const driver_handle = newer_handle(NEWER_HANDLE_DRIVER, w.platform->driver.driver);
  void *const device_handle = newer_handle(NEWER_HANDLE_DEVICE, w.device->driver.device);
  assert_int_equal(driver_handle != (void *)w.platform->driver.driver, is_wrapped);
  assert_int_equal(device_handle != (void *)w.device->driver.device, is_wrapped);
}

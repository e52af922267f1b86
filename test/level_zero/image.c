/* Level Zero images: orders, failures, several devices, images of the application. */
#include "../plugins/image.h"
#include "world.h"

#include "../../plugins/level_zero/image.h"

/* Only images that kernels just read may have an order that has to be rearranged. */
WORLD_TEST(rearranged_orders_are_for_reading) {
  unsigned char want[64], got[64];
  size_t count = 0;
  number_bytes(want, sizeof want);
#define EACH_ORDER(order, channels, letters)                                                       \
  {                                                                                                \
    const pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_##order,                                \
                                    PI_IMAGE_CHANNEL_TYPE_UNORM_INT8};                             \
    const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 4, 4, 0);                             \
    const bool is_straight = strncmp("RGBA", letters, channels) == 0;                              \
    pi_mem image = NULL;                                                                           \
    if (!is_straight)                                                                              \
      refused_by_the_driver(&format, PI_MEM_FLAGS_ACCESS_RW);                                      \
    if (!driver_has_format(&format, false)) {                                                      \
      refused_by_the_driver(&format, PI_MEM_ACCESS_READ_ONLY);                                     \
    } else {                                                                                       \
      must(piMemImageCreate(w.context, PI_MEM_ACCESS_READ_ONLY, &format, &desc, NULL, &image));    \
      must(try_write(image, at(0, 0, 0), sized(4, 4, 1), 0, 0, want));                             \
      must(try_read(image, at(0, 0, 0), sized(4, 4, 1), 0, 0, got));                               \
      assert_memory_equal(want, got, 16 * channels);                                               \
      must(piMemRelease(image));                                                                   \
      count += !is_straight;                                                                       \
    }                                                                                              \
  }
  IMAGE_ORDERS(EACH_ORDER)
#undef EACH_ORDER
  assert_true(count != 0);
  for (unsigned type = PI_IMAGE_CHANNEL_TYPE_SIGNED_INT8;
       type <= PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32; type++) {
    const pi_image_format luminance = {PI_IMAGE_CHANNEL_ORDER_LUMINANCE,
                                       (pi_image_channel_type)type};
    refused_by_the_driver(&luminance, PI_MEM_ACCESS_READ_ONLY);
  }
}

/* The scratch memory of a fill lives until the command has ended, and no longer. */
WORLD_TEST(scratch_memory_lives_as_long_as_the_fill) {
  const int32_t numbers[4] = {1, 20, 300, 4000};
  const pi_mem image = new_shape(&rgba32, &shapes[1]);
  const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  const pi_event gate = new_user_event();
  pi_event event = NULL;
  int32_t got[4] = {0};
  must(piEnqueueMemImageFill(w.queue, image, numbers, zero, one, 1, &gate, &event));
  assert_int_equal(fake_ze_live(FAKE_MEMORY), 1);
  assert_true(status_of(event) > PI_EVENT_COMPLETE);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &event));
  must(try_read(image, at(0, 0, 0), sized(1, 1, 1), 0, 0, got));
  assert_memory_equal(got, numbers, sizeof got);
  must(piEventRelease(event));
  must(piEventRelease(gate));
  must(piMemRelease(image));
}

/* A fill that fails leaves no object. */
WORLD_TEST(failed_fills_leave_nothing) {
  static const char *const calls[] = {"zeMemAllocHost", "zeCommandListAppendImageCopyFromMemory",
                                      "zeCommandListAppendBarrier"};
  const int32_t numbers[4] = {1, 20, 300, 4000};
  const pi_mem image = new_shape(&rgba32, &shapes[1]);
  const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  pi_event event = untouched;
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    fake_ze_fail(calls[i], 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    fails(PI_ERROR_OUT_OF_RESOURCES,
          piEnqueueMemImageFill(w.queue, image, numbers, zero, one, 0, NULL, &event));
    assert_string_equal(fake_ze_unfail(), calls[i]);
  }
  /* With profiling the first step is a barrier that records the start. */
  const pi_queue timed = new_queue(PROFILING);
  fake_ze_fail("zeCommandListAppendBarrier", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  fails(PI_ERROR_OUT_OF_RESOURCES,
        piEnqueueMemImageFill(timed, image, numbers, zero, one, 0, NULL, &event));
  assert_string_equal(fake_ze_unfail(), "zeCommandListAppendBarrier");
  must(piQueueRelease(timed));
  assert_ptr_equal(event, untouched);
  must(piQueueFinish(w.queue));
  must(piMemRelease(image));
}

/* A call that fails during a creation leaves no object, and the outputs unchanged. */
WORLD_TEST(failed_creations_leave_nothing) {
  static const char *const calls[] = {"zeImageCreate", "zeCommandListCreateImmediate",
                                      "zeCommandListAppendImageCopyFromMemory"};
  static unsigned char host[512];
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  pi_mem image = (pi_mem)(void *)host;
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    fake_ze_fail(calls[i], 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    fails(PI_ERROR_OUT_OF_RESOURCES,
          piMemImageCreate(w.context, PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, &rgba32,
                           &desc, host, &image));
    assert_string_equal(fake_ze_unfail(), calls[i]);
    assert_int_equal(fake_ze_live(FAKE_IMAGE), 0);
  }
  assert_ptr_equal(image, host);
}

/* Images belong to the first device; another device's commands refuse them with a message. */
WORLD_TEST(images_of_another_device_are_refused) {
  static unsigned char bytes[512];
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_context context = context_of_all();
  pi_device devices[2];
  pi_mem image = NULL, alien = new_image(&rgba32, &desc);
  pi_queue queues[2];
  pi_queue_properties in_order[] = {PI_QUEUE_FLAGS, 0, 0};
  struct pi_image_offset_struct origin = at(0, 0, 0);
  struct pi_image_region_struct whole = sized(8, 4, 1);
  must(piDevicesGet(w.platform, PI_DEVICE_TYPE_ALL, 2, devices, NULL));
  must(piMemImageCreate(context, PI_MEM_FLAGS_ACCESS_RW, &rgba32, &desc, NULL, &image));
  for (int i = 0; i < 2; i++)
    must(piextQueueCreate(context, devices[i], in_order, &queues[i]));
  must(piEnqueueMemImageWrite(queues[0], image, PI_TRUE, &origin, &whole, 0, 0, bytes, 0, NULL,
                              NULL));
  fails(PI_ERROR_INVALID_DEVICE, piEnqueueMemImageWrite(queues[1], image, PI_TRUE, &origin, &whole,
                                                        0, 0, bytes, 0, NULL, NULL));
  fails(PI_ERROR_INVALID_CONTEXT, piEnqueueMemImageWrite(queues[0], alien, PI_TRUE, &origin, &whole,
                                                         0, 0, bytes, 0, NULL, NULL));
  for (int i = 0; i < 2; i++)
    must(piQueueRelease(queues[i]));
  must(piMemRelease(image));
  must(piMemRelease(alien));
  must(piContextRelease(context));
}

/* The plugin borrows or takes over an image of the application, and needs its description. */
WORLD_TEST(native_images_are_kept_or_taken_over) {
  const ze_image_desc_t description = {
      .stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
      .type = ZE_IMAGE_TYPE_2D,
      .format = {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, ZE_IMAGE_FORMAT_TYPE_UINT,
                 ZE_IMAGE_FORMAT_SWIZZLE_R, ZE_IMAGE_FORMAT_SWIZZLE_G, ZE_IMAGE_FORMAT_SWIZZLE_B,
                 ZE_IMAGE_FORMAT_SWIZZLE_A},
      .width = 8,
      .height = 4};
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  ze_image_handle_t native = NULL;
  pi_native_handle context = 0;
  pi_mem image = NULL;
  unsigned char want[512], got[512];
  number_bytes(want, sizeof want);
  must(piextContextGetNativeHandle(w.context, &context));
  driver(
      ze.ImageCreate((ze_context_handle_t)context, w.device->driver.device, &description, &native));
  fails(PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        piextMemImageCreateWithNativeHandle((pi_native_handle)native, w.context, true, NULL, &desc,
                                            &image));
  fails(PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
        piextMemImageCreateWithNativeHandle((pi_native_handle)native, w.context, true, &rgba32,
                                            NULL, &image));
  fails(PI_ERROR_INVALID_MEM_OBJECT,
        piextMemImageCreateWithNativeHandle(0, w.context, true, &rgba32, &desc, &image));
  assert_null(image);
  for (int owned = 0; owned < 2; owned++) {
    must(piextMemImageCreateWithNativeHandle((pi_native_handle)native, w.context, owned, &rgba32,
                                             &desc, &image));
    must(try_write(image, at(0, 0, 0), sized(8, 4, 1), 0, 0, want));
    must(try_read(image, at(0, 0, 0), sized(8, 4, 1), 0, 0, got));
    assert_memory_equal(want, got, sizeof got);
    must(piMemRelease(image));
    assert_int_equal(fake_ze_live(FAKE_IMAGE), owned ? 0 : 1);
  }
}

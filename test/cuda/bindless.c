/* Bindless images in CUDA: levels, and images in plain memory. */
#include "../plugins/bindless.h"
#include "world.h"

#include "../../plugins/cuda/image.h"
#include "../../plugins/objects/registry.h"

WORLD_TEST(each_level_is_half_as_large) {
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  desc.num_mip_levels = 4;
  const pi_context c = w.context;
  const pi_device d = w.device;
  const pi_image_mem_handle memory = new_memory(&desc);
  pi_image_mem_handle levels[4], again = NULL;
  static const size_t sizes[][2] = {{8, 4}, {4, 2}, {2, 1}, {1, 1}};
  uint32_t want[32], got[32];
  for (unsigned i = 0; i < 4; i++) {
    must(piextMemMipmapGetLevel(c, d, memory, i, &levels[i]));
    must(piextMemMipmapGetLevel(c, d, memory, i, &again));
    assert_ptr_equal(again, levels[i]);
    size_t width = 0, height = 0;
    must(piextMemImageGetInfo(levels[i], PI_IMAGE_INFO_WIDTH, &width, NULL));
    must(piextMemImageGetInfo(levels[i], PI_IMAGE_INFO_HEIGHT, &height, NULL));
    assert_int_equal(width, sizes[i][0]);
    assert_int_equal(height, sizes[i][1]);
    struct pi_image_offset_struct origin = {0, 0, 0};
    struct pi_image_region_struct size = {width, height, 1};
    const pi_image_desc of_level = describe(PI_MEM_TYPE_IMAGE2D, width, height, 0);
    number(want, 32, 100 * i);
    must(piextMemImageCopy(w.queue, levels[i], want, &r32, &of_level, PI_IMAGE_COPY_HOST_TO_DEVICE,
                           &origin, &origin, &size, &size, 0, NULL, NULL));
    must(piextMemImageCopy(w.queue, got, levels[i], &r32, &of_level, PI_IMAGE_COPY_DEVICE_TO_HOST,
                           &origin, &origin, &size, &size, 0, NULL, NULL));
    must(piQueueFinish(w.queue));
    assert_memory_equal(want, got, 4 * width * height);
    fails(PI_ERROR_INVALID_VALUE, piextMemImageFree(c, d, levels[i]));
  }
  pi_image_handle handle = 0;
  pi_mem mem = NULL;
  must(piextMemUnsampledImageCreate(c, d, levels[2], &r32, &desc, &mem, &handle));
  assert_int_equal(mem->driver.surface, handle);
  must(piextMemUnsampledImageHandleDestroy(c, d, handle));
  must(piMemRelease(mem));
  fails(PI_ERROR_INVALID_VALUE, piextMemMipmapGetLevel(c, d, memory, 4, &again));
  fails(PI_ERROR_INVALID_VALUE,
        piextMemUnsampledImageCreate(c, d, memory, &r32, &desc, &mem, &handle));
  const pi_sampler_properties in_pixels[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 0, 0};
  pi_sampler sampler = NULL;
  must(piSamplerCreate(c, in_pixels, &sampler));
  fails(PI_ERROR_INVALID_VALUE,
        piextMemSampledImageCreate(c, d, memory, &r32, &desc, sampler, &mem, &handle));
  must(piSamplerRelease(sampler));
  fails(PI_ERROR_INVALID_VALUE, piextMemImageFree(c, d, memory));
  must(piextMemMipmapFree(c, d, memory));
  size_t width;
  fails(PI_ERROR_INVALID_VALUE, piextMemImageGetInfo(levels[1], PI_IMAGE_INFO_WIDTH, &width, NULL));
  assert_int_equal(registry_count(), 0);
}

/* Images in aligned memory of the device, of the size that the description needs. */
WORLD_TEST(images_use_plain_memory_of_the_device) {
  pi_image_desc flat = describe(PI_MEM_TYPE_IMAGE1D, 8, 0, 0);
  const pi_context c = w.context;
  const pi_device d = w.device;
  const pi_sampler_properties linear[] = {PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                          PI_SAMPLER_FILTER_MODE_LINEAR, 0};
  pi_sampler sampler = NULL;
  must(piSamplerCreate(c, linear, &sampler));
  pi_image_handle handle = 99;
  pi_mem mem = (pi_mem)(void *)&w;
  void *plain = NULL, *host = NULL;
  must(piextUSMDeviceAlloc(&plain, c, d, NULL, 4096, 0));
  must(piextUSMHostAlloc(&host, c, NULL, 4096, 0));
  pi_image_format float1 = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_FLOAT};
  pi_image_desc rows = describe(PI_MEM_TYPE_IMAGE2D, 64, 16, 0);
  pi_image_desc cube = describe(PI_MEM_TYPE_IMAGE3D, 4, 4, 4);
  rows.image_row_pitch = 256;
  fails(PI_ERROR_UNSUPPORTED_FEATURE,
        piextMemUnsampledImageCreate(c, d, plain, &float1, &rows, &mem, &handle));
  fails(PI_ERROR_UNSUPPORTED_FEATURE,
        piextMemSampledImageCreate(c, d, plain, &float1, &cube, sampler, &mem, &handle));
  fails(PI_ERROR_INVALID_VALUE,
        piextMemSampledImageCreate(c, d, host, &float1, &rows, sampler, &mem, &handle));
  fails(PI_ERROR_INVALID_VALUE, piextMemSampledImageCreate(c, d, (char *)plain + 4, &float1, &rows,
                                                           sampler, &mem, &handle));
  rows.image_height = 17;
  fails(PI_ERROR_INVALID_VALUE,
        piextMemSampledImageCreate(c, d, plain, &float1, &rows, sampler, &mem, &handle));
  rows.image_height = 15;
  rows.image_row_pitch = 252;
  fails(PI_ERROR_INVALID_VALUE,
        piextMemSampledImageCreate(c, d, plain, &float1, &rows, sampler, &mem, &handle));
  rows.image_row_pitch = 260;
  fails(PI_ERROR_INVALID_VALUE,
        piextMemSampledImageCreate(c, d, plain, &float1, &rows, sampler, &mem, &handle));
  fails(PI_ERROR_UNSUPPORTED_FEATURE,
        piextMemSampledImageCreate(c, d, plain, &float1, &flat, sampler, &mem, &handle));
  assert_int_equal(handle, 99);
  assert_ptr_equal(mem, &w);
  must(piextUSMFree(c, plain));
  must(piextUSMFree(c, host));
  must(piSamplerRelease(sampler));
}

/* Bindless images. Where the device has none, each entry reports that. */
#include "fixture.h"

enum { WIDTH = 8, HEIGHT = 4, PIXELS = WIDTH * HEIGHT };

static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32};
static struct pi_image_offset_struct origin = {0, 0, 0};
static struct pi_image_region_struct whole = {WIDTH, HEIGHT, 1};

static pi_image_desc small(void) {
  return (pi_image_desc){.image_type = PI_MEM_TYPE_IMAGE2D,
                         .image_width = WIDTH,
                         .image_height = HEIGHT,
                         .image_depth = 1,
                         .num_mip_levels = 1};
}

/* Allocates memory for an image; returns NULL where the device has no bindless images. */
static pi_image_mem_handle new_memory(pi_image_desc desc) {
  pi_image_mem_handle memory = NULL;
  if (!is_supported(pi.piextMemImageAllocate(the_context(), the_device(), &format, &desc, &memory)))
    return NULL;
  expect(memory, "memory that was allocated is NULL");
  return memory;
}

/* Allocates memory for a small image; skips the test where the device has no bindless images. */
static pi_image_mem_handle need_memory(void) {
  const pi_image_mem_handle memory = new_memory(small());
  if (!memory)
    skip_test("the device has no bindless images");
  return memory;
}

static void free_memory(pi_image_mem_handle memory) {
  expect_success(pi.piextMemImageFree(the_context(), the_device(), memory));
}

/* Creates an image handle. The plugin may also return an object that describes it. */
static pi_image_handle new_unsampled(pi_image_mem_handle memory) {
  pi_image_desc desc = small();
  pi_image_handle handle = 0;
  pi_mem mem = NULL;
  expect_success(pi.piextMemUnsampledImageCreate(the_context(), the_device(), memory, &format,
                                                 &desc, &mem, &handle));
  if (mem)
    release_mem_later(mem);
  return handle;
}

static void copy(void *to, void *from, pi_image_copy_flags direction) {
  pi_image_desc desc = small();
  pi_event event = NULL;
  expect_success(pi.piextMemImageCopy(the_queue(), to, from, &format, &desc, direction, &origin,
                                      &origin, &whole, &whole, 0, NULL, &event));
  release_event_later(event);
  expect_success(pi.piEventsWait(1, &event));
}

static void number(pi_uint32 pixels[PIXELS][4]) {
  for (pi_uint32 i = 0; i < PIXELS * 4; i++)
    pixels[i / 4][i % 4] = 7 * i + 1;
}

/* Checks the entries on a device without bindless images. */
static void check_unsupported(void) {
  const pi_context context = the_context();
  const pi_device device = the_device();
  const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 1, 0};
  pi_image_desc desc = small();
  pi_uint32 pixels[PIXELS][4] = {{0}};
  pi_image_handle handle = 0;
  pi_image_mem_handle level = NULL;
  pi_sampler sampler = NULL;
  pi_mem mem = NULL;
  size_t width = 0;
  const bool any = is_supported(pi.piSamplerCreate(context, properties, &sampler));
  expect_no_such(
      pi.piextMemUnsampledImageCreate(context, device, pixels, &format, &desc, &mem, &handle));
  expect_no_such(pi.piextMemSampledImageCreate(context, device, pixels, &format, &desc, sampler,
                                               &mem, &handle));
  if (any)
    expect_success(pi.piSamplerRelease(sampler));
  /* A device may have samplers without bindless images. */
  if (is_supported(pi.piextBindlessImageSamplerCreate(context, properties, 0, 0, 1, &sampler)))
    expect_success(pi.piSamplerRelease(sampler));
  expect_no_such(pi.piextMemImageGetInfo(pixels, PI_IMAGE_INFO_WIDTH, &width, NULL));
  expect_no_such(pi.piextMemImageCopy(the_queue(), pixels, pixels, &format, &desc,
                                      PI_IMAGE_COPY_HOST_TO_DEVICE, &origin, &origin, &whole,
                                      &whole, 0, NULL, NULL));
  expect_no_such(pi.piextMemMipmapGetLevel(context, device, pixels, 1, &level));
  expect_no_such(pi.piextMemMipmapFree(context, device, pixels));
  expect_no_such(pi.piextMemUnsampledImageHandleDestroy(context, device, 1));
  expect_no_such(pi.piextMemSampledImageHandleDestroy(context, device, 1));
  expect_no_such(pi.piextMemImageFree(context, device, pixels));
}

/* From host to device and back, and from one image to another. */
TEST(bindless, copies) {
  pi_uint32 data[PIXELS][4];
  pi_uint32 got[PIXELS][4] = {{0}};
  number(data);
  const pi_image_mem_handle memory = new_memory(small());
  if (!memory) {
    check_unsupported();
    return;
  }
  const pi_image_mem_handle second = need_memory();
  copy(memory, data, PI_IMAGE_COPY_HOST_TO_DEVICE);
  copy(second, memory, PI_IMAGE_COPY_DEVICE_TO_DEVICE);
  copy(got, second, PI_IMAGE_COPY_DEVICE_TO_HOST);
  expect_bytes(data, got, sizeof data);
  free_memory(memory);
  free_memory(second);
}

/* Copies a part of a host image into a part of an image. */
TEST(bindless, copies_a_part) {
  pi_uint32 data[PIXELS][4];
  pi_uint32 black[PIXELS][4] = {{0}};
  pi_uint32 got[PIXELS][4];
  pi_image_desc desc = small();
  struct pi_image_offset_struct from = {2, 1, 0};
  struct pi_image_offset_struct to = {3, 2, 0};
  struct pi_image_region_struct part = {4, 2, 1};
  number(data);
  const pi_image_mem_handle memory = need_memory();
  copy(memory, black, PI_IMAGE_COPY_HOST_TO_DEVICE);
  expect_success(pi.piextMemImageCopy(the_queue(), memory, data, &format, &desc,
                                      PI_IMAGE_COPY_HOST_TO_DEVICE, &from, &to, &part, &whole, 0,
                                      NULL, NULL));
  expect_success(pi.piQueueFinish(the_queue()));
  copy(got, memory, PI_IMAGE_COPY_DEVICE_TO_HOST);
  for (size_t y = 0; y < HEIGHT; y++)
    for (size_t x = 0; x < WIDTH; x++) {
      const bool inside = x >= 3 && x < 7 && y >= 2;
      expect_bytes(inside ? data[x - 1 + WIDTH * (y - 1)] : black[0], got[x + WIDTH * y],
                   sizeof got[0]);
    }
  free_memory(memory);
}

TEST(bindless, copies_refuse) {
  pi_uint32 data[PIXELS][4] = {{0}};
  pi_image_desc desc = small();
  struct pi_image_region_struct large = {WIDTH + 1, HEIGHT, 1};
  const pi_image_mem_handle memory = need_memory();
  pi_event event;
  expect_refused_keeps(event, pi.piextMemImageCopy(the_queue(), memory, data, &format, &desc,
                                                   PI_IMAGE_COPY_HOST_TO_DEVICE, &origin, &origin,
                                                   &large, &whole, 0, NULL, &event));
  expect_refused_keeps(event, pi.piextMemImageCopy(the_queue(), memory, data, &format, &desc,
                                                   (pi_image_copy_flags)0x77, &origin, &origin,
                                                   &whole, &whole, 0, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_EVENT_WAIT_LIST, event,
                     pi.piextMemImageCopy(the_queue(), memory, data, &format, &desc,
                                          PI_IMAGE_COPY_HOST_TO_DEVICE, &origin, &origin, &whole,
                                          &whole, 1, NULL, &event));
  free_memory(memory);
}

TEST(bindless, info) {
  const pi_image_mem_handle memory = need_memory();
  size_t width = 0;
  size_t height = 0;
  size_t told = 0;
  expect_success(pi.piextMemImageGetInfo(memory, PI_IMAGE_INFO_WIDTH, &width, &told));
  expect_success(pi.piextMemImageGetInfo(memory, PI_IMAGE_INFO_HEIGHT, &height, NULL));
  expect_equal(WIDTH, width);
  expect_equal(HEIGHT, height);
  expect_equal(sizeof width, told);
  expect_refused_keeps(width, pi.piextMemImageGetInfo(memory, (pi_image_info)0x7777, &width, NULL));
  free_memory(memory);
}

/* Handles are numbers that kernels take by value. */
TEST(bindless, unsampled_in_kernel) {
  pi_uint32 data[PIXELS][4];
  pi_uint32 got[PIXELS][4] = {{0}};
  const size_t zero[3] = {0, 0, 0};
  const size_t global[3] = {WIDTH, HEIGHT, 1};
  number(data);
  const pi_image_mem_handle memory[2] = {need_memory(), need_memory()};
  if (!code_is_ptx()) {
    const pi_image_handle handle = new_unsampled(memory[0]);
    expect_success(pi.piextMemUnsampledImageHandleDestroy(the_context(), the_device(), handle));
    skip_test("no kernel here takes such a handle");
  }
  const pi_kernel kernel = new_kernel(new_built_program(module_images()), "copy_2d");
  pi_image_handle handles[2];
  for (pi_uint32 i = 0; i < 2; i++) {
    handles[i] = new_unsampled(memory[i]);
    expect_success(pi.piKernelSetArg(kernel, i, sizeof handles[i], &handles[i]));
  }
  copy(memory[0], data, PI_IMAGE_COPY_HOST_TO_DEVICE);
  expect_success(
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 2, zero, global, NULL, 0, NULL, NULL));
  copy(got, memory[1], PI_IMAGE_COPY_DEVICE_TO_HOST);
  for (size_t i = 0; i < PIXELS; i++)
    for (size_t c = 0; c < 4; c++)
      expect_equal(data[i][c] + 1, got[i][c]);
  for (int i = 0; i < 2; i++) {
    expect_success(pi.piextMemUnsampledImageHandleDestroy(the_context(), the_device(), handles[i]));
    free_memory(memory[i]);
  }
}

/* Samples the image at a point; returns the four channels. */
static void sample(pi_kernel kernel, pi_image_handle handle, float x, float y, pi_uint32 got[4]) {
  const pi_mem out = new_buffer(4 * sizeof got[0], NULL);
  expect_success(pi.piKernelSetArg(kernel, 0, sizeof handle, &handle));
  expect_success(pi.piKernelSetArg(kernel, 1, sizeof x, &x));
  expect_success(pi.piKernelSetArg(kernel, 2, sizeof y, &y));
  set_buffer(kernel, 3, out);
  run_kernel(kernel, 1);
  read_buffer(out, 4 * sizeof got[0], got);
}

/* Creates and destroys a sampled image. */
static void check_sampled(pi_image_mem_handle memory) {
  const pi_sampler_properties none[] = {0};
  pi_image_desc desc = small();
  pi_sampler sampler = NULL;
  pi_image_handle handle = 0;
  pi_mem mem = NULL;
  expect_success(pi.piextBindlessImageSamplerCreate(the_context(), none, 0, 0, 0, &sampler));
  expect_success(pi.piextMemSampledImageCreate(the_context(), the_device(), memory, &format, &desc,
                                               sampler, &mem, &handle));
  if (mem)
    release_mem_later(mem);
  expect_success(pi.piextMemSampledImageHandleDestroy(the_context(), the_device(), handle));
  expect_success(pi.piSamplerRelease(sampler));
}

/* Coordinates in pixels, and from 0 to 1. Outside the image the sampler's addressing mode counts.
 */
TEST(bindless, sampled_in_kernel) {
  pi_uint32 data[PIXELS][4];
  number(data);
  pi_image_desc desc = small();
  const pi_image_mem_handle memory = need_memory();
  if (!code_is_ptx()) {
    check_sampled(memory);
    skip_test("no kernel here takes such a handle");
  }
  const pi_kernel kernel = new_kernel(new_built_program(module_images()), "sample_texture");
  copy(memory, data, PI_IMAGE_COPY_HOST_TO_DEVICE);
  for (pi_sampler_properties normalized = 0; normalized < 2; normalized++) {
    const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
                                                normalized,
                                                PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                                                PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE,
                                                PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                                PI_SAMPLER_FILTER_MODE_NEAREST,
                                                0};
    pi_sampler sampler = NULL;
    pi_image_handle handle = 0;
    pi_mem mem = NULL;
    pi_uint32 got[4];
    expect_success(
        pi.piextBindlessImageSamplerCreate(the_context(), properties, 0, 0, 1, &sampler));
    expect_success(pi.piextMemSampledImageCreate(the_context(), the_device(), memory, &format,
                                                 &desc, sampler, &mem, &handle));
    if (mem)
      release_mem_later(mem);
    const float width = normalized ? WIDTH : 1;
    const float height = normalized ? HEIGHT : 1;
    sample(kernel, handle, 5.5f / width, 2.5f / height, got);
    expect_bytes(data[5 + WIDTH * 2], got, sizeof got);
    sample(kernel, handle, -3.5f / width, 0.5f / height, got);
    expect_bytes(data[0], got, sizeof got);
    expect_success(pi.piextMemSampledImageHandleDestroy(the_context(), the_device(), handle));
    expect_success(pi.piSamplerRelease(sampler));
  }
  free_memory(memory);
}

TEST(bindless, mipmaps) {
  pi_image_desc desc = small();
  desc.num_mip_levels = 2;
  const pi_image_mem_handle memory = new_memory(desc);
  if (!memory) {
    const pi_image_mem_handle plain = need_memory();
    pi_image_mem_handle level = NULL;
    expect_unsupported(pi.piextMemMipmapGetLevel(the_context(), the_device(), plain, 1, &level));
    expect_unsupported(pi.piextMemMipmapFree(the_context(), the_device(), plain));
    free_memory(plain);
    skip_test("the device's images have one level");
  }
  for (unsigned int i = 0; i < 2; i++) {
    pi_image_mem_handle level = NULL;
    size_t width = 0;
    expect_success(pi.piextMemMipmapGetLevel(the_context(), the_device(), memory, i, &level));
    expect_success(pi.piextMemImageGetInfo(level, PI_IMAGE_INFO_WIDTH, &width, NULL));
    expect_equal(WIDTH >> i, width);
  }
  pi_image_mem_handle level;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, level,
                     pi.piextMemMipmapGetLevel(the_context(), the_device(), memory, 2, &level));
  expect_success(pi.piextMemMipmapFree(the_context(), the_device(), memory));
}

TEST(bindless, refuses_null) {
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

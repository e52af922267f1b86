/* Images with real data. Bindless images are in bindless.c and texture.c. */
#include "fixture.h"

#include <stdlib.h>

INFO_CALL(image_info, pi_mem, pi_image_info, piMemImageGetInfo)

static const pi_image_format rgba_uint = {PI_IMAGE_CHANNEL_ORDER_RGBA,
                                          PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32};

enum { PIXEL = 4 * sizeof(pi_uint32) };

static pi_image_desc describe(pi_mem_type type, size_t width, size_t height, size_t depth) {
  return (pi_image_desc){
      .image_type = type, .image_width = width, .image_height = height, .image_depth = depth};
}

static pi_mem new_image(pi_mem_type type, size_t width, size_t height, size_t depth) {
  pi_bool images = PI_FALSE;
  device_answer(PI_DEVICE_INFO_IMAGE_SUPPORT, sizeof images, &images);
  if (!images)
    skip_test("the device has no images");
  const pi_image_desc desc = describe(type, width, height, depth);
  pi_mem image = NULL;
  expect_success(
      pi.piMemImageCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, &rgba_uint, &desc, NULL, &image));
  release_mem_later(image);
  return image;
}

static pi_mem plain(void) {
  return new_image(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
}

static struct pi_image_offset_struct origin = {0, 0, 0};

/* Writes numbers, reads them back whole, then a part from the middle. */
static void round_trip(pi_mem_type type, size_t width, size_t height, size_t depth) {
  const size_t pixels = width * height * depth;
  pi_uint32 *data = malloc(pixels * PIXEL);
  pi_uint32 *got = calloc(pixels, PIXEL);
  expect(data && got, "no memory");
  for (size_t i = 0; i < pixels * 4; i++)
    data[i] = (pi_uint32)(i * 2654435761u);
  const pi_mem image = new_image(type, width, height > 1 ? height : 0, depth > 1 ? depth : 0);
  struct pi_image_region_struct whole = {width, height, depth};
  pi_event event = NULL;
  expect_success(pi.piEnqueueMemImageWrite(the_queue(), image, PI_FALSE, &origin, &whole, 0, 0,
                                           data, 0, NULL, &event));
  release_event_later(event);
  expect_success(pi.piEnqueueMemImageRead(the_queue(), image, PI_TRUE, &origin, &whole, 0, 0, got,
                                          1, &event, NULL));
  expect_bytes(data, got, pixels * PIXEL);

  struct pi_image_offset_struct at = {1, height > 1, depth > 1};
  struct pi_image_region_struct part = {width - 1, at.y ? height - 1 : 1, at.z ? depth - 1 : 1};
  expect_success(
      pi.piEnqueueMemImageRead(the_queue(), image, PI_TRUE, &at, &part, 0, 0, got, 0, NULL, NULL));
  for (size_t z = 0; z < part.depth; z++)
    for (size_t y = 0; y < part.height; y++)
      expect_bytes(data + 4 * (at.x + width * (at.y + y + height * (at.z + z))),
                   got + 4 * part.width * (y + part.height * z), part.width * PIXEL);
  free(data);
  free(got);
}

TEST(image, round_trip_1d) {
  round_trip(PI_MEM_TYPE_IMAGE1D, 37, 1, 1);
}

TEST(image, round_trip_2d) {
  round_trip(PI_MEM_TYPE_IMAGE2D, 13, 7, 1);
}

TEST(image, round_trip_3d) {
  round_trip(PI_MEM_TYPE_IMAGE3D, 6, 5, 4);
}

/* Host memory with a row pitch larger than the rows. */
TEST(image, row_pitch) {
  pi_uint32 data[4][32];
  pi_uint32 got[4][40];
  memset(got, 0, sizeof got);
  for (pi_uint32 y = 0; y < 4; y++)
    for (pi_uint32 x = 0; x < 32; x++)
      data[y][x] = 100 * y + x;
  const pi_mem image = plain();
  struct pi_image_region_struct whole = {8, 4, 1};
  expect_success(pi.piEnqueueMemImageWrite(the_queue(), image, PI_TRUE, &origin, &whole,
                                           sizeof data[0], 0, data, 0, NULL, NULL));
  expect_success(pi.piEnqueueMemImageRead(the_queue(), image, PI_TRUE, &origin, &whole,
                                          sizeof got[0], 0, got, 0, NULL, NULL));
  for (int y = 0; y < 4; y++)
    expect_bytes(data[y], got[y], sizeof data[y]);
}

TEST(image, create_from_host_memory) {
  pi_uint32 data[8 * 4 * 4];
  pi_uint32 got[8 * 4 * 4] = {0};
  for (pi_uint32 i = 0; i < 128; i++)
    data[i] = i;
  plain();
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  pi_mem image = NULL;
  expect_success(pi.piMemImageCreate(the_context(),
                                     PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY,
                                     &rgba_uint, &desc, data, &image));
  release_mem_later(image);
  struct pi_image_region_struct whole = {8, 4, 1};
  expect_success(pi.piEnqueueMemImageRead(the_queue(), image, PI_TRUE, &origin, &whole, 0, 0, got,
                                          0, NULL, NULL));
  expect_bytes(data, got, sizeof data);
}

TEST(image, create_refuses) {
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_image_desc empty = describe(PI_MEM_TYPE_IMAGE2D, 0, 4, 0);
  const pi_image_format unknown = {(pi_image_channel_order)0x7777,
                                   PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32};
  pi_mem image;
  expect_error_keeps(
      PI_ERROR_INVALID_CONTEXT, image,
      pi.piMemImageCreate(NULL, PI_MEM_FLAGS_ACCESS_RW, &rgba_uint, &desc, NULL, &image));
  expect_refused_keeps(image, pi.piMemImageCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, &rgba_uint,
                                                  &empty, NULL, &image));
  expect_refused_keeps(image, pi.piMemImageCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, &unknown,
                                                  &desc, NULL, &image));
}

TEST(image, create_refuses_unknown_type) {
  const pi_image_desc odd = describe((pi_mem_type)0x7777, 8, 4, 0);
  pi_mem image;
  expect_refused_keeps(image, pi.piMemImageCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, &rgba_uint,
                                                  &odd, NULL, &image));
}

TEST(image, create_refuses_null_pointers) {
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  pi_mem image;
  expect_refused_keeps(
      image, pi.piMemImageCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, NULL, &desc, NULL, &image));
  expect_refused_keeps(image, pi.piMemImageCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, &rgba_uint,
                                                  NULL, NULL, &image));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piMemImageCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW,
                                                           &rgba_uint, &desc, NULL, NULL));
}

static bool nothing_optional(pi_uint32 query) {
  (void)query;
  return false;
}

QUERY_TESTS(image, query, pi_image_info, image_info, plain(), nothing_optional,
            PI_ERROR_INVALID_MEM_OBJECT)

TEST(image, queries_make_sense) {
  const pi_mem image = plain();
  size_t width = 0;
  size_t height = 0;
  size_t element = 0;
  pi_image_format format = {0, 0};
  expect_success(pi.piMemImageGetInfo(image, PI_IMAGE_INFO_WIDTH, sizeof width, &width, NULL));
  expect_success(pi.piMemImageGetInfo(image, PI_IMAGE_INFO_HEIGHT, sizeof height, &height, NULL));
  expect_success(
      pi.piMemImageGetInfo(image, PI_IMAGE_INFO_ELEMENT_SIZE, sizeof element, &element, NULL));
  expect_success(pi.piMemImageGetInfo(image, PI_IMAGE_INFO_FORMAT, sizeof format, &format, NULL));
  expect_equal(8, width);
  expect_equal(4, height);
  expect_equal(PIXEL, element);
  expect_bytes(&rgba_uint, &format, sizeof format);
}

TEST(image, transfers_refuse) {
  const pi_mem image = plain();
  pi_uint32 data[8 * 4 * 4] = {0};
  struct pi_image_region_struct whole = {8, 4, 1};
  struct pi_image_region_struct large = {9, 4, 1};
  const pi_queue queue = the_queue();
  expect_error(PI_ERROR_INVALID_QUEUE, pi.piEnqueueMemImageRead(NULL, image, PI_TRUE, &origin,
                                                                &whole, 0, 0, data, 0, NULL, NULL));
  expect_error(
      PI_ERROR_INVALID_QUEUE,
      pi.piEnqueueMemImageWrite(NULL, image, PI_TRUE, &origin, &whole, 0, 0, data, 0, NULL, NULL));
  expect_error(
      PI_ERROR_INVALID_MEM_OBJECT,
      pi.piEnqueueMemImageRead(queue, NULL, PI_TRUE, &origin, &whole, 0, 0, data, 0, NULL, NULL));
  expect_error(
      PI_ERROR_INVALID_MEM_OBJECT,
      pi.piEnqueueMemImageWrite(queue, NULL, PI_TRUE, &origin, &whole, 0, 0, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piEnqueueMemImageRead(queue, image, PI_TRUE, &origin,
                                                                &large, 0, 0, data, 0, NULL, NULL));
  expect_error(
      PI_ERROR_INVALID_VALUE,
      pi.piEnqueueMemImageWrite(queue, image, PI_TRUE, &origin, &large, 0, 0, data, 0, NULL, NULL));
}

/* Parts that are empty, or whose end wraps around. */
TEST(image, parts_refuse_wrapping) {
  static pi_uint32 data[8 * 4 * 4];
  static const size_t parts[][6] = {{SIZE_MAX, 0, 0, 2, 1, 1},
                                    {0, SIZE_MAX, 0, 1, 2, 1},
                                    {0, 0, SIZE_MAX, 1, 1, 2},
                                    {1, 0, 0, SIZE_MAX, 1, 1},
                                    {0, 0, 0, 0, 4, 1}};
  const pi_mem image = plain();
  const pi_mem other = plain();
  const pi_queue queue = the_queue();
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    const size_t *index = parts[i];
    struct pi_image_offset_struct from = {index[0], index[1], index[2]};
    struct pi_image_region_struct size = {index[3], index[4], index[5]};
    expect_error(
        PI_ERROR_INVALID_VALUE,
        pi.piEnqueueMemImageRead(queue, image, PI_TRUE, &from, &size, 0, 0, data, 0, NULL, NULL));
    expect_error(
        PI_ERROR_INVALID_VALUE,
        pi.piEnqueueMemImageWrite(queue, image, PI_TRUE, &from, &size, 0, 0, data, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE, pi.piEnqueueMemImageCopy(queue, image, other, &from,
                                                                  &origin, &size, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE, pi.piEnqueueMemImageCopy(queue, image, other, &origin,
                                                                  &from, &size, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piEnqueueMemImageFill(queue, image, data, index, index + 3, 0, NULL, NULL));
  }
}

TEST(image, transfers_refuse_pitches) {
  static pi_uint32 data[8 * 4 * 4];
  static const size_t pitches[][2] = {{1, 0}, {8 * 4 * 4 - 1, 0}, {SIZE_MAX, 0}, {0, 1}};
  struct pi_image_region_struct whole = {8, 4, 1};
  const pi_mem image = plain();
  for (size_t i = 0; i < sizeof pitches / sizeof pitches[0]; i++) {
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piEnqueueMemImageRead(the_queue(), image, PI_TRUE, &origin, &whole,
                                          pitches[i][0], pitches[i][1], data, 0, NULL, NULL));
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piEnqueueMemImageWrite(the_queue(), image, PI_TRUE, &origin, &whole,
                                           pitches[i][0], pitches[i][1], data, 0, NULL, NULL));
  }
}

TEST(image, copy) {
  pi_uint32 data[8 * 4 * 4];
  pi_uint32 got[3 * 2 * 4] = {0};
  for (pi_uint32 i = 0; i < 128; i++)
    data[i] = i;
  const pi_mem from = plain();
  const pi_mem to = plain();
  struct pi_image_region_struct whole = {8, 4, 1};
  struct pi_image_region_struct part = {3, 2, 1};
  struct pi_image_offset_struct at = {2, 1, 0};
  struct pi_image_offset_struct there = {5, 2, 0};
  pi_event event = NULL;
  expect_success(pi.piEnqueueMemImageWrite(the_queue(), from, PI_TRUE, &origin, &whole, 0, 0, data,
                                           0, NULL, NULL));
  expect_success(
      pi.piEnqueueMemImageCopy(the_queue(), from, to, &at, &there, &part, 0, NULL, &event));
  release_event_later(event);
  expect_success(pi.piEnqueueMemImageRead(the_queue(), to, PI_TRUE, &there, &part, 0, 0, got, 1,
                                          &event, NULL));
  for (size_t y = 0; y < 2; y++)
    expect_bytes(data + 4 * (2 + 8 * (1 + y)), got + 4 * 3 * y, 3 * PIXEL);
}

TEST(image, copy_refuses) {
  const pi_mem image = plain();
  struct pi_image_region_struct large = {9, 4, 1};
  pi_event event;
  expect_error_keeps(
      PI_ERROR_INVALID_QUEUE, event,
      pi.piEnqueueMemImageCopy(NULL, image, image, &origin, &origin, &large, 0, NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_MEM_OBJECT, event,
                     pi.piEnqueueMemImageCopy(the_queue(), NULL, image, &origin, &origin, &large, 0,
                                              NULL, &event));
  expect_error_keeps(PI_ERROR_INVALID_VALUE, event,
                     pi.piEnqueueMemImageCopy(the_queue(), image, plain(), &origin, &origin, &large,
                                              0, NULL, &event));
}

TEST(image, copy_refuses_other_format) {
  const pi_image_format other = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_SIGNED_INT32};
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_mem from = plain();
  struct pi_image_region_struct part = {1, 1, 1};
  pi_mem to = NULL;
  pi_event event;
  expect_success(
      pi.piMemImageCreate(the_context(), PI_MEM_FLAGS_ACCESS_RW, &other, &desc, NULL, &to));
  release_mem_later(to);
  expect_error_keeps(
      PI_ERROR_IMAGE_FORMAT_MISMATCH, event,
      pi.piEnqueueMemImageCopy(the_queue(), from, to, &origin, &origin, &part, 0, NULL, &event));
}

TEST(image, fill) {
  const pi_uint32 color[4] = {1, 20, 300, 4000};
  const pi_uint32 black[4] = {0, 0, 0, 0};
  const pi_mem image = plain();
  const size_t all[3] = {8, 4, 1};
  const size_t at[3] = {2, 1, 0};
  const size_t part[3] = {3, 2, 1};
  const size_t none[3] = {0, 0, 0};
  pi_event event = NULL;
  if (!is_supported(pi.piEnqueueMemImageFill(the_queue(), image, black, none, all, 0, NULL, NULL)))
    return;
  expect_success(pi.piEnqueueMemImageFill(the_queue(), image, color, at, part, 0, NULL, &event));
  release_event_later(event);
  pi_uint32 got[8 * 4 * 4];
  struct pi_image_region_struct whole = {8, 4, 1};
  expect_success(pi.piEnqueueMemImageRead(the_queue(), image, PI_TRUE, &origin, &whole, 0, 0, got,
                                          1, &event, NULL));
  for (size_t y = 0; y < 4; y++)
    for (size_t x = 0; x < 8; x++)
      expect_bytes(x >= 2 && x < 5 && y >= 1 && y < 3 ? color : black, got + 4 * (x + 8 * y),
                   PIXEL);
}

TEST(image, fill_refuses) {
  const pi_uint32 color[4] = {0};
  const size_t none[3] = {0, 0, 0};
  const size_t large[3] = {9, 4, 1};
  expect_refused(pi.piEnqueueMemImageFill(NULL, plain(), color, none, large, 0, NULL, NULL));
  expect_refused(pi.piEnqueueMemImageFill(the_queue(), NULL, color, none, large, 0, NULL, NULL));
  expect_refused(pi.piEnqueueMemImageFill(the_queue(), plain(), color, none, large, 0, NULL, NULL));
}

/* Pointers that are NULL, a wait list that is NULL, and a buffer in place of the image. */
TEST(image, commands_refuse_null_and_buffer) {
  static pi_uint32 data[8 * 4 * 4];
  const size_t none[3] = {0, 0, 0};
  const size_t all[3] = {8, 4, 1};
  struct pi_image_region_struct whole = {8, 4, 1};
  const pi_queue queue = the_queue();
  const pi_mem image = plain();
  const pi_mem buffer = new_buffer(512, NULL);
  expect_error(PI_ERROR_INVALID_VALUE, pi.piEnqueueMemImageRead(queue, image, PI_TRUE, NULL, &whole,
                                                                0, 0, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piEnqueueMemImageWrite(queue, image, PI_TRUE, &origin,
                                                                 NULL, 0, 0, data, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE, pi.piEnqueueMemImageRead(queue, image, PI_TRUE, &origin,
                                                                &whole, 0, 0, NULL, 0, NULL, NULL));
  expect_error(
      PI_ERROR_INVALID_EVENT_WAIT_LIST,
      pi.piEnqueueMemImageRead(queue, image, PI_TRUE, &origin, &whole, 0, 0, data, 1, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemImageFill(queue, image, NULL, none, all, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemImageFill(queue, image, data, NULL, all, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piEnqueueMemImageFill(queue, image, data, none, NULL, 0, NULL, NULL));
  expect_error(PI_ERROR_INVALID_MEM_OBJECT,
               pi.piEnqueueMemImageFill(queue, buffer, data, none, all, 0, NULL, NULL));
  expect_error(
      PI_ERROR_INVALID_MEM_OBJECT,
      pi.piEnqueueMemImageRead(queue, buffer, PI_TRUE, &origin, &whole, 0, 0, data, 0, NULL, NULL));
}

/* A kernel reads one image and writes another. */
TEST(image, kernel_argument) {
  const pi_mem images[2] = {plain(), plain()};
  pi_uint32 data[8 * 4 * 4];
  pi_uint32 got[8 * 4 * 4] = {0};
  for (pi_uint32 i = 0; i < 128; i++)
    data[i] = 7 * i;
  struct pi_image_region_struct whole = {8, 4, 1};
  const pi_kernel kernel = new_kernel(new_built_program(module_images()), "copy_2d");
  expect_success(pi.piEnqueueMemImageWrite(the_queue(), images[0], PI_TRUE, &origin, &whole, 0, 0,
                                           data, 0, NULL, NULL));
  set_buffer(kernel, 0, images[0]);
  set_buffer(kernel, 1, images[1]);
  const size_t zero[3] = {0, 0, 0};
  const size_t global[3] = {8, 4, 1};
  expect_success(
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 2, zero, global, NULL, 0, NULL, NULL));
  expect_success(pi.piEnqueueMemImageRead(the_queue(), images[1], PI_TRUE, &origin, &whole, 0, 0,
                                          got, 0, NULL, NULL));
  for (int i = 0; i < 128; i++)
    expect_equal(data[i] + 1, got[i]);
}

/* Outside the image the sampler's addressing mode decides. */
TEST(image, sampler_argument) {
  pi_uint32 data[8 * 4 * 4];
  for (pi_uint32 i = 0; i < 128; i++)
    data[i] = 100 + i;
  const pi_mem image = plain();
  struct pi_image_region_struct whole = {8, 4, 1};
  expect_success(pi.piEnqueueMemImageWrite(the_queue(), image, PI_TRUE, &origin, &whole, 0, 0, data,
                                           0, NULL, NULL));
  const pi_kernel kernel = new_kernel(new_built_program(module_images()), "sample");
  static const struct {
    pi_sampler_properties mode;
    pi_uint32 outside;
  } modes[] = {{PI_SAMPLER_ADDRESSING_MODE_CLAMP, 0},
               {PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE, 100}};
  for (size_t i = 0; i < 2; i++) {
    const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
                                                0,
                                                PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                                                modes[i].mode,
                                                PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                                PI_SAMPLER_FILTER_MODE_NEAREST,
                                                0};
    pi_sampler sampler = NULL;
    pi_uint32 got[2] = {0};
    expect_success(pi.piSamplerCreate(the_context(), properties, &sampler));
    const pi_mem out = new_buffer(sizeof got, NULL);
    set_buffer(kernel, 0, image);
    expect_success(pi.piextKernelSetArgSampler(kernel, 1, &sampler));
    set_buffer(kernel, 2, out);
    run_kernel(kernel, 1);
    read_buffer(out, sizeof got, got);
    expect_equal(modes[i].outside, got[0]);
    expect_equal(104, got[1]);
    expect_success(pi.piSamplerRelease(sampler));
  }
}

TEST(image, native_handle) {
  const pi_mem image = plain();
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  pi_native_handle native = 0;
  if (!is_supported(pi.piextMemGetNativeHandle(image, the_device(), &native)))
    return;
  static const bool owned[] = {false, true};
  for (size_t i = 0; i < 2; i++) {
    if (owned[i])
      expect_success(pi.piMemRetain(image));
    pi_mem second = NULL;
    size_t width = 0;
    /* In a context of several devices the plugin may not know the handle's device. */
    if (!is_supported(pi.piextMemImageCreateWithNativeHandle(native, the_context(), owned[i],
                                                             &rgba_uint, &desc, &second)))
      return;
    expect_success(pi.piMemImageGetInfo(second, PI_IMAGE_INFO_WIDTH, sizeof width, &width, NULL));
    expect_equal(8, width);
    expect_success(pi.piMemRelease(second));
  }
  size_t width = 0;
  expect_success(pi.piMemImageGetInfo(image, PI_IMAGE_INFO_WIDTH, sizeof width, &width, NULL));
  expect_equal(8, width);
}

TEST(image, native_handle_refuses_null) {
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  pi_mem image;
  expect_error_keeps(
      PI_ERROR_INVALID_MEM_OBJECT, image,
      pi.piextMemImageCreateWithNativeHandle(0, the_context(), false, &rgba_uint, &desc, &image));
}

/* Images: every format and shape, hostile descriptions, copies and fills. */
#include "image.h"

pi_event const untouched = (pi_event)(void *)&w;

const pi_image_format rgba32 = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32};

pi_image_desc describe(pi_mem_type type, size_t width, size_t height, size_t depth) {
  return (pi_image_desc){.image_type = type,
                         .image_width = width,
                         .image_height = height,
                         .image_depth = type == PI_MEM_TYPE_IMAGE3D ? depth : 0,
                         .image_array_size = depth};
}

pi_mem new_image(const pi_image_format *format, const pi_image_desc *desc) {
  pi_mem image = NULL;
  must(piMemImageCreate(w.context, PI_MEM_FLAGS_ACCESS_RW, format, desc, NULL, &image));
  return image;
}

struct pi_image_offset_struct at(size_t x, size_t y, size_t z) {
  return (struct pi_image_offset_struct){x, y, z};
}

struct pi_image_region_struct sized(size_t width, size_t height, size_t depth) {
  return (struct pi_image_region_struct){width, height, depth};
}

pi_result try_write(pi_mem image, struct pi_image_offset_struct from,
                    struct pi_image_region_struct size, size_t row, size_t slice,
                    const void *bytes) {
  return piEnqueueMemImageWrite(w.queue, image, PI_TRUE, &from, &size, row, slice, bytes, 0, NULL,
                                NULL);
}

pi_result try_read(pi_mem image, struct pi_image_offset_struct from,
                   struct pi_image_region_struct size, size_t row, size_t slice, void *bytes) {
  return piEnqueueMemImageRead(w.queue, image, PI_TRUE, &from, &size, row, slice, bytes, 0, NULL,
                               NULL);
}

const shape shapes[] = {
    {PI_MEM_TYPE_IMAGE1D, 37, 1, 1},      {PI_MEM_TYPE_IMAGE2D, 13, 7, 1},
    {PI_MEM_TYPE_IMAGE3D, 6, 5, 4},       {PI_MEM_TYPE_IMAGE1D_ARRAY, 9, 6, 1},
    {PI_MEM_TYPE_IMAGE2D_ARRAY, 7, 5, 3}, {PI_MEM_TYPE_IMAGE_CUBEMAP, 4, 4, 6},
};

/* Cube maps are last. */
size_t shape_count(void) {
  return sizeof shapes / sizeof shapes[0] - !backend.cube_maps;
}

pi_mem new_shape(const pi_image_format *format, const shape *shape) {
  const bool rows = shape->type == PI_MEM_TYPE_IMAGE1D_ARRAY;
  const pi_image_desc desc = describe(shape->type, shape->width, rows ? 0 : shape->height,
                                      rows ? shape->height : shape->depth);
  return new_image(format, &desc);
}

void refused_by_the_driver(const pi_image_format *format, pi_mem_flags flags) {
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 2, 2, 0);
  pi_mem image = (pi_mem)(void *)&w;
  fails(PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED,
        piMemImageCreate(w.context, flags, format, &desc, NULL, &image));
  assert_ptr_equal(image, &w);
}

/* Copies all of an image and a part of it, tightly packed and with gaps. */
static void round_trip(const pi_image_format *format, const shape *shape, size_t *count) {
  static unsigned char want[1 << 15], got[1 << 15];
  image_pixel pixel;
  if (!driver_has_format(format, true)) {
    refused_by_the_driver(format, PI_MEM_FLAGS_ACCESS_RW);
    return;
  }
  ++*count;
  must(image_format_read(format, "", &pixel));
  const size_t row = shape->width * pixel.size, slice = row * shape->height;
  const size_t size = slice * shape->depth;
  assert_true(size * 3 <= sizeof want);
  const pi_mem image = new_shape(format, shape);
  number_bytes(want, size);
  memset(got, 0, size);
  must(try_write(image, at(0, 0, 0), sized(shape->width, shape->height, shape->depth), 0, 0, want));
  must(try_read(image, at(0, 0, 0), sized(shape->width, shape->height, shape->depth), 0, 0, got));
  assert_memory_equal(want, got, size);

  /* A part without the first of each axis, into rows and slices with odd gaps. */
  const size_t y = shape->height > 1, z = shape->depth > 1;
  const size_t part[] = {shape->width - 1, shape->height - y, shape->depth - z};
  const bool rows = shape->type == PI_MEM_TYPE_IMAGE1D_ARRAY; /* layers have the slice pitch */
  const size_t row_pitch = row + 3, slice_pitch = row_pitch * (rows ? 1 : shape->height) + 5;
  memset(got, 0x77, sizeof got);
  must(try_read(image, at(1, y, z), sized(part[0], part[1], part[2]), row_pitch, slice_pitch, got));
  for (size_t k = 0; k < part[2]; k++)
    for (size_t j = 0; j < part[1]; j++) {
      const unsigned char *line = got + k * slice_pitch + j * (rows ? slice_pitch : row_pitch);
      assert_memory_equal(want + (z + k) * slice + (y + j) * row + pixel.size, line,
                          part[0] * pixel.size);
      assert_int_equal(line[part[0] * pixel.size], 0x77);
    }
  must(piMemRelease(image));
}

WORLD_TEST(pixels_of_every_format_come_back) {
  static const pi_image_channel_order orders[] = {
      PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_ORDER_RG, PI_IMAGE_CHANNEL_ORDER_RGBA};
  size_t count = 0;
#define EACH_TYPE(type, size, kind)                                                                \
  for (size_t i = 0; i < shape_count(); i++)                                                       \
    for (size_t k = 0; k < 3; k++)                                                                 \
      round_trip(&(pi_image_format){orders[k], PI_IMAGE_CHANNEL_TYPE_##type}, &shapes[i], &count);
  IMAGE_TYPES(EACH_TYPE)
#undef EACH_TYPE
  assert_true(count >= 20 * shape_count());
}

/* The plugin refuses these before it calls the driver. */
WORLD_TEST(hostile_descriptions_are_refused) {
  static unsigned char host[4096];
  pi_image_desc good = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const struct {
    pi_image_desc desc;
    pi_result code;
  } cases[] = {
      {describe(PI_MEM_TYPE_IMAGE2D, 0, 4, 0), PI_ERROR_INVALID_IMAGE_DESCRIPTOR},
      {describe(PI_MEM_TYPE_IMAGE3D, 8, 4, 0), PI_ERROR_INVALID_IMAGE_DESCRIPTOR},
      {describe(PI_MEM_TYPE_IMAGE2D_ARRAY, 8, 4, 0), PI_ERROR_INVALID_IMAGE_DESCRIPTOR},
      {describe(PI_MEM_TYPE_BUFFER, 8, 4, 1), PI_ERROR_INVALID_IMAGE_DESCRIPTOR},
      {describe((pi_mem_type)0, 8, 4, 1), PI_ERROR_INVALID_IMAGE_DESCRIPTOR},
      {describe(PI_MEM_TYPE_IMAGE1D_BUFFER, 8, 4, 1), PI_ERROR_UNSUPPORTED_FEATURE},
      {describe(PI_MEM_TYPE_IMAGE2D, SIZE_MAX, SIZE_MAX, 0), PI_ERROR_INVALID_IMAGE_SIZE},
      {describe(PI_MEM_TYPE_IMAGE2D, (size_t)1 << 40, 1, 0), PI_ERROR_INVALID_IMAGE_SIZE},
      {describe(PI_MEM_TYPE_IMAGE3D, 1, 1, (size_t)1 << 30), PI_ERROR_INVALID_IMAGE_SIZE},
      {describe(PI_MEM_TYPE_IMAGE1D_ARRAY, 1, 1, 1 << 20), PI_ERROR_INVALID_IMAGE_SIZE},
  };
  pi_mem image = (pi_mem)(void *)host;
  const unsigned long before = driver_calls(backend.call.create_image);
  const pi_context c = w.context;
  const pi_mem_flags rw = PI_MEM_FLAGS_ACCESS_RW;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    fails(cases[i].code, piMemImageCreate(c, rw, &rgba32, &cases[i].desc, NULL, &image));
  const pi_image_desc cube = describe(PI_MEM_TYPE_IMAGE_CUBEMAP, 4, 4, 6);
  if (!backend.cube_maps)
    fails(PI_ERROR_UNSUPPORTED_FEATURE, piMemImageCreate(c, rw, &rgba32, &cube, NULL, &image));
  fails(PI_ERROR_INVALID_IMAGE_DESCRIPTOR, piMemImageCreate(c, rw, &rgba32, NULL, NULL, &image));
  fails(PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        piMemImageCreate(c, rw, NULL, &good, NULL, &image));
  const pi_image_format swapped = {PI_IMAGE_CHANNEL_ORDER_BGRA, PI_IMAGE_CHANNEL_TYPE_UNORM_INT8};
  const pi_image_format three = {PI_IMAGE_CHANNEL_ORDER_RGB, PI_IMAGE_CHANNEL_TYPE_UNORM_INT8};
  fails(PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED,
        piMemImageCreate(c, rw, &swapped, &good, NULL, &image));
  fails(PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED, piMemImageCreate(c, rw, &three, &good, NULL, &image));
  fails(PI_ERROR_INVALID_HOST_PTR, piMemImageCreate(c, rw, &rgba32, &good, host, &image));
  fails(PI_ERROR_INVALID_VALUE,
        piMemImageCreate(c, (pi_mem_flags)1 << 40, &rgba32, &good, NULL, &image));
  good.num_mip_levels = 2;
  fails(PI_ERROR_UNSUPPORTED_FEATURE, piMemImageCreate(c, rw, &rgba32, &good, NULL, &image));
  good.num_mip_levels = 0;
  good.image_row_pitch = 128;
  fails(PI_ERROR_INVALID_IMAGE_DESCRIPTOR, piMemImageCreate(c, rw, &rgba32, &good, NULL, &image));
  const pi_mem_flags with_host = rw | PI_MEM_FLAGS_HOST_PTR_COPY;
  good.image_row_pitch = 127;
  fails(PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
        piMemImageCreate(c, with_host, &rgba32, &good, host, &image));
  good.image_row_pitch = SIZE_MAX / 2;
  fails(PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
        piMemImageCreate(c, with_host, &rgba32, &good, host, &image));
  assert_ptr_equal(image, host);
  assert_int_equal(driver_calls(backend.call.create_image), before);
}

WORLD_TEST(images_take_the_host_s_pixels) {
  static unsigned char host[4096], got[4096];
  number_bytes(host, sizeof host);
  for (size_t i = 0; i < shape_count(); i++) {
    const shape *shape = &shapes[i];
    const bool rows = shape->type == PI_MEM_TYPE_IMAGE1D_ARRAY;
    pi_image_desc desc = describe(shape->type, shape->width, rows ? 0 : shape->height,
                                  rows ? shape->height : shape->depth);
    const pi_image_format r8 = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_UNORM_INT8};
    desc.image_row_pitch = 41;
    desc.image_slice_pitch = rows ? 43 : 41 * shape->height + 2;
    const size_t pitch = rows ? 43 : 41; /* from one line to the next */
    const size_t slice_pitch = rows ? 0 : desc.image_slice_pitch;
    for (int use = 0; use < 2; use++) {
      pi_mem image = NULL;
      const pi_mem_flags flags =
          PI_MEM_FLAGS_ACCESS_RW |
          (pi_mem_flags)(use ? PI_MEM_FLAGS_HOST_PTR_USE : PI_MEM_FLAGS_HOST_PTR_COPY);
      must(piMemImageCreate(w.context, flags, &r8, &desc, host, &image));
      must(try_read(image, at(0, 0, 0), sized(shape->width, shape->height, shape->depth), 0, 0,
                    got));
      for (size_t z = 0; z < shape->depth; z++)
        for (size_t y = 0; y < shape->height; y++)
          assert_memory_equal(host + z * slice_pitch + y * pitch,
                              got + (z * shape->height + y) * shape->width, shape->width);
      must(piMemRelease(image));
    }
  }
}

/* Reads and writes memory of the driver. */
WORLD_TEST(images_are_copied_to_and_from_usm) {
  unsigned char want[512], got[512];
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_mem image = new_image(&rgba32, &desc);
  void *memory = NULL;
  must(piextUSMDeviceAlloc(&memory, w.context, w.device, NULL, sizeof want, 0));
  number_bytes(want, sizeof want);
  must(piextUSMEnqueueMemcpy(w.queue, PI_TRUE, memory, want, sizeof want, 0, NULL, NULL));
  must(try_write(image, at(0, 0, 0), sized(8, 4, 1), 0, 0, memory));
  must(piextUSMEnqueueMemset(w.queue, memory, 0, sizeof want, 0, NULL, NULL));
  must(try_read(image, at(0, 0, 0), sized(8, 4, 1), 0, 0, memory));
  must(piextUSMEnqueueMemcpy(w.queue, PI_TRUE, got, memory, sizeof got, 0, NULL, NULL));
  assert_memory_equal(want, got, sizeof got);
  must(piextUSMFree(w.context, memory));
  must(piMemRelease(image));
}

/* --- copies between images */

static pi_result try_copy(pi_mem from, pi_mem to, struct pi_image_offset_struct here,
                          struct pi_image_offset_struct there, struct pi_image_region_struct size) {
  pi_event event = untouched;
  const pi_result result =
      piEnqueueMemImageCopy(w.queue, from, to, &here, &there, &size, 0, NULL, &event);
  if (result == PI_SUCCESS)
    must(piEventRelease(event));
  else
    assert_ptr_equal(event, untouched);
  return result;
}

/* Copies 4 x 3 pixels between the middles of all shapes that have them. */
WORLD_TEST(pixels_are_copied_between_shapes) {
  static const pi_image_format r8 = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8};
  unsigned char want[256], got[12];
  number_bytes(want, sizeof want);
  for (size_t i = 1; i < shape_count(); i++)
    for (size_t j = 1; j < shape_count(); j++) {
      const shape *a = &shapes[i], *b = &shapes[j];
      const size_t x = a->width - 4, y = a->height - 3, z = a->depth - 1;
      const pi_mem from = new_shape(&r8, a), to = new_shape(&r8, b);
      must(try_write(from, at(0, 0, 0), sized(a->width, a->height, a->depth), 0, 0, want));
      const struct pi_image_offset_struct there = at(b->width - 4, b->height - 3, b->depth - 1);
      must(try_copy(from, to, at(x, y, z), there, sized(4, 3, 1)));
      must(try_read(to, there, sized(4, 3, 1), 0, 0, got));
      for (size_t row = 0; row < 3; row++)
        assert_memory_equal(want + (z * a->height + y + row) * a->width + x, got + 4 * row, 4);
      must(piMemRelease(from));
      must(piMemRelease(to));
    }
}

WORLD_TEST(overlapping_copies_are_refused) {
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_mem image = new_image(&rgba32, &desc);
  const pi_result overlap = PI_ERROR_MEM_COPY_OVERLAP;
  fails(overlap, try_copy(image, image, at(0, 0, 0), at(3, 1, 0), sized(4, 2, 1)));
  fails(overlap, try_copy(image, image, at(0, 0, 0), at(0, 0, 0), sized(1, 1, 1)));
  must(try_copy(image, image, at(0, 0, 0), at(4, 0, 0), sized(4, 4, 1)));
  must(try_copy(image, image, at(0, 0, 0), at(0, 2, 0), sized(8, 2, 1)));
  must(piMemRelease(image));
}

/* --- fills */

void fill_and_check(const pi_image_format *format, const shape *shape, const void *color) {
  image_pixel pixel;
  unsigned char bytes[IMAGE_PIXEL_MAX];
  if (!driver_has_format(format, true))
    return;
  must(image_format_read(format, "", &pixel));
  image_pixel_encode(&pixel, color, bytes);
  const size_t y = shape->height > 1, z = shape->depth > 1;
  const size_t origin[3] = {1, y, z};
  const size_t region[3] = {shape->width - 2, shape->height - y, shape->depth - z};
  const size_t size = shape->width * shape->height * shape->depth * pixel.size;
  unsigned char *got = malloc(size);
  assert_non_null(got);
  memset(got, 0x33, size);
  const pi_mem image = new_shape(format, shape);
  must(try_write(image, at(0, 0, 0), sized(shape->width, shape->height, shape->depth), 0, 0, got));
  must(piEnqueueMemImageFill(w.queue, image, color, origin, region, 0, NULL, NULL));
  must(try_read(image, at(0, 0, 0), sized(shape->width, shape->height, shape->depth), 0, 0, got));
  unsigned char before[IMAGE_PIXEL_MAX];
  memset(before, 0x33, sizeof before);
  for (size_t k = 0; k < shape->depth; k++)
    for (size_t j = 0; j < shape->height; j++)
      for (size_t i = 0; i < shape->width; i++) {
        const bool inside = i >= 1 && i < shape->width - 1 && j >= y && k >= z;
        const unsigned char *found =
            got + ((k * shape->height + j) * shape->width + i) * pixel.size;
        if (memcmp(found, inside ? bytes : before, pixel.size) != 0)
          fail_msg("pixel %zu, %zu, %zu is wrong", i, j, k);
      }
  free(got);
  must(piMemRelease(image));
}

WORLD_TEST(fills_write_every_format) {
  const float color[4] = {0.25f, -0.5f, 1, 0.75f};
  const int32_t numbers[4] = {1, 20, 300, 4000};
#define EACH_TYPE(type, size, kind)                                                                \
  for (size_t i = 0; i < shape_count(); i++) {                                                     \
    const void *what =                                                                             \
        image_kind_is_filtered(IMAGE_KIND_##kind) ? (const void *)color : (const void *)numbers;   \
    fill_and_check(&(pi_image_format){PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_##type},     \
                   &shapes[i], what);                                                              \
    fill_and_check(&(pi_image_format){PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_##type},  \
                   &shapes[i], what);                                                              \
  }
  IMAGE_TYPES(EACH_TYPE)
#undef EACH_TYPE
}

/* More than the scratch memory holds: slices, rows, and rows longer than it. */
WORLD_TEST(large_fills_are_written) {
  const int32_t numbers[4] = {1, 20, 300, 4000};
  const shape large[] = {
      {PI_MEM_TYPE_IMAGE2D, 300, 701, 1},
      {PI_MEM_TYPE_IMAGE3D, 100, 101, 17},
      {PI_MEM_TYPE_IMAGE3D, 300, 301, 2},
  };
  for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
    fill_and_check(&rgba32, &large[i], numbers);
}

/* A released image is destroyed once the commands that use it have ended. */
WORLD_TEST(an_image_in_use_is_destroyed_later) {
  static unsigned char bytes[512];
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_mem image = new_image(&rgba32, &desc);
  struct pi_image_offset_struct origin = at(0, 0, 0);
  struct pi_image_region_struct whole = sized(8, 4, 1);
  const pi_event gate = new_user_event();
  must(piEnqueueMemImageWrite(w.queue, image, PI_FALSE, &origin, &whole, 0, 0, bytes, 1, &gate,
                              NULL));
  must(piMemRelease(image));
  assert_int_equal(driver_live(DRIVER_IMAGE), 1);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventRelease(gate));
}

/* --- an image's answers */

void expect_size(pi_mem image, pi_image_info query, size_t want) {
  size_t got = 99;
  must(piMemImageGetInfo(image, query, sizeof got, &got, NULL));
  assert_int_equal(got, want);
}

WORLD_TEST(images_answer_queries) {
  static const size_t heights[] = {0, 7, 5, 0, 5, 4}, depths[] = {0, 0, 4, 0, 0, 0};
  for (size_t i = 0; i < shape_count(); i++) {
    const shape *shape = &shapes[i];
    const pi_mem image = new_shape(&rgba32, shape);
    const bool has_slices = i >= 2;
    expect_size(image, PI_IMAGE_INFO_WIDTH, shape->width);
    expect_size(image, PI_IMAGE_INFO_HEIGHT, heights[i]);
    expect_size(image, PI_IMAGE_INFO_DEPTH, depths[i]);
    expect_size(image, PI_IMAGE_INFO_ELEMENT_SIZE, 16);
    expect_size(image, PI_IMAGE_INFO_ROW_PITCH, 16 * shape->width);
    expect_size(image, PI_IMAGE_INFO_SLICE_PITCH,
                has_slices ? 16 * shape->width * (heights[i] ? heights[i] : 1) : 0);
    pi_image_format format = {0, 0};
    must(piMemImageGetInfo(image, PI_IMAGE_INFO_FORMAT, sizeof format, &format, NULL));
    assert_memory_equal(&format, &rgba32, sizeof format);
    size_t size = 0;
    must(piMemGetInfo(image, PI_MEM_SIZE, sizeof size, &size, NULL));
    assert_int_equal(size, 16 * shape->width * shape->height * shape->depth);
    fails(PI_ERROR_INVALID_VALUE,
          piMemImageGetInfo(image, (pi_image_info)0x7777, sizeof size, &size, NULL));
    must(piMemRelease(image));
  }
  const pi_mem buffer = new_buffer(64, NULL);
  size_t size;
  fails(PI_ERROR_INVALID_MEM_OBJECT,
        piMemImageGetInfo(buffer, PI_IMAGE_INFO_WIDTH, sizeof size, &size, NULL));
  must(piMemRelease(buffer));
}

WORLD_TEST(a_native_handle_is_its_image) {
  unsigned char want[512], got[512];
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_mem image = new_image(&rgba32, &desc);
  pi_native_handle native = 0;
  must(piextMemGetNativeHandle(image, w.device, &native));
  number_bytes(want, sizeof want);
  must(try_write(image, at(0, 0, 0), sized(8, 4, 1), 0, 0, want));
  /* The caller must describe the image where the driver cannot be asked. */
  const pi_image_format *format = backend.describes_images ? NULL : &rgba32;
  const pi_image_desc *third_desc = backend.describes_images ? NULL : &desc;
  pi_mem second = NULL, third = NULL;
  must(piextMemImageCreateWithNativeHandle(native, w.context, false, &rgba32, &desc, &second));
  must(piMemRetain(image));
  must(piextMemImageCreateWithNativeHandle(native, w.context, true, format, third_desc, &third));
  must(piMemRelease(image));
  must(piMemRelease(second));
  must(try_read(third, at(0, 0, 0), sized(8, 4, 1), 0, 0, got));
  assert_memory_equal(want, got, sizeof got);
  expect_size(third, PI_IMAGE_INFO_HEIGHT, 4);
  must(piMemRelease(third));
}

WORLD_TEST(copies_after_a_user_event_keep_their_order) {
  static unsigned char want[512], got[512], zero[512];
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 0);
  const pi_mem image = new_image(&rgba32, &desc);
  const pi_queue queue = new_queue(IN_ORDER);
  const pi_event gate = new_user_event();
  struct pi_image_offset_struct origin = at(0, 0, 0);
  struct pi_image_region_struct whole = sized(8, 4, 1);
  pi_event event = NULL;
  number_bytes(want, sizeof want);
  must(piEnqueueMemImageWrite(queue, image, PI_FALSE, &origin, &whole, 0, 0, want, 1, &gate, NULL));
  must(piEnqueueMemImageRead(queue, image, PI_FALSE, &origin, &whole, 0, 0, got, 0, NULL, &event));
  assert_memory_equal(got, zero, sizeof got);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventsWait(1, &event));
  assert_memory_equal(want, got, sizeof got);
  must(piEventRelease(event));
  must(piEventRelease(gate));
  must(piQueueRelease(queue));
  must(piMemRelease(image));
}

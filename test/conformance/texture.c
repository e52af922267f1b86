/*
 * Reads through sampled bindless images: every addressing mode and filter, formats and levels.
 * Texture hardware filters with weights of 8 bits, so results have a tolerance.
 */
#include "fixture.h"

#include <math.h>

enum { WIDTH = 8, HEIGHT = 4, PIXELS = WIDTH * HEIGHT, POINTS = 256 };

typedef float colour[4];

static struct pi_image_offset_struct origin = {0, 0, 0};

static pi_image_desc describe(size_t width, size_t height, pi_uint32 levels) {
  return (pi_image_desc){.image_type = PI_MEM_TYPE_IMAGE2D,
                         .image_width = width,
                         .image_height = height,
                         .image_depth = 1,
                         .num_mip_levels = levels};
}

static pi_image_mem_handle need_memory(pi_image_format *format, pi_image_desc *desc) {
  pi_image_mem_handle memory = NULL;
  if (!is_supported(pi.piextMemImageAllocate(the_context(), the_device(), format, desc, &memory)))
    skip_test("the device has no bindless images");
  if (!code_is_ptx()) {
    expect_success(desc->num_mip_levels > 1
                       ? pi.piextMemMipmapFree(the_context(), the_device(), memory)
                       : pi.piextMemImageFree(the_context(), the_device(), memory));
    skip_test("no kernel here takes such a handle");
  }
  return memory;
}

static void write_pixels(pi_image_mem_handle memory, pi_image_format *format, pi_image_desc *desc,
                         void *pixels) {
  struct pi_image_region_struct size = {desc->image_width, desc->image_height, 1};
  expect_success(pi.piextMemImageCopy(the_queue(), memory, pixels, format, desc,
                                      PI_IMAGE_COPY_HOST_TO_DEVICE, &origin, &origin, &size, &size,
                                      0, NULL, NULL));
  expect_success(pi.piQueueFinish(the_queue()));
}

/* Reads count points through a sampler, with a kernel. */
static void read_points(const char *name, pi_image_mem_handle memory, pi_image_format *format,
                        pi_image_desc *desc, const pi_sampler_properties *properties,
                        float last_level, const colour *points, size_t count, colour *got) {
  pi_sampler sampler = NULL;
  pi_image_handle handle = 0;
  pi_mem mem = NULL;
  expect_success(
      pi.piextBindlessImageSamplerCreate(the_context(), properties, 0, last_level, 0, &sampler));
  expect_success(pi.piextMemSampledImageCreate(the_context(), the_device(), memory, format, desc,
                                               sampler, &mem, &handle));
  if (mem)
    release_mem_later(mem);
  const pi_kernel kernel = new_kernel(new_built_program(module_images()), name);
  const pi_mem in = new_buffer(count * sizeof *points, points);
  memset(got, 0xff,
         count * sizeof *got); /* clears results of an earlier call, which may be right */
  const pi_mem out = new_buffer(count * sizeof *got, got);
  expect_success(pi.piKernelSetArg(kernel, 0, sizeof handle, &handle));
  set_buffer(kernel, 1, in);
  set_buffer(kernel, 2, out);
  run_kernel(kernel, count);
  read_buffer(out, count * sizeof *got, got);
  expect_success(pi.piextMemSampledImageHandleDestroy(the_context(), the_device(), handle));
  expect_success(pi.piSamplerRelease(sampler));
}

/* --- the expected values, computed on the host */

/* Maps an index into the image; returns false if it is on the border, which is transparent black.
 */
static bool place(pi_sampler_properties mode, long *index, long size) {
  const long i = *index;
  const long turn = (i % (2 * size) + 2 * size) % (2 * size);
  switch (mode) {
  case PI_SAMPLER_ADDRESSING_MODE_CLAMP:
    return i >= 0 && i < size;
  case PI_SAMPLER_ADDRESSING_MODE_REPEAT:
    *index = turn % size;
    return true;
  case PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT:
    *index = turn < size ? turn : 2 * size - 1 - turn;
    return true;
  default:
    *index = i < 0 ? 0 : i >= size ? size - 1 : i;
    return true;
  }
}

static void add_pixel(const colour *pixels, pi_sampler_properties mode, long x, long y, float share,
                      colour sum) {
  if (share != 0 && place(mode, &x, WIDTH) && place(mode, &y, HEIGHT))
    for (int i = 0; i < 4; i++)
      sum[i] += share * pixels[y * WIDTH + x][i];
}

/* x and y are in pixels. */
static void sample(const colour *pixels, pi_sampler_properties mode, bool linear, float x, float y,
                   colour ret) {
  memset(ret, 0, sizeof(colour));
  if (!linear) {
    add_pixel(pixels, mode, (long)floorf(x), (long)floorf(y), 1, ret);
    return;
  }
  const long left = (long)floorf(x - 0.5f), top = (long)floorf(y - 0.5f);
  const float right = x - 0.5f - (float)left, bottom = y - 0.5f - (float)top;
  add_pixel(pixels, mode, left, top, (1 - right) * (1 - bottom), ret);
  add_pixel(pixels, mode, left + 1, top, right * (1 - bottom), ret);
  add_pixel(pixels, mode, left, top + 1, (1 - right) * bottom, ret);
  add_pixel(pixels, mode, left + 1, top + 1, right * bottom, ret);
}

/*
 * Chooses points so far inside the image that no filter leaves it, or points around it. None is at
 * a pixel's edge, where rounding may choose either pixel.
 */
static void choose_points(bool around, colour *points) {
  for (int i = 0; i < POINTS; i++) {
    points[i][0] = 0.53125f + 0.375f * (float)(i % 17);
    points[i][1] = 0.53125f + 0.125f * (float)(i % 13);
    points[i][2] = points[i][3] = 0;
    if (around) {
      points[i][0] += 2.0f * (float)(i % 11 - 5);
      points[i][1] += 1.0f * (float)(i % 15 - 7);
    }
  }
}

static void check_mode(pi_sampler_properties mode, bool linear, bool normalized) {
  static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_FLOAT};
  static colour pixels[PIXELS], points[POINTS], scaled[POINTS], got[POINTS];
  pi_image_desc desc = describe(WIDTH, HEIGHT, 1);
  const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
                                              normalized,
                                              PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                                              mode,
                                              PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                              linear ? PI_SAMPLER_FILTER_MODE_LINEAR
                                                     : PI_SAMPLER_FILTER_MODE_NEAREST,
                                              0};
  for (int i = 0; i < 4 * PIXELS; i++)
    pixels[i / 4][i % 4] = (float)(i * 37 % 101);
  const pi_image_mem_handle memory = need_memory(&format, &desc);
  write_pixels(memory, &format, &desc, pixels);
  choose_points(mode != PI_SAMPLER_ADDRESSING_MODE_NONE, points);
  for (int i = 0; i < POINTS; i++) {
    memcpy(scaled[i], points[i], sizeof scaled[i]);
    if (normalized) {
      scaled[i][0] /= WIDTH;
      scaled[i][1] /= HEIGHT;
    }
  }
  read_points("sample_points", memory, &format, &desc, properties, 0, (const colour *)scaled,
              POINTS, got);
  const float most = linear ? 1.0f : 0.0f; /* tolerance, for pixels from 0 to 100 */
  for (int i = 0; i < POINTS; i++) {
    colour want;
    sample((const colour *)pixels, mode, linear, points[i][0], points[i][1], want);
    for (int k = 0; k < 4; k++)
      expect(fabsf(want[k] - got[i][k]) <= most, "mode 0x%x at %g, %g: channel %d is %g, not %g",
             (unsigned)mode, (double)points[i][0], (double)points[i][1], k, (double)got[i][k],
             (double)want[k]);
  }
  expect_success(pi.piextMemImageFree(the_context(), the_device(), memory));
}

/* Modes that repeat are defined for normalised coordinates. */
static void check_modes(bool linear) {
  for (int normalized = 0; normalized < 2; normalized++) {
    const pi_sampler_addressing_mode last =
        normalized ? PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT : PI_SAMPLER_ADDRESSING_MODE_CLAMP;
    for (int mode = PI_SAMPLER_ADDRESSING_MODE_NONE; mode <= (int)last; mode++)
      check_mode((pi_sampler_properties)mode, linear, normalized);
  }
}

TEST(texture, nearest) {
  check_modes(false);
}

TEST(texture, linear) {
  check_modes(true);
}

/* Formats of normalised integers and halves, with their bytes and the numbers read from them. */
TEST(texture, formats) {
  static const struct {
    pi_image_channel_type type;
    unsigned char bytes[8];
    colour want;
  } cases[] = {
      {PI_IMAGE_CHANNEL_TYPE_UNORM_INT8, {0, 51, 102, 255}, {0, 0.2f, 0.4f, 1}},
      {PI_IMAGE_CHANNEL_TYPE_SNORM_INT8, {0, 0x7f, 0x81, 0x40}, {0, 1, -1, 64 / 127.0f}},
      {PI_IMAGE_CHANNEL_TYPE_UNORM_INT16,
       {0, 0, 0x33, 0x33, 0, 0x80, 0xff, 0xff},
       {0, 0.2f, 32768 / 65535.0f, 1}},
      {PI_IMAGE_CHANNEL_TYPE_SNORM_INT16,
       {0, 0, 0xff, 0x7f, 0x01, 0x80, 0, 0x40},
       {0, 1, -1, 16384 / 32767.0f}},
      {PI_IMAGE_CHANNEL_TYPE_HALF_FLOAT,
       {0, 0x3c, 0, 0xc0, 0xff, 0x7b, 0x01, 0},
       {1, -2, 65504, 0x1p-24f}},
  };
  static const pi_sampler_properties nearest[] = {PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                                  PI_SAMPLER_FILTER_MODE_NEAREST, 0};
  const colour point[1] = {{0.5f, 0.5f, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, cases[i].type};
    pi_image_desc desc = describe(1, 1, 1);
    unsigned char bytes[8];
    colour got[1];
    memcpy(bytes, cases[i].bytes, sizeof bytes);
    const pi_image_mem_handle memory = need_memory(&format, &desc);
    write_pixels(memory, &format, &desc, bytes);
    read_points("sample_points", memory, &format, &desc, nearest, 0, point, 1, got);
    for (int k = 0; k < 4; k++)
      expect(fabsf(got[0][k] - cases[i].want[k]) <= 1e-5f * fabsf(cases[i].want[k]),
             "format 0x%x: channel %d is %g, not %g", (unsigned)cases[i].type, k, (double)got[0][k],
             (double)cases[i].want[k]);
    expect_success(pi.piextMemImageFree(the_context(), the_device(), memory));
  }
}

/* All pixels of a level have one number. Reads between two levels are interpolated, and reads past
 * the last level return its number. */
TEST(texture, levels) {
  static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_FLOAT};
  static const pi_sampler_properties linear[] = {PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                                                 PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE,
                                                 PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                                 PI_SAMPLER_FILTER_MODE_LINEAR,
                                                 PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE,
                                                 PI_SAMPLER_FILTER_MODE_LINEAR,
                                                 0};
  const colour points[] = {
      {0.5f, 0.5f, 0, 0}, {0.5f, 0.5f, 1, 0}, {0.5f, 0.5f, 1.5f, 0}, {0.5f, 0.5f, 7, 0}};
  static const float want[2][4] = {{0, 10, 15, 20}, {0, 10, 10, 10}};
  pi_image_desc desc = describe(8, 8, 3);
  const pi_image_mem_handle memory = need_memory(&format, &desc);
  for (unsigned i = 0; i < 3; i++) {
    float pixels[64];
    pi_image_mem_handle level = NULL;
    pi_image_desc small = describe((size_t)8 >> i, (size_t)8 >> i, 1);
    for (int k = 0; k < 64; k++)
      pixels[k] = 10.0f * (float)i;
    expect_success(pi.piextMemMipmapGetLevel(the_context(), the_device(), memory, i, &level));
    write_pixels(level, &format, &small, pixels);
  }
  for (int clamped = 0; clamped < 2; clamped++) {
    colour got[4];
    read_points("sample_levels", memory, &format, &desc, linear, clamped ? 1 : 2, points, 4, got);
    for (int i = 0; i < 4; i++)
      expect(fabsf(got[i][0] - want[clamped][i]) < 0.1f, "at level %g there is %g, not %g",
             (double)points[i][2], (double)got[i][0], (double)want[clamped][i]);
  }
  expect_success(pi.piextMemMipmapFree(the_context(), the_device(), memory));
}

/* An image in plain memory, with the row pitch that the device requires. */
TEST(texture, plain_memory) {
  static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_FLOAT};
  static const pi_sampler_properties nearest[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 0, 0};
  pi_image_desc desc = describe(WIDTH, HEIGHT, 1);
  colour pixels[PIXELS], points[PIXELS], got[PIXELS];
  void *rows = NULL;
  expect_success(pi.piextMemImageFree(the_context(), the_device(), need_memory(&format, &desc)));
  if (!is_supported(pi.piextUSMPitchedAlloc(&rows, &desc.image_row_pitch, the_context(),
                                            the_device(), NULL, sizeof pixels / HEIGHT, HEIGHT,
                                            sizeof(colour))))
    skip_test("the device has no pitched memory");
  for (int i = 0; i < PIXELS; i++)
    for (int k = 0; k < 4; k++) {
      pixels[i][k] = (float)(4 * i + k);
      const int pixel = k == 0 ? i % WIDTH : i / WIDTH;
      points[i][k] = k < 2 ? (float)pixel + 0.5f : 0;
    }
  expect_success(pi.piextUSMEnqueueMemcpy2D(the_queue(), PI_TRUE, rows, desc.image_row_pitch,
                                            pixels, sizeof pixels / HEIGHT, sizeof pixels / HEIGHT,
                                            HEIGHT, 0, NULL, NULL));
  read_points("sample_points", rows, &format, &desc, nearest, 0, (const colour *)points, PIXELS,
              got);
  expect_bytes(pixels, got, sizeof pixels);
  expect_success(pi.piextUSMFree(the_context(), rows));
}

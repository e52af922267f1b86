/* Images and samplers of SPIR-V, on the surfaces of the fake CUDA driver. */
#include "device.h"

#include "../../plugins/code/image_argument.h"

#include <limits.h>
#include <math.h>

enum { WIDTH = 5, HEIGHT = 4, DEPTH = 3, PIXELS = WIDTH * HEIGHT * DEPTH, PLACES = 64 };

/* Channel orders and types of OpenCL (cl_channel_order, cl_channel_type). */
enum { ORDER_R = 0x10B0, ORDER_RG = 0x10B2, ORDER_RGBA = 0x10B5 };
enum {
  SNORM_INT8 = 0x10D0,
  SNORM_INT16,
  UNORM_INT8,
  UNORM_INT16,
  SIGNED_INT8 = 0x10D7,
  SIGNED_INT16,
  SIGNED_INT32,
  UNSIGNED_INT8,
  UNSIGNED_INT16,
  UNSIGNED_INT32,
  HALF_FLOAT,
  FLOAT
};

__extension__ typedef _Float16 half_number;

typedef struct picture {
  CUarray array;
  CUDA_MEMCPY3D copy; /* of the whole array; the host pointer is not set */
  image_argument argument;
} picture;

static CUmodule module;

static picture make_picture(unsigned width, unsigned height, unsigned depth, bool is_layered,
                            CUarray_format format, unsigned bytes, unsigned type, unsigned order) {
  const unsigned channels = order == ORDER_R ? 1 : order == ORDER_RG ? 2 : 4;
  picture ret = {.argument = {.width = width,
                              .height = height > 0 ? height : 1,
                              .depth = is_layered || depth == 0 ? 1 : depth,
                              .layers = is_layered ? depth : 1,
                              .type = type,
                              .order = order}};
  const CUDA_ARRAY3D_DESCRIPTOR descriptor = {.Width = width,
                                              .Height = height,
                                              .Depth = depth,
                                              .Format = format,
                                              .NumChannels = channels,
                                              .Flags = CUDA_ARRAY3D_SURFACE_LDST |
                                                       (is_layered ? CUDA_ARRAY3D_LAYERED : 0)};
  CU(cuArray3DCreate(&ret.array, &descriptor));
  const CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY,
                                       .res.array.hArray = ret.array};
  CUsurfObject surface;
  CU(cuSurfObjectCreate(&surface, &resource));
  ret.argument.surface = surface;
  ret.copy = (CUDA_MEMCPY3D){.WidthInBytes = (size_t)width * channels * bytes,
                             .Height = height > 0 ? height : 1,
                             .Depth = depth > 0 ? depth : 1};
  return ret;
}

static void fill_picture(const picture *picture, const void *bytes) {
  CUDA_MEMCPY3D copy = picture->copy;
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = bytes;
  copy.srcPitch = copy.WidthInBytes;
  copy.srcHeight = copy.Height;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = picture->array;
  CU(cuMemcpy3D(&copy));
}

static void read_picture(const picture *picture, void *bytes) {
  CUDA_MEMCPY3D copy = picture->copy;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = bytes;
  copy.dstPitch = copy.WidthInBytes;
  copy.dstHeight = copy.Height;
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = picture->array;
  CU(cuMemcpy3D(&copy));
}

static void free_picture(const picture *picture) {
  CU(cuSurfObjectDestroy(picture->argument.surface));
  CU(cuArrayDestroy(picture->array));
}

static void run(const char *kernel, unsigned x, unsigned y, unsigned z, void **arguments) {
  CUfunction function;
  CU(cuModuleGetFunction(&function, module, kernel));
  CU(cuLaunchKernel(function, 1, 1, 1, x, y, z, 0, NULL, arguments, NULL));
  CU(cuCtxSynchronize());
}

/* ---- Formats ---- */

static const struct {
  unsigned type;
  CUarray_format format;
  unsigned bytes;
  const char *kernel;
} formats[] = {{SNORM_INT8, CU_AD_FORMAT_SIGNED_INT8, 1, "copy_f"},
               {SNORM_INT16, CU_AD_FORMAT_SIGNED_INT16, 2, "copy_f"},
               {UNORM_INT8, CU_AD_FORMAT_UNSIGNED_INT8, 1, "copy_f"},
               {UNORM_INT16, CU_AD_FORMAT_UNSIGNED_INT16, 2, "copy_f"},
               {HALF_FLOAT, CU_AD_FORMAT_HALF, 2, "copy_f"},
               {FLOAT, CU_AD_FORMAT_FLOAT, 4, "copy_f"},
               {SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT8, 1, "copy_i"},
               {SIGNED_INT16, CU_AD_FORMAT_SIGNED_INT16, 2, "copy_i"},
               {SIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32, 4, "copy_i"},
               {UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT8, 1, "copy_ui"},
               {UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT16, 2, "copy_ui"},
               {UNSIGNED_INT32, CU_AD_FORMAT_UNSIGNED_INT32, 4, "copy_ui"}};

/* Returns a channel as read_image* does: the bits of a float, or an int. */
static unsigned channel_of(const unsigned char *bytes, unsigned type) {
  unsigned short wide;
  unsigned whole;
  float number;
  memcpy(&wide, bytes, sizeof wide);
  memcpy(&whole, bytes, sizeof whole);
  switch (type) {
  case SNORM_INT8:
    number = (signed char)bytes[0] == -128 ? -1 : (float)(signed char)bytes[0] / 127.0f;
    break;
  case SNORM_INT16:
    number = (short)wide == -32768 ? -1 : (float)(short)wide / 32767.0f;
    break;
  case UNORM_INT8:
    number = (float)bytes[0] / 255.0f;
    break;
  case UNORM_INT16:
    number = (float)wide / 65535.0f;
    break;
  case HALF_FLOAT:
    number = ldexpf((float)(wide & 0x3ff) + 1024, (wide >> 10 & 31) - 25);
    break;
  case SIGNED_INT8:
    return (unsigned)(signed char)bytes[0];
  case SIGNED_INT16:
    return (unsigned)(short)wide;
  case UNSIGNED_INT8:
    return bytes[0];
  case UNSIGNED_INT16:
    return wide;
  default:
    return whole;
  }
  memcpy(&whole, &number, sizeof whole);
  return whole;
}

static void check_format(size_t f, unsigned order) {
  const unsigned channels = order == ORDER_R ? 1 : order == ORDER_RG ? 2 : 4;
  const unsigned type = formats[f].type;
  const bool is_float = strcmp(formats[f].kernel, "copy_f") == 0;
  unsigned char bytes[WIDTH * HEIGHT * 16 + 4];
  unsigned char copied[sizeof bytes];
  unsigned out[WIDTH * HEIGHT][4];
  for (size_t i = 0; i < sizeof bytes; i++) {
    bytes[i] = (unsigned char)(i * 73 + 5);
    /* Sets the high byte so that each half and float is normal. */
    if (type == HALF_FLOAT && i % 2 == 1)
      bytes[i] = (unsigned char)(0x20 + i % 64 / 2);
    if (type == FLOAT && i % 4 == 3)
      bytes[i] = 0x41;
  }
  const picture pictures[2] = {
      make_picture(WIDTH, HEIGHT, 0, false, formats[f].format, formats[f].bytes, type, order),
      make_picture(WIDTH, HEIGHT, 0, false, formats[f].format, formats[f].bytes, type, order)};
  CUdeviceptr memory;
  CU(cuMemAlloc(&memory, sizeof out));
  fill_picture(&pictures[0], bytes);
  void *arguments[] = {(void *)&pictures[0].argument, (void *)&pictures[1].argument, &memory};
  run(formats[f].kernel, WIDTH, HEIGHT, 1, arguments);
  CU(cuMemcpyDtoH(out, memory, sizeof out));
  read_picture(&pictures[1], copied);
  for (unsigned i = 0; i < WIDTH * HEIGHT * channels; i++) {
    const unsigned char *channel = bytes + (size_t)i * formats[f].bytes;
    const unsigned expected = channel_of(channel, type);
    const unsigned got = out[i / channels][i % channels];
    if (got != expected)
      fail_msg("type %x, order %x, channel %u: %x, not %x", type, order, i, got, expected);
    /* A signed normalized channel has two encodings of -1. */
    if ((type == SNORM_INT8 && *channel == 0x80) ||
        (type == SNORM_INT16 && channel[0] == 0 && channel[1] == 0x80))
      continue;
    assert_memory_equal(copied + (size_t)i * formats[f].bytes, channel, formats[f].bytes);
  }
  const float one = 1;
  for (unsigned c = channels; c < 4; c++) {
    unsigned whole = 1;
    if (is_float)
      memcpy(&whole, &one, sizeof whole);
    assert_int_equal(out[3][c], c == 3 ? whole : 0);
  }
  CU(cuMemFree(memory));
  free_picture(&pictures[0]);
  free_picture(&pictures[1]);
}

TEST(every_format_is_read_and_copied) {
  for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
    check_format(f, ORDER_R);
    check_format(f, ORDER_RG);
    check_format(f, ORDER_RGBA);
  }
}

/* ---- Numbers outside of a channel's range ---- */

/* Rounds value * factor to an integer and saturates it (OpenCL C specification, section 8.3). */
static unsigned normalized(float value, float factor, double least, double most) {
  const float product = value * factor;
  return isnan(value)      ? 0
         : product < least ? (unsigned)(int)least
         : product > most  ? (unsigned)(int)most
                           : (unsigned)(int)rint((double)product);
}

static unsigned half_bits(float value) {
  const half_number number = (half_number)value;
  uint16_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* Returns the bits of a channel after a write of `bits`, which are those of a float or an int. */
static unsigned written(unsigned type, unsigned bits) {
  const int value = (int)bits;
  float number;
  memcpy(&number, &bits, sizeof number);
  switch (type) {
  case SNORM_INT8:
    return normalized(number, 127, -128, 127) & 0xff;
  case SNORM_INT16:
    return normalized(number, 32767, -32768, 32767) & 0xffff;
  case UNORM_INT8:
    return normalized(number, 255, 0, 255);
  case UNORM_INT16:
    return normalized(number, 65535, 0, 65535);
  case HALF_FLOAT:
    return half_bits(number);
  case SIGNED_INT8:
    return (unsigned)(value < -128 ? -128 : value > 127 ? 127 : value) & 0xff;
  case SIGNED_INT16:
    return (unsigned)(value < -32768 ? -32768 : value > 32767 ? 32767 : value) & 0xffff;
  case UNSIGNED_INT8:
    return bits > 255 ? 255 : bits;
  case UNSIGNED_INT16:
    return bits > 65535 ? 65535 : bits;
  default:
    return bits;
  }
}

/* Returns the bits of a number to write: the limits of the channels, and numbers next to them. */
static unsigned number_to_write(bool is_float, unsigned i) {
  static const float floats[] = {0.0f,       -0.0f,      1.0f,       -1.0f,      0.5f,     -0.5f,
                                 0.4f / 255, 0.6f / 255, 1.5f / 255, 2.5f / 255, 0.25f,    0.498f,
                                 1.001f,     -1.001f,    -1.004f,    -1.1f,      2.0f,     -2.0f,
                                 1e9f,       -1e9f,      INFINITY,   -INFINITY,  NAN,      -NAN,
                                 1e-40f,     6e-8f,      65504.0f,   65519.0f,   65520.0f, -0.99f,
                                 1.0f / 127, 0.9961f,    0.9979f,    -0.996f,    1.0f / 3, -1e-20f};
  static const int integers[] = {0,      1,     -1,    127,     128,     -128,
                                 -129,   255,   256,   32767,   32768,   -32768,
                                 -32769, 65535, 65536, INT_MAX, INT_MIN, 40000};
  unsigned ret;
  if (is_float)
    memcpy(&ret, &floats[i % (sizeof floats / sizeof floats[0])], sizeof ret);
  else
    memcpy(&ret, &integers[i % (sizeof integers / sizeof integers[0])], sizeof ret);
  return ret;
}

static bool is_half_nan(unsigned bits) {
  return (bits & 0x7fff) > 0x7c00;
}

/* Writes some of the numbers. All rounds together write each number to each channel. */
static void check_writes(size_t f, unsigned order, unsigned round) {
  const unsigned channels = order == ORDER_R ? 1 : order == ORDER_RG ? 2 : 4;
  const bool is_float = strcmp(formats[f].kernel, "copy_f") == 0;
  const unsigned type = formats[f].type, bytes = formats[f].bytes;
  char kernel[16];
  unsigned in[WIDTH * HEIGHT][4];
  unsigned char got[WIDTH * HEIGHT * 16];
  for (unsigned i = 0; i < WIDTH * HEIGHT * 4; i++)
    in[i / 4][i % 4] = number_to_write(is_float, i / 4 + WIDTH * HEIGHT * round + 7 * (i % 4));
  const picture picture =
      make_picture(WIDTH, HEIGHT, 0, false, formats[f].format, bytes, type, order);
  CUdeviceptr memory;
  CU(cuMemAlloc(&memory, sizeof in));
  CU(cuMemcpyHtoD(memory, in, sizeof in));
  void *arguments[] = {(void *)&picture.argument, &memory};
  snprintf(kernel, sizeof kernel, "write%s", strchr(formats[f].kernel, '_'));
  run(kernel, WIDTH, HEIGHT, 1, arguments);
  read_picture(&picture, got);
  for (unsigned i = 0; i < WIDTH * HEIGHT * channels; i++) {
    const unsigned given = in[i / channels][i % channels], expected = written(type, given);
    unsigned found = 0;
    memcpy(&found, got + (size_t)i * bytes, bytes); /* correct on little endian only */
    if (found != expected && !(type == HALF_FLOAT && is_half_nan(found) && is_half_nan(expected)))
      fail_msg("type %x, order %x: %x becomes %x, not %x", type, order, given, found, expected);
  }
  CU(cuMemFree(memory));
  free_picture(&picture);
}

TEST(writes_saturate) {
  for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
    for (unsigned round = 0; round < 2; round++) {
      check_writes(f, ORDER_R, round);
      check_writes(f, ORDER_RG, round);
      check_writes(f, ORDER_RGBA, round);
    }
}

/* ---- Shapes ---- */

TEST(every_shape_is_read_and_written) {
  static const struct {
    const char *kernel;
    unsigned height, depth;
    bool is_layered;
    int sizes;
  } shapes[] = {{"add_1d", 0, 0, false, 0},
                {"add_1d_array", 0, DEPTH, true, DEPTH},
                {"add_2d", HEIGHT, 0, false, HEIGHT},
                {"add_2d_array", HEIGHT, DEPTH, true, HEIGHT + 100 * DEPTH},
                {"add_3d", HEIGHT, DEPTH, false, HEIGHT + 100 * DEPTH}};
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
    const unsigned height = shapes[s].height > 0 ? shapes[s].height : 1;
    const unsigned depth = shapes[s].depth > 0 ? shapes[s].depth : 1;
    unsigned pixels[PIXELS * 2];
    unsigned got[PIXELS * 2];
    int said[4];
    const picture picture =
        make_picture(WIDTH, shapes[s].height, shapes[s].depth, shapes[s].is_layered,
                     CU_AD_FORMAT_UNSIGNED_INT32, sizeof(unsigned), UNSIGNED_INT32, ORDER_RG);
    for (unsigned i = 0; i < PIXELS * 2; i++)
      pixels[i] = 1000 * i + 3;
    CUdeviceptr memory;
    CU(cuMemAlloc(&memory, sizeof said));
    fill_picture(&picture, pixels);
    void *arguments[] = {(void *)&picture.argument, &memory};
    /* In an array of 1D images the second coordinate is the layer. */
    if (s == 1)
      run(shapes[s].kernel, WIDTH, depth, 1, arguments);
    else
      run(shapes[s].kernel, WIDTH, height, depth, arguments);
    CU(cuMemcpyDtoH(said, memory, sizeof said));
    read_picture(&picture, got);
    for (unsigned i = 0; i < WIDTH * height * depth * 2; i++)
      assert_int_equal(got[i], pixels[i] + 1);
    assert_int_equal(said[0], WIDTH);
    assert_int_equal(said[1], UNSIGNED_INT32 - SNORM_INT8);
    assert_int_equal(said[2], ORDER_RG - ORDER_R);
    assert_int_equal(said[3], shapes[s].sizes);
    CU(cuMemFree(memory));
    free_picture(&picture);
  }
}

/* ---- Samplers ---- */

enum { NONE, CLAMP_TO_EDGE, CLAMP, REPEAT, MIRRORED_REPEAT };

/* Applies an addressing mode to an index. Returns -1 for the border. */
static int wrap_index(int index, int size, unsigned mode) {
  switch (mode) {
  case CLAMP_TO_EDGE:
  case MIRRORED_REPEAT: /* the caller has mirrored the coordinates */
    return index < 0 ? 0 : index >= size ? size - 1 : index;
  case REPEAT:
    return (index % size + size) % size;
  default:
    return index < 0 || index >= size ? -1 : index;
  }
}

/* Returns a channel's value at a place, interpolated if is_linear. Sizes past the axes are 1. */
static double sample_at(const float *pixels, const int *sizes, int axes, const double *at,
                        unsigned mode, bool is_linear, unsigned channel) {
  double sum = 0;
  for (unsigned corner = 0; corner < 8; corner++) {
    double weight = 1;
    long index = 0;
    bool is_border = false;
    for (int axis = 2; axis >= 0; axis--) {
      const double place = is_linear ? at[axis] - 0.5 : at[axis];
      const bool second = corner >> axis & 1;
      const double part = is_linear && axis < axes ? place - floor(place) : 0;
      const int i = axis < axes ? wrap_index((int)floor(place) + second, sizes[axis], mode) : 0;
      weight *= second ? part : 1 - part;
      is_border |= i < 0;
      index = index * sizes[axis] + i;
    }
    if (weight > 0 && !is_border)
      sum += weight * (double)pixels[4 * index + channel];
  }
  return sum;
}

/* Some axes have a single pixel, which must have a border like any other. */
static const struct {
  const char *kernel;
  int axes;
  int sizes[3];
  bool is_layered;
} sampled[] = {{"sample_1d", 1, {WIDTH, 1, 1}, false},
               {"sample_1d", 1, {1, 1, 1}, false},
               {"sample_1d_array", 1, {WIDTH, 1, DEPTH}, true},
               {"sample_1d_array", 1, {1, 1, DEPTH}, true},
               {"sample_2d", 2, {WIDTH, HEIGHT, 1}, false},
               {"sample_2d", 2, {WIDTH, 1, 1}, false},
               {"sample_2d", 2, {1, HEIGHT, 1}, false},
               {"sample_2d", 2, {1, 1, 1}, false},
               {"sample_2d_array", 2, {WIDTH, HEIGHT, DEPTH}, true},
               {"sample_2d_array", 2, {WIDTH, 1, DEPTH}, true},
               {"sample_3d", 3, {WIDTH, HEIGHT, DEPTH}, false},
               {"sample_3d", 3, {WIDTH, HEIGHT, 1}, false},
               {"sample_3d", 3, {WIDTH, 1, DEPTH}, false},
               {"sample_3d", 3, {1, 1, DEPTH}, false},
               {"sample_3d", 3, {1, 1, 1}, false}};

/* Samples at many places; normalised coordinates are divided by the image's sizes. */
static void check_sampler(size_t s, unsigned sampler, const float *pixels) {
  const bool is_normalized = sampler & 1;
  const bool is_linear = sampler >> 1 & 1;
  const unsigned mode = sampler >> 2;
  const int *sizes = sampled[s].sizes;
  const int axes = sampled[s].axes;
  float places[PLACES][4];
  float out[PLACES][4];
  for (int i = 0; i < PLACES; i++)
    for (int axis = 0; axis < 3; axis++) {
      /* Multiples of 1/8 pixel in and around the image. A place is moved by 1/16 pixel where a
       * rounding error could pick the neighbour. */
      const bool is_exact = !is_normalized || (sizes[axis] & (sizes[axis] - 1)) == 0;
      const float beside = is_exact && mode != NONE && i % 2 ? 0 : 0.0625f;
      const float eighths = (float)((i * (7 + 4 * axis) + 3 * axis) % (16 * sizes[axis]));
      const float at =
          (mode == NONE ? 0.5f * eighths / 8 : eighths / 8 - (float)sizes[axis] / 2) + beside;
      places[i][axis] = is_normalized ? at / (float)sizes[axis] : at;
      if (axis == 2 && sampled[s].is_layered)
        places[i][axis] = (float)(i % 5) - 1;
    }
  const bool is_deep = axes == 3 || sampled[s].is_layered;
  const picture picture = make_picture((unsigned)sizes[0], axes >= 2 ? (unsigned)sizes[1] : 0,
                                       is_deep ? (unsigned)sizes[2] : 0, sampled[s].is_layered,
                                       CU_AD_FORMAT_FLOAT, sizeof(float), FLOAT, ORDER_RGBA);
  CUdeviceptr memory[2];
  CU(cuMemAlloc(&memory[0], sizeof places));
  CU(cuMemAlloc(&memory[1], sizeof out));
  CU(cuMemcpyHtoD(memory[0], places, sizeof places));
  fill_picture(&picture, pixels);
  void *arguments[] = {(void *)&picture.argument, &sampler, &memory[0], &memory[1]};
  run(sampled[s].kernel, PLACES, 1, 1, arguments);
  CU(cuMemcpyDtoH(out, memory[1], sizeof out));
  for (int i = 0; i < PLACES; i++) {
    const int layer = (int)places[i][2] < 0        ? 0
                      : (int)places[i][2] >= DEPTH ? DEPTH - 1
                                                   : (int)places[i][2];
    const float *of = sampled[s].is_layered ? pixels + 4L * sizes[0] * sizes[1] * layer : pixels;
    const int extents[3] = {sizes[0], sizes[1], sampled[s].is_layered ? 1 : sizes[2]};
    double at[3];
    for (int axis = 0; axis < 3; axis++) {
      at[axis] = (double)places[i][axis] * (is_normalized ? sizes[axis] : 1);
      if (mode == MIRRORED_REPEAT)
        at[axis] = fabs(at[axis] - 2 * sizes[axis] * rint(at[axis] / (2 * sizes[axis])));
    }
    for (unsigned channel = 0; channel < 4; channel++) {
      const double expected = sample_at(of, extents, axes, at, mode, is_linear, channel);
      if (fabs((double)out[i][channel] - expected) > 1e-3)
        fail_msg("%s, sampler %x, place %d (%g %g %g), channel %u: %g, not %g", sampled[s].kernel,
                 sampler, i, at[0], at[1], at[2], channel, (double)out[i][channel], expected);
    }
  }
  CU(cuMemFree(memory[0]));
  CU(cuMemFree(memory[1]));
  free_picture(&picture);
}

TEST(every_sampler_reads_the_right_pixels) {
  float pixels[PIXELS * 4];
  for (int i = 0; i < PIXELS * 4; i++)
    pixels[i] = (float)((i * 37 + 11) % 101);
  for (size_t s = 0; s < sizeof sampled / sizeof sampled[0]; s++)
    for (unsigned mode = NONE; mode <= MIRRORED_REPEAT; mode++)
      for (unsigned bits = 0; bits < 4; bits++)
        if (mode < REPEAT || (bits & 1)) /* the repeat modes need normalised coordinates */
          if (mode != NONE || !(bits & 2))
            check_sampler(s, mode << 2 | bits, pixels);
}

/* The border is black; its alpha is 1 if the channel order has no alpha. */
TEST(the_border_has_the_alpha_of_the_order) {
  static const unsigned orders[] = {ORDER_R, ORDER_RG, ORDER_RGBA};
  static const struct {
    unsigned type;
    CUarray_format format;
    const char *kernel;
  } kinds[] = {{FLOAT, CU_AD_FORMAT_FLOAT, "border_f"},
               {SIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32, "border_i"},
               {UNSIGNED_INT32, CU_AD_FORMAT_UNSIGNED_INT32, "border_ui"}};
  const float one = 1;
  for (size_t i = 0; i < 9; i++) {
    const unsigned order = orders[i % 3], type = kinds[i / 3].type;
    const picture picture =
        make_picture(WIDTH, HEIGHT, 0, false, kinds[i / 3].format, sizeof(unsigned), type, order);
    unsigned pixels[WIDTH * HEIGHT * 4], out[4], opaque = 1;
    memset(pixels, 0x41, sizeof pixels);
    if (type == FLOAT)
      memcpy(&opaque, &one, sizeof opaque);
    CUdeviceptr memory;
    CU(cuMemAlloc(&memory, sizeof out));
    fill_picture(&picture, pixels);
    void *arguments[] = {(void *)&picture.argument, &memory};
    run(kinds[i / 3].kernel, 1, 1, 1, arguments);
    CU(cuMemcpyDtoH(out, memory, sizeof out));
    for (unsigned channel = 0; channel < 4; channel++)
      assert_int_equal(out[channel], channel == 3 && order != ORDER_RGBA ? opaque : 0);
    CU(cuMemFree(memory));
    free_picture(&picture);
  }
}

/* A sampler defined in the source gives the same pixels as an equal sampler argument. */
TEST(a_constant_sampler_equals_an_argument) {
  float pixels[WIDTH * HEIGHT * 4];
  float places[PLACES][4];
  float out[2][PLACES][4];
  unsigned repeats = REPEAT << 2 | 3;
  for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
    pixels[i] = (float)((i * 37 + 11) % 101);
  for (int i = 0; i < PLACES; i++)
    for (int axis = 0; axis < 4; axis++)
      places[i][axis] = (float)(i * (axis + 3) % 41) / 16 - 1;
  const picture picture =
      make_picture(WIDTH, HEIGHT, 0, false, CU_AD_FORMAT_FLOAT, sizeof(float), FLOAT, ORDER_RGBA);
  CUdeviceptr memory[2];
  CU(cuMemAlloc(&memory[0], sizeof places));
  CU(cuMemAlloc(&memory[1], sizeof out[0]));
  CU(cuMemcpyHtoD(memory[0], places, sizeof places));
  fill_picture(&picture, pixels);
  void *with[] = {(void *)&picture.argument, &repeats, &memory[0], &memory[1]};
  void *without[] = {(void *)&picture.argument, &memory[0], &memory[1]};
  run("sample_2d", PLACES, 1, 1, with);
  CU(cuMemcpyDtoH(out[0], memory[1], sizeof out[0]));
  CU(cuMemsetD8(memory[1], 0, sizeof out[0]));
  run("sample_fixed", PLACES, 1, 1, without);
  CU(cuMemcpyDtoH(out[1], memory[1], sizeof out[1]));
  assert_memory_equal(out[0], out[1], sizeof out[0]);
  CU(cuMemFree(memory[0]));
  CU(cuMemFree(memory[1]));
  free_picture(&picture);
}

static int start_module(unsigned level) {
  CUdevice device;
  CUcontext context;
  size_t size;
  CU(cuInit(0));
  CU(cuDeviceGet(&device, 0));
  CU(cuDevicePrimaryCtxRetain(&context, device));
  CU(cuCtxSetCurrent(context));
  codegen *generators = make_generators(CODEGEN_PROGRAM, 120000);
  unsigned char *bytes = read_module("image.spv", &size);
  codegen_request request = request_of(bytes, size);
  request.optimization = level;
  request.no_offset = true;
  char *ptx = build_module(generators, request);
  CU(cuModuleLoadData(&module, ptx));
  free(ptx);
  free(bytes);
  codegen_free(generators);
  return 0;
}

static int start_optimised(void **state) {
  (void)state;
  return start_module(3);
}

static int start_plain(void **state) {
  (void)state;
  return start_module(0);
}

static int end_module(void **state) {
  (void)state;
  CU(cuModuleUnload(module));
  CU(cuDevicePrimaryCtxRelease(0));
  return 0;
}

int main(void) {
  const int failed = tests_run_named("optimised", start_optimised, end_module);
  return failed + tests_run_named("not optimised", start_plain, end_module);
}

/*
 * Sampled images as kernels read them: each addressing mode and filter compared with a computation
 * on the host, formats, levels, plain memory.
 */
#include "world.h"

#include "../../plugins/cuda/context.h"
#include "../../plugins/cuda/image_format.h"

#include <math.h>
#include <stdio.h>

/* Thread i reads at the i-th coordinates (4 floats, or integers) and writes 4 numbers. */
#define BEGIN(name)                                                                                \
  ".visible .entry " name "(.param .u64 image, .param .u64 at, .param .u64 out) {\n"               \
  ".reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .f32 %f<9>;\n"                                          \
  "ld.param.u64 %rd1, [image];\n"                                                                  \
  "ld.param.u64 %rd2, [at];\n"                                                                     \
  "ld.param.u64 %rd3, [out];\n"                                                                    \
  "mov.u32 %r1, %tid.x;\n"                                                                         \
  "mul.wide.u32 %rd4, %r1, 16;\n"                                                                  \
  "add.u64 %rd2, %rd2, %rd4;\n"                                                                    \
  "add.u64 %rd3, %rd3, %rd4;\n"
#define END "ret;\n}\n"
#define LOAD_F "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd2];\n"
#define LOAD_I "ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd2];\n"
#define STORE_F "st.global.v4.f32 [%rd3], {%f5, %f6, %f7, %f8};\n"
#define STORE_I "st.global.v4.b32 [%rd3], {%r5, %r6, %r7, %r8};\n"
#define GET_F "{%f5, %f6, %f7, %f8}, [%rd1, "
#define GET_I "{%r5, %r6, %r7, %r8}, [%rd1, "

static const char code[] = ".version 7.4\n.target sm_70\n.address_size 64\n" BEGIN("read_1d") LOAD_F
    "tex.1d.v4.f32.f32 " GET_F "{%f1}];\n" STORE_F END BEGIN("read_2d") LOAD_F
    "tex.2d.v4.f32.f32 " GET_F "{%f1, %f2}];\n" STORE_F END BEGIN("read_3d") LOAD_F
    "tex.3d.v4.f32.f32 " GET_F "{%f1, %f2, %f3, %f4}];\n" STORE_F END BEGIN("read_2d_u") LOAD_F
    "tex.2d.v4.u32.f32 " GET_I "{%f1, %f2}];\n" STORE_I END BEGIN("read_level") LOAD_F
    "tex.level.2d.v4.f32.f32 " GET_F "{%f1, %f2}], %f3;\n" STORE_F END BEGIN("read_line") LOAD_I
    "tex.1d.v4.u32.s32 " GET_I "{%r1}];\n" STORE_I END BEGIN("read_layer") LOAD_I
    "mov.b32 %f2, %r2;\n"
    "tex.a1d.v4.f32.f32 " GET_F "{%r1, %f2}];\n" STORE_F END;

static CUmodule module;

static int open_module(void **state) {
  return open_world(state) == 0 && cuda_enter(w.context) == PI_SUCCESS &&
                 cu.ModuleLoadDataEx(&module, code, 0, NULL, NULL) == CUDA_SUCCESS
             ? 0
             : -1;
}

static int close_module(void **state) {
  driver(cu.ModuleUnload(module));
  return close_world(state);
}

#define TEXTURE_TEST(name) TEST_WITH(name, open_module, close_module)

enum { MOST = 512 };

/* Runs a kernel for count reads. */
static void read(const char *name, pi_image_handle image, const void *at, void *out, size_t count) {
  void *memory = NULL;
  assert_true(count <= MOST);
  must(piextUSMDeviceAlloc(&memory, w.context, w.device, NULL, (size_t)2 * 16 * MOST, 0));
  must(piextUSMEnqueueMemcpy(w.queue, PI_TRUE, memory, at, 16 * count, 0, NULL, NULL));
  CUfunction function = NULL;
  uint64_t from = (uint64_t)(uintptr_t)memory, to = from + (uint64_t)16 * MOST;
  void *parameters[] = {&image, &from, &to};
  driver(cu.ModuleGetFunction(&function, module, name));
  driver(cu.LaunchKernel(function, 1, 1, 1, (unsigned)count, 1, 1, 0, NULL, parameters, NULL));
  driver(cu.CtxSynchronize());
  must(piextUSMEnqueueMemcpy(w.queue, PI_TRUE, out, (char *)memory + (size_t)16 * MOST, 16 * count,
                             0, NULL, NULL));
  must(piextUSMFree(w.context, memory));
}

static pi_image_desc describe(pi_mem_type type, size_t width, size_t height, size_t depth) {
  return (pi_image_desc){.image_type = type,
                         .image_width = width,
                         .image_height = height,
                         .image_depth = depth,
                         .image_array_size = depth,
                         .num_mip_levels = 1};
}

/* Allocates image memory with these pixels. */
static pi_image_mem_handle new_memory(pi_image_format *format, pi_image_desc *desc,
                                      const void *pixels) {
  pi_image_mem_handle memory = NULL;
  must(piextMemImageAllocate(w.context, w.device, format, desc, &memory));
  struct pi_image_offset_struct origin = {0, 0, 0};
  struct pi_image_region_struct size = {desc->image_width, desc->image_height, desc->image_depth};
  union {
    const void *from;
    void *to;
  } source = {pixels};
  must(piextMemImageCopy(w.queue, memory, source.to, format, desc, PI_IMAGE_COPY_HOST_TO_DEVICE,
                         &origin, &origin, &size, &size, 0, NULL, NULL));
  must(piQueueFinish(w.queue));
  return memory;
}

static pi_sampler new_sampler(pi_sampler_properties mode, bool linear, bool normalized) {
  const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
                                              normalized,
                                              PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                                              mode,
                                              PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                              linear ? PI_SAMPLER_FILTER_MODE_LINEAR
                                                     : PI_SAMPLER_FILTER_MODE_NEAREST,
                                              0};
  pi_sampler sampler = NULL;
  must(piextBindlessImageSamplerCreate(w.context, properties, 0, 8, 0, &sampler));
  return sampler;
}

static pi_image_handle new_image(pi_image_mem_handle memory, pi_image_format *format,
                                 pi_image_desc *desc, pi_sampler sampler) {
  pi_mem mem = NULL;
  pi_image_handle image = 0;
  must(
      piextMemSampledImageCreate(w.context, w.device, memory, format, desc, sampler, &mem, &image));
  must(piMemRelease(mem));
  return image;
}

static void free_image(pi_image_handle image, pi_sampler sampler) {
  must(piextMemSampledImageHandleDestroy(w.context, w.device, image));
  must(piSamplerRelease(sampler));
}

/* --- sampling on the host */

/* Moves an index into the range of pixels; returns false if it is on the border. */
static bool place(pi_sampler_properties mode, long *index, long size) {
  const long i = *index;
  switch (mode) {
  case PI_SAMPLER_ADDRESSING_MODE_CLAMP:
    return i >= 0 && i < size;
  case PI_SAMPLER_ADDRESSING_MODE_REPEAT:
    *index = (i % size + size) % size;
    return true;
  case PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT: {
    const long turn = (i % (2 * size) + 2 * size) % (2 * size);
    *index = turn < size ? turn : 2 * size - 1 - turn;
    return true;
  }
  default:
    *index = i < 0 ? 0 : i >= size ? size - 1 : i;
    return true;
  }
}

typedef struct picture {
  const float *pixels; /* 4 for each pixel */
  long size[3];
} picture;

static void pixel_at(const picture *picture, pi_sampler_properties mode, const long at[3],
                     float ret[4]) {
  long index[3];
  memset(ret, 0, 4 * sizeof ret[0]);
  for (int axis = 0; axis < 3; axis++) {
    index[axis] = at[axis];
    if (!place(mode, &index[axis], picture->size[axis]))
      return;
  }
  const long place_of = (index[2] * picture->size[1] + index[1]) * picture->size[0] + index[0];
  memcpy(ret, picture->pixels + 4 * place_of, 4 * sizeof ret[0]);
}

static void sample(const picture *picture, pi_sampler_properties mode, bool linear,
                   const float at[3], float ret[4]) {
  long base[3];
  float part[3];
  for (int axis = 0; axis < 3; axis++) {
    const bool is_mixed = linear && picture->size[axis] > 1;
    const float from = is_mixed ? at[axis] - 0.5F : at[axis];
    base[axis] = (long)floorf(from);
    part[axis] = is_mixed ? from - floorf(from) : 0;
    if (picture->size[axis] == 1)
      base[axis] = 0;
  }
  memset(ret, 0, 4 * sizeof ret[0]);
  for (int corner = 0; corner < 8; corner++) {
    float share = 1, pixel[4];
    long index[3];
    for (int axis = 0; axis < 3; axis++) {
      const int upper = corner >> axis & 1;
      share *= upper ? part[axis] : 1 - part[axis];
      index[axis] = base[axis] + upper;
    }
    if (share == 0)
      continue;
    pixel_at(picture, mode, index, pixel);
    for (int i = 0; i < 4; i++)
      ret[i] += share * pixel[i];
  }
}

/* Linear filters may be off by 1: the hardware's weights have 8 bits, and pixels are up to 100. */
static void expect_near(const float want[4], const float got[4], bool linear, const char *what) {
  for (int i = 0; i < 4; i++)
    if (!(fabsf(want[i] - got[i]) <= (linear ? 1.0F : 0.0F)))
      fail_msg("%s: component %d is %g, not %g", what, i, (double)got[i], (double)want[i]);
}

/* Tries all modes for an image of this size, at places within and around it. */
static void modes(pi_mem_type type, size_t width, size_t height, size_t depth, const char *kernel) {
  static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_FLOAT};
  static float pixels[4 * 128], at[MOST][4], got[MOST][4];
  const size_t count = width * height * depth;
  pi_image_desc desc = describe(type, width, height, depth);
  const picture picture = {pixels, {(long)width, (long)height, (long)depth}};
  for (size_t i = 0; i < 4 * count; i++)
    pixels[i] = (float)(i * 37 % 101);
  const pi_image_mem_handle memory = new_memory(&format, &desc, pixels);
  for (int normalized = 0; normalized < 2; normalized++)
    for (int linear = 0; linear < 2; linear++)
      for (pi_sampler_properties mode = PI_SAMPLER_ADDRESSING_MODE_NONE;
           mode <= PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT; mode++) {
        /* Pixel centres and exact binary fractions between them; also places far outside. */
        const bool outside = mode != PI_SAMPLER_ADDRESSING_MODE_NONE &&
                             (normalized || mode < PI_SAMPLER_ADDRESSING_MODE_REPEAT);
        for (size_t i = 0; i < MOST; i++)
          for (size_t axis = 0; axis < 3; axis++) {
            const float size = (float)picture.size[axis];
            const size_t step = i * (axis == 0 ? 7 : axis == 1 ? 11 : 13) % 64;
            const float inner = 0.5F + (size - 1) * (float)(step % 17) / 16;
            at[i][axis] = outside ? inner + size * ((float)(step % 5) - 2) : inner;
          }
        const pi_sampler sampler = new_sampler(mode, linear, normalized);
        const pi_image_handle image = new_image(memory, &format, &desc, sampler);
        static float scaled[MOST][4];
        for (size_t i = 0; i < MOST; i++)
          for (size_t axis = 0; axis < 3; axis++)
            scaled[i][axis] = normalized ? at[i][axis] / (float)picture.size[axis] : at[i][axis];
        read(kernel, image, scaled, got, MOST);
        for (size_t i = 0; i < MOST; i++) {
          float want[4];
          sample(&picture, mode, linear, at[i], want);
          char what[128];
          snprintf(what, sizeof what, "mode 0x%x%s%s at %g, %g, %g", (unsigned)mode,
                   linear ? " linear" : "", normalized ? " normalised" : "", (double)at[i][0],
                   (double)at[i][1], (double)at[i][2]);
          expect_near(want, got[i], linear, what);
        }
        free_image(image, sampler);
      }
  must(piextMemImageFree(w.context, w.device, memory));
}

TEXTURE_TEST(images_1d_are_sampled_in_all_modes) {
  modes(PI_MEM_TYPE_IMAGE1D, 16, 1, 1, "read_1d");
}

TEXTURE_TEST(images_2d_are_sampled_in_all_modes) {
  modes(PI_MEM_TYPE_IMAGE2D, 8, 4, 1, "read_2d");
}

TEXTURE_TEST(images_3d_are_sampled_in_all_modes) {
  modes(PI_MEM_TYPE_IMAGE3D, 8, 4, 2, "read_3d");
}

/* --- formats */

/* The texture returns the colour that was written as a pixel. */
TEXTURE_TEST(every_format_returns_its_colour) {
  static const float zero[1][4] = {{0.5F, 0.5F, 0, 0}};
  const float color[4] = {0, 1, 0.5F, -1};
  const uint32_t numbers[4] = {1, 20, 100, 127};
#define EACH_TYPE(type, size, kind)                                                                \
  {                                                                                                \
    pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_##type};          \
    pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 1, 1, 1);                                   \
    const bool is_float = image_kind_is_filtered(IMAGE_KIND_##kind);                               \
    image_pixel pixel;                                                                             \
    unsigned char bytes[IMAGE_PIXEL_MAX];                                                          \
    must(image_pixel_read(&format, &pixel));                                                       \
    image_pixel_encode(&pixel, is_float ? (const void *)color : (const void *)numbers, bytes);     \
    const pi_image_mem_handle memory = new_memory(&format, &desc, bytes);                          \
    const pi_sampler sampler =                                                                     \
        new_sampler(PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE, false, false);                       \
    const pi_image_handle image = new_image(memory, &format, &desc, sampler);                      \
    float got[1][4];                                                                               \
    uint32_t got_numbers[1][4];                                                                    \
    if (is_float) {                                                                                \
      read("read_2d", image, zero, got, 1);                                                        \
      for (int i = 0; i < 4; i++) {                                                                \
        const float want = IMAGE_KIND_##kind == IMAGE_KIND_UNORM && color[i] < 0 ? 0 : color[i];   \
        if (!(fabsf(got[0][i] - want) < 0.005F))                                                   \
          fail_msg(#type " gives %g for %g", (double)got[0][i], (double)want);                     \
      }                                                                                            \
    } else {                                                                                       \
      read("read_2d_u", image, zero, got_numbers, 1);                                              \
      assert_memory_equal(got_numbers[0], numbers, sizeof numbers);                                \
    }                                                                                              \
    free_image(image, sampler);                                                                    \
    must(piextMemImageFree(w.context, w.device, memory));                                          \
  }
  IMAGE_TYPES(EACH_TYPE)
#undef EACH_TYPE
}

/* --- levels, layers, plain memory */

TEXTURE_TEST(levels_are_chosen_and_mixed) {
  static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_FLOAT};
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 4, 4, 1);
  desc.num_mip_levels = 3;
  pi_image_mem_handle memory = NULL;
  must(piextMemImageAllocate(w.context, w.device, &format, &desc, &memory));
  for (unsigned i = 0; i < 3; i++) {
    pi_image_mem_handle level = NULL;
    float pixels[16];
    for (int k = 0; k < 16; k++)
      pixels[k] = 10.0F * (float)i;
    must(piextMemMipmapGetLevel(w.context, w.device, memory, i, &level));
    struct pi_image_offset_struct origin = {0, 0, 0};
    struct pi_image_region_struct size = {(size_t)4 >> i, (size_t)4 >> i, 1};
    must(piextMemImageCopy(w.queue, level, pixels, &format, &desc, PI_IMAGE_COPY_HOST_TO_DEVICE,
                           &origin, &origin, &size, &size, 0, NULL, NULL));
    must(piQueueFinish(w.queue));
  }
  const float at[5][4] = {
      {0.5F, 0.5F, 0}, {0.5F, 0.5F, 1}, {0.5F, 0.5F, 2}, {0.5F, 0.5F, 0.5F}, {0.5F, 0.5F, 9}};
  for (int linear = 0; linear < 2; linear++) {
    const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                                                PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE,
                                                PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                                PI_SAMPLER_FILTER_MODE_LINEAR,
                                                PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE,
                                                linear ? PI_SAMPLER_FILTER_MODE_LINEAR
                                                       : PI_SAMPLER_FILTER_MODE_NEAREST,
                                                0};
    /* The second sampler's clamp leaves out the last level. */
    for (int clamped = 0; clamped < 2; clamped++) {
      pi_sampler sampler = NULL;
      float got[5][4];
      must(piextBindlessImageSamplerCreate(w.context, properties, 0, clamped ? 1 : 8, 0, &sampler));
      const pi_image_handle image = new_image(memory, &format, &desc, sampler);
      read("read_level", image, at, got, 5);
      assert_true(got[0][0] == 0 && got[1][0] == 10);
      assert_true(got[2][0] == (clamped ? 10 : 20) && got[4][0] == (clamped ? 10 : 20));
      if (linear)
        assert_true(fabsf(got[3][0] - 5) < 0.1F);
      else
        assert_true(got[3][0] == 0 || got[3][0] == 10);
      free_image(image, sampler);
    }
  }
  must(piextMemMipmapFree(w.context, w.device, memory));
}

TEXTURE_TEST(each_layer_is_read) {
  static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_FLOAT};
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE1D_ARRAY, 4, 1, 3);
  const float pixels[12] = {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23};
  struct {
    uint32_t layer;
    float x, unused[2];
  } at[12];
  float got[12][4];
  for (uint32_t i = 0; i < 12; i++) {
    at[i].layer = i / 4;
    at[i].x = (float)(i % 4) + 0.5F;
  }
  const pi_image_mem_handle memory = new_memory(&format, &desc, pixels);
  const pi_sampler sampler = new_sampler(PI_SAMPLER_ADDRESSING_MODE_CLAMP, false, false);
  const pi_image_handle image = new_image(memory, &format, &desc, sampler);
  read("read_layer", image, at, got, 12);
  for (int i = 0; i < 12; i++)
    assert_true(got[i][0] == pixels[i]);
  free_image(image, sampler);
  must(piextMemImageFree(w.context, w.device, memory));
}

TEXTURE_TEST(plain_memory_is_sampled) {
  static pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_R, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32};
  void *memory = NULL;
  size_t pitch = 0;
  must(piextUSMPitchedAlloc(&memory, &pitch, w.context, w.device, NULL, 32, 4, 4));
  uint32_t pixels[32], got[32][4];
  for (uint32_t i = 0; i < 32; i++)
    pixels[i] = 1000 + i;
  must(piextUSMEnqueueMemcpy2D(w.queue, PI_TRUE, memory, pitch, pixels, 32, 32, 4, 0, NULL, NULL));
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 1);
  desc.image_row_pitch = pitch;
  float at[32][4];
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 8; x++) {
      at[8 * y + x][0] = (float)x + 0.5F;
      at[8 * y + x][1] = (float)y + 0.5F;
    }
  pi_sampler sampler = new_sampler(PI_SAMPLER_ADDRESSING_MODE_CLAMP, false, false);
  pi_image_handle image = new_image(memory, &format, &desc, sampler);
  read("read_2d_u", image, at, got, 32);
  for (int i = 0; i < 32; i++)
    assert_int_equal(got[i][0], pixels[i]);
  free_image(image, sampler);

  pi_image_desc line = describe(PI_MEM_TYPE_IMAGE1D, 8, 1, 1);
  int32_t places[8][4];
  for (int i = 0; i < 8; i++)
    places[i][0] = 7 - i;
  sampler = new_sampler(PI_SAMPLER_ADDRESSING_MODE_CLAMP, false, false);
  image = new_image(memory, &format, &line, sampler);
  read("read_line", image, places, got, 8);
  for (int i = 0; i < 8; i++)
    assert_int_equal(got[i][0], pixels[7 - i]);
  free_image(image, sampler);
  must(piextUSMFree(w.context, memory));
}

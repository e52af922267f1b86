/* Images and samplers of the fake Level Zero driver: formats, shapes, copies, kernels. */
#include "code.h"

#include "../../../test/support/embed.h"

#include <stdlib.h>
#include <string.h>

SPECPI_EMBED(images_il, "images.spv")

static ze_module_handle_t module;

static int begin(void **state) {
  code_begin(state);
  module = code_module(images_il_begin, SPECPI_EMBED_SIZE(images_il));
  return 0;
}

static int end(void **state) {
  assert_fine(zeModuleDestroy(module));
  return code_end(state);
}

#define FORMAT(layout_, type_, x_, y_, z_, w_)                                                     \
  (ze_image_format_t) {                                                                            \
    .layout = ZE_IMAGE_FORMAT_LAYOUT_##layout_, .type = ZE_IMAGE_FORMAT_TYPE_##type_,              \
    .x = ZE_IMAGE_FORMAT_SWIZZLE_##x_, .y = ZE_IMAGE_FORMAT_SWIZZLE_##y_,                          \
    .z = ZE_IMAGE_FORMAT_SWIZZLE_##z_, .w = ZE_IMAGE_FORMAT_SWIZZLE_##w_                           \
  }

/* Describes a writable image. Sizes that the type lacks are 0. */
static ze_image_desc_t describe(ze_image_type_t type, ze_image_format_t format, uint32_t width,
                                uint32_t height, uint32_t depth, uint32_t layers) {
  return (ze_image_desc_t){.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
                           .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
                           .type = type,
                           .format = format,
                           .width = width,
                           .height = height,
                           .depth = depth,
                           .arraylevels = layers};
}

static ze_image_handle_t make(const ze_image_desc_t *desc) {
  ze_image_handle_t image = NULL;
  assert_fine(zeImageCreate(world.context, world.device, desc, &image));
  return image;
}

/* Copies bytes through an image, a kernel and a second image, and checks that they are unchanged.
 */
static void expect_round(const char *kernel_name, const ze_image_desc_t *desc, uint32_t rows,
                         uint32_t slices, size_t pixel) {
  const size_t size = desc->width * rows * slices * pixel;
  ze_image_handle_t from = make(desc);
  ze_image_handle_t to = make(desc);
  unsigned char *in = malloc(size);
  unsigned char *out = calloc(1, size);
  for (size_t i = 0; i < size; i++)
    in[i] = (unsigned char)(i * 31 + 7);
  assert_fine(zeCommandListAppendImageCopyFromMemory(world.list, from, in, NULL, NULL, 0, NULL));
  ze_kernel_handle_t kernel = code_kernel(module, kernel_name);
  code_set(kernel, 0, from);
  code_set(kernel, 1, to);
  assert_fine(zeKernelSetGroupSize(kernel, 1, 1, 1));
  const ze_group_count_t groups = {(uint32_t)desc->width, rows, slices};
  assert_fine(zeCommandListAppendLaunchKernel(world.list, kernel, &groups, NULL, 0, NULL));
  assert_fine(zeCommandListAppendImageCopyToMemory(world.list, out, to, NULL, NULL, 0, NULL));
  assert_memory_equal(in, out, size);
  free(in);
  free(out);
  assert_fine(zeKernelDestroy(kernel));
  assert_fine(zeImageDestroy(from));
  assert_fine(zeImageDestroy(to));
}

TEST(images_of_every_shape_are_copied_unchanged) {
  const ze_image_format_t four = FORMAT(8_8_8_8, UINT, R, G, B, A);
  const ze_image_format_t one = FORMAT(32, UINT, R, 0, 0, 1);
  const ze_image_format_t wide = FORMAT(32_32_32_32, UINT, R, G, B, A);
  ze_image_desc_t desc = describe(ZE_IMAGE_TYPE_1D, four, 13, 0, 0, 0);
  expect_round("copy_1d", &desc, 1, 1, 4);
  desc = describe(ZE_IMAGE_TYPE_1DARRAY, wide, 7, 0, 0, 5);
  expect_round("copy_1d_array", &desc, 5, 1, 16);
  desc = describe(ZE_IMAGE_TYPE_2D, one, 17, 3, 0, 0);
  expect_round("copy_2d", &desc, 3, 1, 4);
  desc = describe(ZE_IMAGE_TYPE_2D, FORMAT(16_16, UINT, R, G, 0, 1), 5, 4, 0, 0);
  expect_round("copy_2d", &desc, 4, 1, 4);
  desc = describe(ZE_IMAGE_TYPE_2D, FORMAT(8, UINT, R, 0, 0, 1), 5, 4, 0, 0);
  expect_round("copy_2d", &desc, 4, 1, 1);
  desc = describe(ZE_IMAGE_TYPE_2DARRAY, four, 5, 3, 0, 4);
  expect_round("copy_2d_array", &desc, 3, 4, 4);
  desc = describe(ZE_IMAGE_TYPE_3D, wide, 5, 3, 4, 0);
  expect_round("copy_3d", &desc, 3, 4, 16);
}

TEST(regions_are_copied_to_their_places) {
  const ze_image_desc_t desc = describe(ZE_IMAGE_TYPE_3D, FORMAT(32, UINT, R, 0, 0, 1), 6, 5, 4, 0);
  ze_image_handle_t image = make(&desc);
  ze_image_handle_t other = make(&desc);
  uint32_t whole[4][5][6];
  memset(whole, 0, sizeof whole);
  assert_fine(
      zeCommandListAppendImageCopyFromMemory(world.list, image, whole, NULL, NULL, 0, NULL));
  const ze_image_region_t box = {1, 2, 1, 3, 2, 2};
  uint32_t part[12];
  for (uint32_t i = 0; i < 12; i++)
    part[i] = 100 + i;
  assert_fine(zeCommandListAppendImageCopyFromMemory(world.list, image, part, &box, NULL, 0, NULL));
  assert_fine(zeCommandListAppendImageCopyToMemory(world.list, whole, image, NULL, NULL, 0, NULL));
  for (uint32_t z = 0; z < 4; z++)
    for (uint32_t y = 0; y < 5; y++)
      for (uint32_t x = 0; x < 6; x++) {
        const bool inside = x >= 1 && x < 4 && y >= 2 && y < 4 && z >= 1 && z < 3;
        assert_int_equal(whole[z][y][x], inside ? 100 + (z - 1) * 6 + (y - 2) * 3 + (x - 1) : 0);
      }
  /* Copies to another place in another image, then to memory with gaps between rows and slices. */
  const ze_image_region_t there = {3, 0, 2, 3, 2, 2};
  assert_fine(
      zeCommandListAppendImageCopyRegion(world.list, other, image, &there, &box, NULL, 0, NULL));
  uint32_t gaps[2][3][4];
  memset(gaps, 0xff, sizeof gaps);
  assert_fine(zeCommandListAppendImageCopyToMemoryExt(world.list, gaps, other, &there, 16, 48, NULL,
                                                      0, NULL));
  for (uint32_t z = 0; z < 2; z++)
    for (uint32_t y = 0; y < 3; y++)
      for (uint32_t x = 0; x < 4; x++)
        assert_int_equal(gaps[z][y][x], y < 2 && x < 3 ? 100 + z * 6 + y * 3 + x : UINT32_MAX);
  gaps[1][1][2] = 5;
  assert_fine(zeCommandListAppendImageCopyFromMemoryExt(world.list, image, gaps, &box, 16, 48, NULL,
                                                        0, NULL));
  assert_fine(zeCommandListAppendImageCopyToMemory(world.list, part, image, &box, NULL, 0, NULL));
  assert_true(part[0] == 100 && part[11] == 5);
  assert_fine(zeCommandListAppendImageCopy(world.list, other, image, NULL, 0, NULL));
  assert_fine(zeCommandListAppendImageCopyToMemory(world.list, part, other, &box, NULL, 0, NULL));
  assert_true(part[0] == 100 && part[11] == 5);
  assert_fine(zeImageDestroy(image));
  assert_fine(zeImageDestroy(other));
}

TEST(images_are_filled_from_device_memory) {
  const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_image_desc_t desc = describe(ZE_IMAGE_TYPE_2D, FORMAT(8, UINT, R, 0, 0, 1), 4, 4, 0, 0);
  ze_image_handle_t image = make(&desc);
  void *memory = NULL;
  assert_fine(zeMemAllocDevice(world.context, &device, 16, 16, world.device, &memory));
  unsigned char bytes[16];
  for (int i = 0; i < 16; i++)
    bytes[i] = (unsigned char)i;
  assert_fine(zeCommandListAppendMemoryCopy(world.list, memory, bytes, 16, NULL, 0, NULL));
  assert_fine(
      zeCommandListAppendImageCopyFromMemory(world.list, image, memory, NULL, NULL, 0, NULL));
  memset(bytes, 0, sizeof bytes);
  assert_fine(zeCommandListAppendImageCopyToMemory(world.list, bytes, image, NULL, NULL, 0, NULL));
  for (int i = 0; i < 16; i++)
    assert_int_equal(bytes[i], i);
  /* One byte too few. */
  assert_ze(zeCommandListAppendImageCopyFromMemory(world.list, image, (char *)memory + 1, NULL,
                                                   NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_SIZE);
  code_free(memory);
  assert_fine(zeImageDestroy(image));
}

TEST(wrong_copies_are_refused) {
  const ze_image_desc_t desc = describe(ZE_IMAGE_TYPE_2D, FORMAT(8, UINT, R, 0, 0, 1), 4, 4, 0, 0);
  const ze_image_desc_t large =
      describe(ZE_IMAGE_TYPE_2D, FORMAT(32, UINT, R, 0, 0, 1), 4, 4, 0, 0);
  ze_image_handle_t image = make(&desc);
  ze_image_handle_t other = make(&large);
  unsigned char bytes[16];
  static const ze_image_region_t wrong[] = {
      {1, 0, 0, 4, 1, 1}, {0, 1, 0, 1, 4, 1}, {0, 0, 1, 1, 1, 1}, {UINT32_MAX, 0, 0, 2, 1, 1},
      {0, 0, 0, 0, 1, 1}, {0, 0, 0, 1, 0, 1}, {0, 0, 0, 1, 1, 0}, {0, 0, 0, 1, 1, UINT32_MAX},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    assert_ze(
        zeCommandListAppendImageCopyToMemory(world.list, bytes, image, &wrong[i], NULL, 0, NULL),
        ZE_RESULT_ERROR_INVALID_SIZE);
  const ze_image_region_t two = {0, 0, 0, 2, 2, 1}, near = {1, 1, 0, 2, 2, 1};
  const ze_image_region_t row = {0, 0, 0, 4, 1, 1};
  assert_ze(
      zeCommandListAppendImageCopyRegion(world.list, image, image, &two, &near, NULL, 0, NULL),
      ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
  assert_ze(zeCommandListAppendImageCopyRegion(world.list, image, image, &two, &row, NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_SIZE);
  assert_ze(zeCommandListAppendImageCopy(world.list, image, other, NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_ze(
      zeCommandListAppendImageCopyToMemoryExt(world.list, bytes, image, NULL, 3, 0, NULL, 0, NULL),
      ZE_RESULT_ERROR_INVALID_SIZE);
  assert_ze(zeCommandListAppendImageCopyToMemory(world.list, NULL, image, NULL, NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  assert_fine(zeImageDestroy(other));
  assert_ze(zeCommandListAppendImageCopy(world.list, image, other, NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_fine(zeImageDestroy(image));
}

TEST(wrong_descriptors_are_refused) {
  ze_image_handle_t image = NULL;
  const ze_image_format_t fine = FORMAT(8_8_8_8, UNORM, R, G, B, A);
  struct {
    ze_image_desc_t desc;
    ze_result_t code;
  } rows[] = {
      {describe(ZE_IMAGE_TYPE_2D, FORMAT(10_10_10_2, UNORM, R, G, B, A), 4, 4, 0, 0),
       ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT},
      {describe(ZE_IMAGE_TYPE_2D, FORMAT(NV12, UNORM, R, G, B, A), 4, 4, 0, 0),
       ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT},
      {describe(ZE_IMAGE_TYPE_2D, FORMAT(8, FLOAT, R, 0, 0, 1), 4, 4, 0, 0),
       ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT},
      {describe(ZE_IMAGE_TYPE_2D, FORMAT(8_8_8_8, UINT, B, R, G, A), 4, 4, 0, 0),
       ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT},
      /* OpenCL has this channel order, but its device does not support it. */
      {describe(ZE_IMAGE_TYPE_2D, FORMAT(32_32_32_32, FLOAT, G, B, A, R), 4, 4, 0, 0),
       ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT},
      {describe(ZE_IMAGE_TYPE_2D, fine, 0, 4, 0, 0), ZE_RESULT_ERROR_INVALID_SIZE},
      {describe(ZE_IMAGE_TYPE_2D, fine, 4, 0, 0, 0), ZE_RESULT_ERROR_INVALID_SIZE},
      {describe(ZE_IMAGE_TYPE_3D, fine, 4, 4, 0, 0), ZE_RESULT_ERROR_INVALID_SIZE},
      {describe(ZE_IMAGE_TYPE_2DARRAY, fine, 4, 4, 0, 0), ZE_RESULT_ERROR_INVALID_SIZE},
      {describe(ZE_IMAGE_TYPE_2D, fine, 16385, 4, 0, 0), ZE_RESULT_ERROR_UNSUPPORTED_SIZE},
      {describe(ZE_IMAGE_TYPE_3D, fine, 4, 4, 2049, 0), ZE_RESULT_ERROR_UNSUPPORTED_SIZE},
      {describe(ZE_IMAGE_TYPE_1DARRAY, fine, 4, 0, 0, 2049), ZE_RESULT_ERROR_UNSUPPORTED_SIZE},
      {describe(ZE_IMAGE_TYPE_BUFFER, fine, 64, 0, 0, 0), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE},
      {describe((ze_image_type_t)9, fine, 64, 1, 1, 1), ZE_RESULT_ERROR_INVALID_ENUMERATION},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_ze(zeImageCreate(world.context, world.device, &rows[i].desc, &image), rows[i].code);
  assert_null(image);
  ze_image_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES};
  ze_image_desc_t desc = describe(ZE_IMAGE_TYPE_2D, fine, 4, 4, 0, 0);
  assert_fine(zeImageGetProperties(world.device, &desc, &properties));
  assert_int_equal(properties.samplerFilterFlags,
                   ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT | ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR);
  desc.format = FORMAT(8_8_8_8, UINT, R, G, B, A);
  assert_fine(zeImageGetProperties(world.device, &desc, &properties));
  assert_int_equal(properties.samplerFilterFlags, ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT);
}

/* Reads a point of a 2 * 2 image with a sampler. */
static void sample(ze_image_handle_t image, ze_sampler_address_mode_t mode,
                   ze_sampler_filter_mode_t filter, bool normalized, float x, float y,
                   float ret[4]) {
  const ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
                                  .addressMode = mode,
                                  .filterMode = filter,
                                  .isNormalized = normalized};
  ze_sampler_handle_t sampler = NULL;
  assert_fine(zeSamplerCreate(world.context, world.device, &desc, &sampler));
  ze_kernel_handle_t kernel = code_kernel(module, "sample");
  float *out = code_memory(4 * sizeof *out);
  const float where[2] = {x, y};
  code_set(kernel, 0, image);
  code_set(kernel, 1, sampler);
  code_set(kernel, 2, where);
  code_set(kernel, 3, out);
  code_launch(kernel, 1, 1);
  memcpy(ret, out, 4 * sizeof *out);
  code_free(out);
  assert_fine(zeKernelDestroy(kernel));
  assert_fine(zeSamplerDestroy(sampler));
}

static void expect_color(const float color[4], float r, float g, float b, float a) {
  const float expected[4] = {r, g, b, a};
  for (int i = 0; i < 4; i++)
    assert_float_equal(color[i], expected[i], 1e-3F);
}

TEST(every_sampler_mode_reads_the_right_color) {
  ze_image_desc_t desc =
      describe(ZE_IMAGE_TYPE_2D, FORMAT(32_32_32_32, FLOAT, R, G, B, A), 2, 2, 0, 0);
  desc.flags = 0;
  ze_image_handle_t image = make(&desc);
  const float texels[4][4] = {{1, 0, 0, 1}, {2, 0, 0, 1}, {3, 0, 0, 1}, {4, 0, 0, 1}};
  assert_fine(
      zeCommandListAppendImageCopyFromMemory(world.list, image, texels, NULL, NULL, 0, NULL));
  float color[4];
  sample(image, ZE_SAMPLER_ADDRESS_MODE_NONE, ZE_SAMPLER_FILTER_MODE_NEAREST, false, 1.5F, 0.5F,
         color);
  expect_color(color, 2, 0, 0, 1);
  sample(image, ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_NEAREST, false, 9, 9, color);
  expect_color(color, 4, 0, 0, 1);
  sample(image, ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, ZE_SAMPLER_FILTER_MODE_NEAREST, false, 9,
         9, color);
  expect_color(color, 0, 0, 0, 0);
  sample(image, ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_LINEAR, false, 1, 1, color);
  expect_color(color, 2.5F, 0, 0, 1);
  sample(image, ZE_SAMPLER_ADDRESS_MODE_REPEAT, ZE_SAMPLER_FILTER_MODE_NEAREST, true, 1.25F, 0.75F,
         color);
  expect_color(color, 3, 0, 0, 1);
  sample(image, ZE_SAMPLER_ADDRESS_MODE_MIRROR, ZE_SAMPLER_FILTER_MODE_NEAREST, true, 1.25F, 0.25F,
         color);
  expect_color(color, 2, 0, 0, 1);
  assert_fine(zeImageDestroy(image));
  const ze_sampler_desc_t bad = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
                                 .addressMode = (ze_sampler_address_mode_t)5};
  ze_sampler_handle_t sampler = NULL;
  assert_ze(zeSamplerCreate(world.context, world.device, &bad, &sampler),
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

TEST(swizzles_reorder_the_channels) {
  const uint8_t bytes[16] = {51, 102, 153, 204};
  const struct {
    ze_image_format_t format;
    float color[4];
  } rows[] = {
      {FORMAT(8_8_8_8, UNORM, R, G, B, A), {0.2F, 0.4F, 0.6F, 0.8F}},
      {FORMAT(8_8_8_8, UNORM, B, G, R, A), {0.6F, 0.4F, 0.2F, 0.8F}},
      {FORMAT(8_8, UNORM, R, G, 0, 1), {0.2F, 0.4F, 0, 1}},
      {FORMAT(8, UNORM, R, 0, 0, 1), {0.2F, 0, 0, 1}},
      {FORMAT(8, UNORM, 0, 0, 0, R), {0, 0, 0, 0.2F}},
      {FORMAT(8, UNORM, R, X, X, X), {0.2F, 0, 0, 1}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    ze_image_desc_t desc = describe(ZE_IMAGE_TYPE_2D, rows[i].format, 2, 2, 0, 0);
    desc.flags = 0;
    ze_image_handle_t image = make(&desc);
    const ze_image_region_t one = {0, 0, 0, 1, 1, 1};
    assert_fine(
        zeCommandListAppendImageCopyFromMemory(world.list, image, bytes, &one, NULL, 0, NULL));
    float color[4];
    sample(image, ZE_SAMPLER_ADDRESS_MODE_NONE, ZE_SAMPLER_FILTER_MODE_NEAREST, false, 0.5F, 0.5F,
           color);
    expect_color(color, rows[i].color[0], rows[i].color[1], rows[i].color[2], rows[i].color[3]);
    assert_fine(zeImageDestroy(image));
  }
}

TEST(wrong_image_arguments_are_refused) {
  const ze_image_format_t format = FORMAT(8_8_8_8, UINT, R, G, B, A);
  ze_image_desc_t desc = describe(ZE_IMAGE_TYPE_2D, format, 4, 4, 0, 0);
  ze_image_handle_t image = make(&desc);
  desc.flags = 0;
  ze_image_handle_t read_only = make(&desc);
  desc = describe(ZE_IMAGE_TYPE_2DARRAY, format, 4, 4, 0, 1);
  ze_image_handle_t array = make(&desc);
  ze_kernel_handle_t kernel = code_kernel(module, "copy_2d");
  code_set(kernel, 0, read_only);
  assert_ze(zeKernelSetArgumentValue(kernel, 1, sizeof read_only, &read_only),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_ze(zeKernelSetArgumentValue(kernel, 0, sizeof array, &array),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_ze(zeKernelSetArgumentValue(kernel, 0, sizeof image, NULL),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_ze(zeKernelSetArgumentValue(kernel, 0, sizeof kernel, &kernel),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_ze(zeKernelSetArgumentValue(kernel, 0, 4, &image),
            ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  code_set(kernel, 1, image);
  assert_fine(zeImageDestroy(image));
  const ze_group_count_t groups = {4, 4, 1};
  assert_fine(zeKernelSetGroupSize(kernel, 1, 1, 1));
  assert_ze(zeCommandListAppendLaunchKernel(world.list, kernel, &groups, NULL, 0, NULL),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_fine(zeKernelDestroy(kernel));
  assert_fine(zeImageDestroy(read_only));
  assert_fine(zeImageDestroy(array));
}

TEST(a_view_shares_its_images_memory) {
  ze_image_desc_t desc = describe(ZE_IMAGE_TYPE_2D, FORMAT(32, UINT, R, 0, 0, 1), 2, 2, 0, 0);
  ze_image_handle_t image = make(&desc);
  desc.format = FORMAT(8_8_8_8, UNORM, R, G, B, A);
  ze_image_handle_t view = NULL;
  assert_fine(zeImageViewCreateExp(world.context, world.device, &desc, image, &view));
  const uint32_t texels[4] = {0xff0000ff, 0, 0, 0};
  assert_fine(
      zeCommandListAppendImageCopyFromMemory(world.list, image, texels, NULL, NULL, 0, NULL));
  /* The memory lives as long as the image or its view. */
  assert_fine(zeImageDestroy(image));
  float color[4];
  sample(view, ZE_SAMPLER_ADDRESS_MODE_NONE, ZE_SAMPLER_FILTER_MODE_NEAREST, false, 0.5F, 0.5F,
         color);
  expect_color(color, 1, 0, 0, 1);
  ze_image_handle_t second = NULL;
  desc.width = 3;
  assert_ze(zeImageViewCreateExp(world.context, world.device, &desc, view, &second),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ze_image_memory_properties_exp_t memory = {.stype =
                                                 ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES};
  assert_fine(zeImageGetMemoryPropertiesExp(view, &memory));
  assert_true(memory.rowPitch >= 8 && memory.size >= 2 * memory.rowPitch);
  ze_image_allocation_ext_properties_t allocation = {
      .stype = ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES};
  assert_fine(zeImageGetAllocPropertiesExt(world.context, view, &allocation));
  assert_true(allocation.id != 0);
  assert_fine(zeContextMakeImageResident(world.context, world.device, view));
  assert_fine(zeContextEvictImage(world.context, world.device, view));
  assert_fine(zeImageDestroy(view));
}

int main(void) {
  return tests_run(begin, end);
}

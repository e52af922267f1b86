/* Sizes of images in descriptions and in CUDA arrays. */
#include "../../plugins/cuda/image_shape.h"
#include "../support/tests.h"

#include "../../plugins/cuda/image_transfer.h"

#include <string.h>

static const pi_image_format rgba = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_FLOAT};
static image_pixel pixel;
static struct pi_device_object device;

/* All limits differ, so that a test notices when the code mistakes one for another. */
static CUresult CUDAAPI attribute(int *value, CUdevice_attribute which, CUdevice ordinal) {
  (void)ordinal;
  switch (which) {
#define LIMIT(name, limit)                                                                         \
  case CU_DEVICE_ATTRIBUTE_MAXIMUM_##name:                                                         \
    *value = limit;                                                                                \
    return CUDA_SUCCESS;
    LIMIT(SURFACE1D_WIDTH, 100)
    LIMIT(SURFACE2D_WIDTH, 90)
    LIMIT(SURFACE2D_HEIGHT, 80)
    LIMIT(SURFACE3D_WIDTH, 70)
    LIMIT(SURFACE3D_HEIGHT, 60)
    LIMIT(SURFACE3D_DEPTH, 50)
    LIMIT(SURFACE1D_LAYERED_WIDTH, 40)
    LIMIT(SURFACE1D_LAYERED_LAYERS, 30)
    LIMIT(SURFACE2D_LAYERED_WIDTH, 25)
    LIMIT(SURFACE2D_LAYERED_HEIGHT, 20)
    LIMIT(SURFACE2D_LAYERED_LAYERS, 15)
    LIMIT(SURFACECUBEMAP_WIDTH, 10)
#undef LIMIT
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

static int set_up(void **state) {
  (void)state;
  cu.DeviceGetAttribute = attribute;
  return image_pixel_read(&rgba, &pixel) == PI_SUCCESS ? 0 : -1;
}

static pi_image_desc describe(pi_mem_type type, size_t width, size_t height, size_t depth,
                              size_t layers) {
  return (pi_image_desc){.image_type = type,
                         .image_width = width,
                         .image_height = height,
                         .image_depth = depth,
                         .image_array_size = layers};
}

static pi_result read(pi_mem_type type, size_t width, size_t height, size_t depth, size_t layers) {
  const pi_image_desc desc = describe(type, width, height, depth, layers);
  image_shape shape;
  return image_shape_read(&device, &desc, &pixel, &shape);
}

/* A size at the limit fits; one more is refused. */
TEST(sizes_beyond_a_limit_are_refused) {
  assert_int_equal(read(PI_MEM_TYPE_IMAGE1D, 100, 0, 0, 0), PI_SUCCESS);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE1D, 101, 0, 0, 0), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE2D, 90, 80, 0, 0), PI_SUCCESS);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE2D, 91, 80, 0, 0), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE2D, 90, 81, 0, 0), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE3D, 70, 60, 50, 0), PI_SUCCESS);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE3D, 71, 60, 50, 0), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE3D, 70, 61, 50, 0), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE3D, 70, 60, 51, 0), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE1D_ARRAY, 40, 0, 0, 30), PI_SUCCESS);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE1D_ARRAY, 41, 0, 0, 30), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE1D_ARRAY, 40, 0, 0, 31), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE2D_ARRAY, 25, 20, 0, 15), PI_SUCCESS);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE2D_ARRAY, 26, 20, 0, 15), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE2D_ARRAY, 25, 21, 0, 15), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE2D_ARRAY, 25, 20, 0, 16), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE_CUBEMAP, 10, 10, 0, 6), PI_SUCCESS);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE_CUBEMAP, 11, 11, 0, 6), PI_ERROR_INVALID_IMAGE_SIZE);
}

TEST(hostile_sizes_are_refused) {
  const pi_result bad = PI_ERROR_INVALID_IMAGE_DESCRIPTOR;
  assert_int_equal(read(PI_MEM_TYPE_IMAGE1D, 0, 1, 1, 1), bad);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE2D, 0, 8, 0, 0), bad);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE2D, 8, 0, 0, 0), bad);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE3D, 8, 8, 0, 0), bad);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE1D_ARRAY, 8, 8, 8, 0), bad);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE2D_ARRAY, 8, 8, 8, 0), bad);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE_CUBEMAP, 8, 9, 0, 6), bad);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE_CUBEMAP, 8, 8, 0, 5), bad);
  assert_int_equal(read(PI_MEM_TYPE_BUFFER, 8, 8, 8, 0), bad);
  assert_int_equal(read((pi_mem_type)0x7777, 8, 8, 8, 0), bad);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE1D_BUFFER, 8, 0, 0, 0), PI_ERROR_UNSUPPORTED_FEATURE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE2D, SIZE_MAX, 2, 0, 0), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE3D, SIZE_MAX / 16, 2, 1, 0), PI_ERROR_INVALID_IMAGE_SIZE);
  assert_int_equal(read(PI_MEM_TYPE_IMAGE3D, (size_t)1 << 22, (size_t)1 << 22, (size_t)1 << 22, 0),
                   PI_ERROR_INVALID_IMAGE_SIZE);
  /* Where the device has no limit, the size of memory is the limit. */
  const pi_image_desc huge = describe(PI_MEM_TYPE_IMAGE2D, SIZE_MAX / 32, 2, 0, 0);
  image_shape shape;
  assert_int_equal(image_shape_read(NULL, &huge, &pixel, &shape), PI_ERROR_INVALID_IMAGE_SIZE);
}

TEST(other_members_are_checked) {
  image_shape shape = {.width = 99};
  pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE2D, 8, 4, 7, 7);
  desc.num_samples = 2;
  assert_int_equal(image_shape_read(&device, &desc, &pixel, &shape),
                   PI_ERROR_INVALID_IMAGE_DESCRIPTOR);
  desc.num_samples = 1;
  desc.buffer = (pi_mem)&desc;
  assert_int_equal(image_shape_read(&device, &desc, &pixel, &shape), PI_ERROR_UNSUPPORTED_FEATURE);
  assert_int_equal(image_shape_read(&device, NULL, &pixel, &shape),
                   PI_ERROR_INVALID_IMAGE_DESCRIPTOR);
  assert_int_equal(shape.width, 99);
  desc.buffer = NULL;
  assert_int_equal(image_shape_read(&device, &desc, &pixel, &shape), PI_SUCCESS);
  assert_int_equal(shape.depth, 1);
  assert_int_equal(shape.size, 8 * 4 * 16);
}

/* Converts a shape to the description of its array, and back to a shape. */
TEST(a_shape_survives_its_array) {
  static const struct {
    size_t width, height, depth; /* of the array; 0 where it has none */
    pi_mem_type type;
    unsigned flags;
  } cases[] = {
      {9, 0, 0, PI_MEM_TYPE_IMAGE1D, 0},
      {9, 8, 0, PI_MEM_TYPE_IMAGE2D, 0},
      {9, 8, 7, PI_MEM_TYPE_IMAGE3D, 0},
      {9, 0, 7, PI_MEM_TYPE_IMAGE1D_ARRAY, CUDA_ARRAY3D_LAYERED},
      {9, 8, 7, PI_MEM_TYPE_IMAGE2D_ARRAY, CUDA_ARRAY3D_LAYERED},
      {8, 8, 6, PI_MEM_TYPE_IMAGE_CUBEMAP, CUDA_ARRAY3D_CUBEMAP},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const pi_image_desc desc =
        describe(cases[i].type, cases[i].width, cases[i].height, cases[i].depth, cases[i].depth);
    image_form form = {.pixel = pixel};
    image_shape again;
    memset(&again, 0, sizeof again);
    assert_int_equal(image_shape_read(&device, &desc, &pixel, &form.shape), PI_SUCCESS);
    const CUDA_ARRAY3D_DESCRIPTOR array = image_array_descriptor(&form);
    assert_int_equal(array.Width, cases[i].width);
    assert_int_equal(array.Height, cases[i].height);
    assert_int_equal(array.Depth, cases[i].depth);
    assert_int_equal(array.Flags, cases[i].flags | CUDA_ARRAY3D_SURFACE_LDST);
    assert_int_equal(array.Format, CU_AD_FORMAT_FLOAT);
    assert_int_equal(array.NumChannels, 4);
    assert_int_equal(image_shape_of_array(&array, &pixel, &again), PI_SUCCESS);
    assert_int_equal(again.type, form.shape.type);
    assert_int_equal(again.size, form.shape.size);
  }
  image_shape shape;
  const CUDA_ARRAY3D_DESCRIPTOR several = {
      .Width = 8,
      .Height = 8,
      .Depth = 12,
      .Flags = CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED,
  };
  assert_int_equal(image_shape_of_array(&several, &pixel, &shape), PI_ERROR_INVALID_MEM_OBJECT);
}

TEST(levels_halve_the_size) {
  const pi_image_desc desc = describe(PI_MEM_TYPE_IMAGE3D, 20, 7, 3, 0);
  image_shape shape;
  assert_int_equal(image_shape_read(&device, &desc, &pixel, &shape), PI_SUCCESS);
  assert_int_equal(image_level_limit(&shape), 5);
  static const size_t sizes[][3] = {{20, 7, 3}, {10, 3, 1}, {5, 1, 1}, {2, 1, 1}, {1, 1, 1}};
  for (unsigned i = 0; i < 5; i++) {
    const image_shape level = image_shape_of_level(&shape, i);
    assert_int_equal(level.width, sizes[i][0]);
    assert_int_equal(level.height, sizes[i][1]);
    assert_int_equal(level.depth, sizes[i][2]);
    assert_int_equal(level.size, 16 * sizes[i][0] * sizes[i][1] * sizes[i][2]);
  }
  /* The number of layers is the same at each level. */
  const pi_image_desc layered = describe(PI_MEM_TYPE_IMAGE2D_ARRAY, 4, 4, 0, 9);
  assert_int_equal(image_shape_read(&device, &layered, &pixel, &shape), PI_SUCCESS);
  assert_int_equal(image_level_limit(&shape), 3);
  assert_int_equal(image_shape_of_level(&shape, 2).depth, 9);
}

TEST(missing_pitches_are_computed) {
  const image_extent extent = {12, 5, 3};
  size_t row = 0, slice = 0, size = 0;
  assert_int_equal(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &row, &slice, &size), PI_SUCCESS);
  assert_int_equal(row, 12);
  assert_int_equal(slice, 60);
  assert_int_equal(size, 180);
  row = 20;
  slice = 0;
  assert_int_equal(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &row, &slice, &size), PI_SUCCESS);
  assert_int_equal(slice, 100);
  assert_int_equal(size, 2 * 100 + 4 * 20 + 12);
  row = 16;
  slice = 81;
  assert_int_equal(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &row, &slice, &size), PI_SUCCESS);
  assert_int_equal(size, 2 * 81 + 4 * 16 + 12);
  row = 11;
  slice = 0;
  assert_int_equal(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &row, &slice, &size),
                   PI_ERROR_INVALID_VALUE);
  row = 0;
  slice = 59;
  assert_int_equal(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &row, &slice, &size),
                   PI_ERROR_INVALID_VALUE);
  row = SIZE_MAX / 2;
  slice = 0;
  assert_int_equal(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &row, &slice, &size),
                   PI_ERROR_INVALID_VALUE);
  row = 0;
  slice = SIZE_MAX;
  assert_int_equal(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &row, &slice, &size),
                   PI_ERROR_INVALID_VALUE);
  row = SIZE_MAX / 4;
  slice = SIZE_MAX;
  assert_int_equal(image_pitches(PI_ERROR_INVALID_VALUE, &extent, &row, &slice, &size),
                   PI_ERROR_INVALID_VALUE);
}

int main(void) {
  return tests_run(set_up, NULL);
}

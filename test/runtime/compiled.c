/*
 * Images from specpi-cc, for OpenCL and for CUDA: the same constants, in the code or in a buffer,
 * are set in the same way with the same result.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

extern const pi_device_binaries_struct native_images;
extern const pi_device_binaries_struct emulate_images;

typedef struct inner {
  char tag;
  double weights[2];
} inner;

typedef struct outer {
  short first;
  inner parts[2];
  bool flag;
} outer;

enum { VALUES = 8 };

static int64_t bits_of(double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void check(specpi_bundle input, const int64_t *expected) {
  specpi_bundle executable = NULL;
  int64_t values[VALUES];
  must(specpiBundleBuild(input, NULL, &executable));
  support_run(executable, "shapes", values, VALUES);
  specpiBundleRelease(executable);
  for (size_t i = 0; i < VALUES; i++)
    if (values[i] != expected[i])
      fail_msg("value %zu is %lld, not %lld", i, (long long)values[i], (long long)expected[i]);
}

/* Returns whether the image is PTX; asserts that this is as SPECPI_TEST_CODE of cuda.cmake says. */
static bool is_ptx(specpi_image image) {
  static const unsigned char spirv[] = {0x03, 0x02, 0x23, 0x07};
  const char *expected = getenv("SPECPI_TEST_CODE");
  size_t size;
  const void *bytes = specpiImageGetBytes(image, &size);
  const bool is = size < sizeof spirv || memcmp(bytes, spirv, sizeof spirv) != 0;
  assert_string_equal(is ? "PTX" : "SPIR-V", expected ? expected : "SPIR-V");
  return is;
}

/* Checks a kernel's output. libspecpi fills the buffer of constants, if any; for PTX the plugin
 * does. */
static void check_images(const pi_device_binaries_struct *images, bool buffer) {
  specpi_bundle input = NULL;
  must(specpiRegister(images));
  must(specpiBundleCreateForKernel(support_device(), "shapes", &input));
  must(specpiUnregister(images));
  specpi_image image = NULL;
  size_t count = 0;
  must(specpiBundleGetImages(input, 1, &image, &count));
  const bool of_runtime = buffer && !is_ptx(image);
  assert_int_equal(image->values == IMAGE_VALUES_IN_BUFFER, of_runtime);
  must(specpiBundleGetConstants(input, 0, NULL, &count));
  assert_int_equal(count, 4);

  int64_t expected[VALUES] = {7, support_bits(1), support_bits(3), -1, 'a', bits_of(4), 1, -5};
  check(input, expected);
  const int tile = -8;
  const float point[4] = {9, 10, 11, 12};
  outer shape;
  must(specpiBundleGet(input, "shape", sizeof shape, &shape));
  assert_true(shape.first == -1 && shape.parts[1].weights[0] == 2 && shape.flag);
  shape.first = 99;
  shape.parts[0].tag = 'z';
  shape.parts[1].weights[1] = -0.0;
  shape.flag = false;
  const specpi_value values[] = {{"tile", sizeof tile, &tile},
                                 {"point", sizeof point, point},
                                 {"shape", sizeof shape, &shape}};
  must(specpiBundleSetMany(input, 3, values));
  const int64_t set[VALUES] = {-8, support_bits(9), support_bits(11), 99, 'z', bits_of(-0.0), 0,
                               -5};
  check(input, set);
  must(specpiBundleReset(input, "shape"));
  must(specpiBundleReset(input, "point"));
  expected[0] = tile;
  check(input, expected);
  specpiBundleRelease(input);
}

TEST(values_reach_native_code) {
  check_images(&native_images, false);
}

TEST(values_reach_the_buffer) {
  check_images(&emulate_images, true);
}

/* The types come from SPIR-V: the bundle's own, or the library's if the bundle has PTX. */
TEST(a_value_of_another_type_is_refused) {
  const specpi_result code = SPECPI_ERROR_INVALID_TYPE;
  specpi_bundle input = NULL;
  must(specpiRegister(&native_images));
  must(specpiBundleCreateForKernel(support_device(), "shapes", &input));
  const unsigned tile = 21;
  const float point[4] = {9, 10, 11, 12};
  const float real = 3;
  const double wide = 3;
  const int whole[3] = {1, 2, 3};
  outer shape;
  must(specpiBundleGet(input, "shape", sizeof shape, &shape));
  const specpi_value good[] = {SPECPI_VALUE("tile", tile), SPECPI_VALUE("point", point),
                               SPECPI_VALUE("shape", shape)};
  must(specpiBundleSetMany(input, 3, good));
  const specpi_value of_real[] = {SPECPI_VALUE("tile", whole[0]), SPECPI_VALUE("tile", real)};
  const specpi_value of_wide = SPECPI_VALUE("unset", wide);
  const specpi_value of_small = SPECPI_VALUE("unset", tile);
  const specpi_value of_whole = SPECPI_VALUE("point", whole);
  specpi_kernel kernel = NULL;
  assert_error(specpiBundleSetMany(input, 2, of_real), code, "constant \"tile\" is i32, f32 given");
  assert_error(specpiBundleSetMany(input, 1, &of_wide), code,
               "constant \"unset\" is i64, f64 given");
  assert_error(specpiBundleSetMany(input, 1, &of_small), code,
               "constant \"unset\" is i64, i32 given");
  assert_error(specpiBundleSetMany(input, 1, &of_whole), code,
               "constant \"point\" is f32 at byte 0, i32 given");
  assert_error(specpiBundleGetKernel(input, "shapes", NULL, 2, of_real, &kernel), code,
               "constant \"tile\" is i32, f32 given");
  assert_null(kernel);
  const int64_t expected[VALUES] = {21, support_bits(9), support_bits(11), -1, 'a', bits_of(4), 1,
                                    -5};
  check(input, expected);
  /* specpiBundleSet takes bytes, which have no type. */
  must(specpiBundleSet(input, "tile", sizeof real, &real));
  specpiBundleRelease(input);
  must(specpiUnregister(&native_images));
}

/* Code that reads constants from a buffer has no types, so only sizes are compared. */
TEST(without_types_a_size_is_refused) {
  specpi_bundle input = NULL;
  must(specpiRegister(&emulate_images));
  must(specpiBundleCreateForKernel(support_device(), "shapes", &input));
  must(specpiUnregister(&emulate_images));
  const int tile = 21;
  const double wide = 3;
  const specpi_value good = SPECPI_VALUE("tile", tile);
  const specpi_value bad = SPECPI_VALUE("tile", wide);
  must(specpiBundleSetMany(input, 1, &good));
  assert_error(specpiBundleSetMany(input, 1, &bad), SPECPI_ERROR_INVALID_SIZE,
               "constant \"tile\" takes 4 bytes, 8 given");
  const int64_t expected[VALUES] = {21, support_bits(1), support_bits(3), -1, 'a', bits_of(4), 1,
                                    -5};
  check(input, expected);
  specpiBundleRelease(input);
}

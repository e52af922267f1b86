/*
 * Images from specpi-cc, for OpenCL and for CUDA: the same constants, once in the code and once in
 * a buffer, set in the same way with the same result.
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

/* Whether the image that was chosen is PTX. What the test expects of CUDA, cuda.cmake says. */
static bool is_ptx(specpi_image image) {
  static const unsigned char spirv[] = {0x03, 0x02, 0x23, 0x07};
  const char *expected = getenv("SPECPI_TEST_CODE");
  size_t size;
  const void *bytes = specpiImageGetBytes(image, &size);
  const bool is = size < sizeof spirv || memcmp(bytes, spirv, sizeof spirv) != 0;
  assert_string_equal(is ? "PTX" : "SPIR-V", expected ? expected : "SPIR-V");
  return is;
}

/* With a buffer it is the runtime that fills it; that of PTX is the plugin's. */
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

static void native(void **state) {
  (void)state;
  check_images(&native_images, false);
}

static void emulated(void **state) {
  (void)state;
  check_images(&emulate_images, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(native), cmocka_unit_test(emulated)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

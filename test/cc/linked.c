/* Images that specpi_device_image links into a program: one has a symbol, one
 * an_image_registers_itself itself. */
#include "../support/tests.h"

#include <specpi/specpi.h>

#include <string.h>

extern const pi_device_binaries_struct linked_images;

/* Checks an image's only kernel, its number of constants, and the first one's name and size. */
static void check(specpi_image image, const char *kernel, size_t constants, const char *first,
                  size_t size) {
  assert_string_equal(specpiImageGetTarget(image), "spir64");
  assert_int_equal(specpiImageGetFormat(image), PI_DEVICE_BINARY_TYPE_SPIRV);
  const char *name;
  size_t count;
  assert_int_equal(specpiImageGetKernels(image, 1, &name, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 1);
  assert_string_equal(name, kernel);
  specpi_constant found[2];
  assert_int_equal(specpiImageGetConstants(image, 2, found, &count), SPECPI_SUCCESS);
  assert_int_equal(count, constants);
  assert_string_equal(found[0].name, first);
  assert_int_equal(found[0].size, size);
}

TEST(an_image_can_have_a_symbol) {
  assert_int_equal(linked_images.Version, PI_DEVICE_BINARIES_VERSION);
  assert_int_equal(linked_images.NumDeviceBinaries, 1);
  specpi_image image;
  assert_int_equal(specpiImageCreate(linked_images.DeviceBinaries, &image), SPECPI_SUCCESS);
  check(image, "blur", 2, "filter", 12);
  specpiImageRelease(image);
}

TEST(an_image_registers_itself) {
  specpi_image image;
  size_t count;
  assert_int_equal(specpiImagesGet(1, &image, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 1);
  check(image, "other", 1, "radius", 8);
}

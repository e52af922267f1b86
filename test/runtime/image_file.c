/* Device images in files: refusals. test/python tests intact and damaged files from specpi-cc. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "support.h"

#include <stdlib.h>
#include <unistd.h>

TEST(files_without_images_are_refused) {
  const specpi_image_file untouched = (specpi_image_file)(uintptr_t)1;
  specpi_image_file file = untouched;
  char path[] = "/tmp/specpi-image-file-XXXXXX";
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, "text", 4), 4);
  assert_int_equal(close(descriptor), 0);
  assert_error(specpiImageFileOpen(path, &file), SPECPI_ERROR_INVALID_IMAGE, path);
  assert_int_equal(unlink(path), 0);
  assert_error(specpiImageFileOpen(path, &file), SPECPI_ERROR_INVALID_IMAGE, "No such file");
  assert_error(specpiImageFileOpen("/", &file), SPECPI_ERROR_INVALID_IMAGE, "not a regular file");
  assert_error(specpiImageFileOpen("/proc/self/exe", &file), SPECPI_ERROR_INVALID_IMAGE,
               "no device image");
  assert_error(specpiImageFileOpen(NULL, &file), SPECPI_ERROR_INVALID_ARGUMENT, "path is NULL");
  assert_error(specpiImageFileOpen("/", NULL), SPECPI_ERROR_INVALID_ARGUMENT, "file is NULL");
  assert_ptr_equal(file, untouched);
}

TEST(arguments_of_lists_are_checked) {
  size_t count = 7;
  const char *types[1];
  specpi_image images[1];
  assert_error(specpiImageFileGetImages(NULL, 1, images, &count), SPECPI_ERROR_INVALID_ARGUMENT,
               "file is NULL");
  assert_error(specpiImageGetLeafTypes(NULL, 1, types, &count), SPECPI_ERROR_INVALID_ARGUMENT,
               "image is NULL");
  assert_int_equal(count, 7);
  specpiImageFileRelease(NULL);
}

/* Code other than SPIR-V has no types; the list has a NULL entry for each leaf. */
TEST(unknown_types_are_null) {
  static const specpi_leaf leaves[] = {{0, 0, 4}, {1, 4, 8}};
  static test_image made;
  image_begin(&made, PI_DEVICE_BINARY_TARGET_SPIRV64, "no module", 9);
  image_add_constant(&made, "pair", 2, leaves);
  specpi_image image;
  must(specpiImageCreate(&made.binary, &image));
  const char *types[] = {"", "", "untouched"};
  size_t count = 0;
  must(specpiImageGetLeafTypes(image, 3, types, &count));
  assert_int_equal(count, 2);
  assert_null(types[0]);
  assert_null(types[1]);
  assert_string_equal(types[2], "untouched");
  assert_error(specpiImageGetLeafTypes(image, 1, NULL, &count), SPECPI_ERROR_INVALID_ARGUMENT,
               "types is NULL");
  specpiImageRelease(image);
}

/* Images that call other images' functions, and constants whose default another unit has. */
#include "support.h"

#include "../support/embed.h"

SPECPI_EMBED(link_main, "link_main.spv")
SPECPI_EMBED(link_part, "link_part.spv")

#define EXPORTED "specpi/exported functions"
#define IMPORTED "specpi/imported functions"
#define IMPORTED_CONSTANTS "specpi/imported constants"

static const specpi_leaf shared_in_main[] = {{0, 0, 4}};
static const specpi_leaf shared_in_part[] = {{9, 0, 4}};
static const int one = 1;

/* The kernel "linked" writes 1000 * shared + shared: the second part comes from function "part". */
static void image_main(test_image *image) {
  image_begin(image, PI_DEVICE_BINARY_TARGET_SPIRV64, link_main_begin,
              SPECPI_EMBED_SIZE(link_main));
  image_add_kernel(image, "linked");
  image_add_constant(image, "shared", 1, shared_in_main);
  image_add_defaults(image, &one, sizeof one);
  image_add_number(image, IMPORTED, "part", 1);
}

static void image_part(test_image *image) {
  image_begin(image, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin,
              SPECPI_EMBED_SIZE(link_part));
  image_add_constant(image, "shared", 1, shared_in_part);
  image_add_defaults(image, &one, sizeof one);
  image_add_number(image, EXPORTED, "part", 1);
}

static specpi_bundle bundle_of(const test_image *first, const test_image *second) {
  const test_image *const images[] = {first, second};
  return support_bundle(second ? 2 : 1, images);
}

static void expect_linked(specpi_bundle input, int64_t wanted) {
  specpi_bundle executable = NULL;
  int64_t value;
  must(specpiBundleBuild(input, NULL, &executable));
  support_run(executable, "linked", &value, 1);
  assert_int_equal(value, wanted);
  specpiBundleRelease(executable);
}

/* A bundle's builds use the functions of a registered image, but not its kernels. */
TEST(finds_registered_images) {
  test_image first;
  test_image second;
  image_main(&first);
  const specpi_leaf own[] = {{4, 0, 4}};
  const int both[] = {1, 8};
  image_begin(&second, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin,
              SPECPI_EMBED_SIZE(link_part));
  image_add_kernel(&second, "of_part");
  image_add_constant(&second, "shared", 1, shared_in_part);
  image_add_constant(&second, "own", 1, own);
  image_add_defaults(&second, both, sizeof both);
  image_add_number(&second, EXPORTED, "part", 1);
  const pi_device_binaries_struct table = {PI_DEVICE_BINARIES_VERSION, 1, &second.binary, NULL,
                                           NULL};
  must(specpiRegister(&table));
  specpi_bundle input = bundle_of(&first, NULL);
  must(specpiUnregister(&table)); /* the bundle has copies */
  size_t count = 0;
  must(specpiBundleGetImages(input, 0, NULL, &count));
  assert_int_equal(count, 1);
  must(specpiBundleGetKernels(input, 0, NULL, &count));
  assert_int_equal(count, 1);
  must(specpiBundleGetConstants(input, 0, NULL, &count));
  assert_int_equal(count, 2);
  expect_linked(input, 1001);
  const int shared = 5;
  must(specpiBundleSet(input, "shared", sizeof shared, &shared));
  expect_linked(input, 5005);
  /* A compiled object contains only the bundle's own image, with the values of that image. */
  specpi_bundle objects[2] = {NULL, NULL};
  specpi_bundle executable = NULL;
  must(specpiBundleCompile(input, NULL, &objects[0]));
  must(specpiBundleGetConstants(objects[0], 0, NULL, &count));
  assert_int_equal(count, 1);
  int got = 0;
  must(specpiBundleGet(objects[0], "shared", sizeof got, &got));
  assert_int_equal(got, 5);
  specpi_bundle part = bundle_of(&second, NULL);
  must(specpiBundleCompile(part, NULL, &objects[1]));
  must(specpiBundleLink(2, objects, NULL, &executable));
  int64_t value;
  support_run(executable, "linked", &value, 1);
  assert_int_equal(value, 5001);
  for (size_t i = 0; i < 2; i++)
    specpiBundleRelease(objects[i]);
  specpiBundleRelease(executable);
  specpiBundleRelease(part);
  specpiBundleRelease(input);
}

TEST(links_images_of_the_bundle) {
  test_image first;
  test_image second;
  image_main(&first);
  image_part(&second);
  specpi_bundle input = bundle_of(&first, &second);
  expect_linked(input, 1001);
  const int seven = 7;
  const specpi_value value = {"shared", sizeof seven, &seven};
  specpi_kernel kernel = NULL;
  specpi_kernel again = NULL;
  must(specpiBundleGetKernel(input, "linked", NULL, 1, &value, &kernel));
  must(specpiBundleGetKernel(input, "linked", NULL, 1, &value, &again));
  assert_ptr_equal(kernel, again);
  specpiKernelRelease(kernel);
  specpiKernelRelease(again);
  specpiBundleRelease(input);
}

TEST(says_what_is_nowhere) {
  test_image first;
  image_main(&first);
  specpi_bundle input = bundle_of(&first, NULL);
  specpi_bundle made = NULL;
  specpi_kernel kernel = NULL;
  static const char words[] =
      " defines function 'part', which image 0 (spir64, kernel linked) calls";
  assert_error(specpiBundleBuild(input, NULL, &made), SPECPI_ERROR_BUILD_FAILED, words);
  assert_error(specpiBundleGetKernel(input, "linked", NULL, 0, NULL, &kernel),
               SPECPI_ERROR_BUILD_FAILED, "no registered image for ");
  assert_string_equal(specpiGetBuildLog(), "");
  specpi_bundle object = NULL;
  must(specpiBundleCompile(input, NULL, &object));
  assert_error(specpiBundleLink(1, &object, NULL, &made), SPECPI_ERROR_BUILD_FAILED,
               "none of the images that are linked for ");
  specpiBundleRelease(object);
  specpiBundleRelease(input);
  /* The message contains the compiler's text. */
  static const char call[] = "'part(int)', which kernel 'linked' calls (main.cl:5)";
  first.binary.PropertySetsEnd--;
  image_add_bytes(&first, IMPORTED, "part", call, sizeof call - 1);
  input = bundle_of(&first, NULL);
  assert_error(specpiBundleBuild(input, NULL, &made), SPECPI_ERROR_BUILD_FAILED,
               "defines function 'part(int)', which kernel 'linked' calls (main.cl:5)");
  assert_null(made);
  assert_null(kernel);
  specpiBundleRelease(input);
}

TEST(refuses_what_is_there_twice) {
  test_image images[3];
  image_main(&images[0]);
  image_add_number(&images[0], IMPORTED, "other", 1);
  image_part(&images[1]);
  image_part(&images[2]);
  image_add_number(&images[2], EXPORTED, "other", 1);
  const test_image *const all[] = {&images[0], &images[1], &images[2]};
  specpi_bundle input = support_bundle(3, all);
  specpi_bundle made = NULL;
  assert_error(specpiBundleBuild(input, NULL, &made), SPECPI_ERROR_CONFLICT,
               "\"part\" is in image 1 (spir64) and in image 2 (spir64), which are linked");
  assert_null(made);
  specpiBundleRelease(input);
}

/* ---- Constants ---- */

static void image_imports_shared(test_image *image) {
  image_main(image);
  image_add_number(image, IMPORTED_CONSTANTS, "shared", 1);
}

TEST(needs_a_default_or_a_value) {
  test_image first;
  test_image second;
  image_imports_shared(&first);
  image_begin(&second, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin,
              SPECPI_EMBED_SIZE(link_part));
  image_add_constant(&second, "shared", 1, shared_in_part);
  image_add_defaults(&second, &one, sizeof one);
  image_add_number(&second, EXPORTED, "part", 1);
  image_add_number(&second, IMPORTED_CONSTANTS, "shared", 1);
  specpi_bundle input = bundle_of(&first, &second);
  specpi_bundle made = NULL;
  assert_error(specpiBundleBuild(input, NULL, &made), SPECPI_ERROR_NO_VALUE,
               "constant \"shared\" is declared in the image's unit, no unit that defines it has "
               "registered it, and bytes 0 to 4 of it are not set");
  int got = 99;
  assert_error(specpiBundleGet(input, "shared", sizeof got, &got), SPECPI_ERROR_NO_VALUE,
               "\"shared\"");
  const int six = 6;
  must(specpiBundleSet(input, "shared", sizeof six, &six));
  expect_linked(input, 6006);
  specpiBundleRelease(input);
  /* The default is the variable's value when the bundle is created. */
  int variable = 12;
  __register_uniquely_identifiable_object(&variable, "shared", "specialization_id");
  input = bundle_of(&first, &second);
  __unregister_uniquely_identifiable_object(&variable, "shared", "specialization_id");
  variable = 13;
  must(specpiBundleGet(input, "shared", sizeof got, &got));
  assert_int_equal(got, 12);
  expect_linked(input, 12012);
  must(specpiBundleSet(input, "shared", sizeof six, &six));
  expect_linked(input, 6006);
  must(specpiBundleReset(input, "shared"));
  expect_linked(input, 12012);
  specpiBundleRelease(input);
}

/* An image's default takes precedence over the variable, because the code contains it. */
TEST(takes_the_default_of_an_image) {
  test_image first;
  test_image second;
  const int four = 4;
  image_imports_shared(&first);
  image_begin(&second, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin,
              SPECPI_EMBED_SIZE(link_part));
  image_add_constant(&second, "shared", 1, shared_in_part);
  image_add_defaults(&second, &four, sizeof four);
  image_add_number(&second, EXPORTED, "part", 1);
  specpi_bundle input = bundle_of(&first, &second);
  /* The second image's code contains the default 1. */
  expect_linked(input, 4001);
  specpiBundleRelease(input);
}

TEST(refuses_constants_that_are_none) {
  test_image first;
  specpi_image image = NULL;
  image_main(&first);
  image_add_number(&first, IMPORTED_CONSTANTS, "other", 1);
  assert_error(specpiImageCreate(&first.binary, &image), SPECPI_ERROR_INVALID_IMAGE,
               "the imported constant \"other\" is not among the constants");
  image_imports_shared(&first);
  image_add_number(&first, IMPORTED_CONSTANTS, "shared", 1);
  assert_error(specpiImageCreate(&first.binary, &image), SPECPI_ERROR_INVALID_IMAGE, "\"shared\"");
  assert_null(image);
}

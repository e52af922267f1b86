/* Bundles on a real device: constants by name, the three states, and each refusal. */
#include "support.h"

#include <stdlib.h>

typedef struct pair {
  float scale;
  char mode;
} pair;

typedef struct fixture {
  specpi_bundle input;
} fixture;

static int set_up(void **state) {
  static fixture fixture;
  test_image image;
  image_report(&image);
  const test_image *const images[] = {&image};
  fixture.input = support_bundle(1, images);
  /* The bundle has copies and needs nothing of this image. */
  memset(&image, 0xa5, sizeof image);
  *state = &fixture;
  return 0;
}

static int tear_down(void **state) {
  specpiBundleRelease(((fixture *)*state)->input);
  return 0;
}

#define BUNDLE_TEST(name) TEST_WITH(name, set_up, tear_down)

/* Builds, runs, and checks the numbers. */
static void check_run(specpi_bundle input, const int64_t *expected) {
  specpi_bundle executable = NULL;
  int64_t values[REPORT_VALUES];
  must(specpiBundleBuild(input, NULL, &executable));
  support_run(executable, "report", values, REPORT_VALUES);
  specpiBundleRelease(executable);
  for (size_t i = 0; i < REPORT_VALUES; i++)
    if (values[i] != expected[i])
      fail_msg("value %zu is %lld, not %lld", i, (long long)values[i], (long long)expected[i]);
}

static void defaults(int64_t *values) {
  const int64_t all[] = {
      7, support_bits(0.5f), 'x', support_bits(1), support_bits(2), support_bits(3), -5};
  memcpy(values, all, sizeof all);
}

BUNDLE_TEST(describes_itself) {
  const specpi_bundle input = ((fixture *)*state)->input;
  assert_int_equal(specpiBundleGetState(input), SPECPI_BUNDLE_INPUT);
  assert_string_equal(specpiBundleGetStateName(input), "input");
  assert_ptr_equal(specpiBundleGetDevice(input), support_device());
  size_t count = 0;
  const char *kernels[2] = {NULL, NULL};
  must(specpiBundleGetKernels(input, 2, kernels, &count));
  assert_int_equal(count, 1);
  assert_string_equal(kernels[0], "report");
  specpi_image images[2] = {NULL, NULL};
  must(specpiBundleGetImages(input, 2, images, &count));
  assert_int_equal(count, 1);
  assert_string_equal(specpiImageGetTarget(images[0]), support_is_cuda() ? "nvptx64" : "spir64");
  specpi_constant constants[5];
  must(specpiBundleGetConstants(input, 5, constants, &count));
  assert_int_equal(count, 4);
  const char *const names[] = {"big", "pair", "point", "tile"};
  const size_t sizes[] = {8, 8, 12, 4};
  for (size_t i = 0; i < count; i++) {
    assert_string_equal(constants[i].name, names[i]);
    assert_int_equal(constants[i].size, sizes[i]);
  }
  assert_int_equal(constants[1].leaf_count, 3);
  assert_int_equal(constants[1].leaves[1].offset, 4);
  assert_memory_equal(constants[3].default_value, "\7\0\0", 4);
}

BUNDLE_TEST(builds_with_defaults) {
  int64_t expected[REPORT_VALUES];
  defaults(expected);
  check_run(((fixture *)*state)->input, expected);
  int tile = 0;
  must(specpiBundleGet(((fixture *)*state)->input, "tile", sizeof tile, &tile));
  assert_int_equal(tile, 7);
}

BUNDLE_TEST(sets_and_builds_again) {
  const specpi_bundle input = ((fixture *)*state)->input;
  int64_t expected[REPORT_VALUES];
  defaults(expected);
  for (int tile = -1; tile < 2; tile++) {
    must(specpiBundleSet(input, "tile", sizeof tile, &tile));
    expected[0] = tile;
    check_run(input, expected);
  }
  const pair value = {-0.0f, 'y'};
  must(specpiBundleSet(input, "pair", sizeof value, &value));
  expected[1] = support_bits(-0.0f);
  expected[2] = 'y';
  const float point[4] = {4, 5, 6, 7};
  must(specpiBundleSet(input, "point", 3 * sizeof(float), point));
  expected[3] = support_bits(4);
  expected[4] = support_bits(5);
  expected[5] = support_bits(6);
  /* The value is at an odd address. */
  unsigned char bytes[9] = {0};
  const int64_t big = INT64_MIN;
  memcpy(bytes + 1, &big, sizeof big);
  must(specpiBundleSet(input, "big", sizeof big, bytes + 1));
  memset(bytes, 0, sizeof bytes);
  expected[6] = big;
  check_run(input, expected);

  must(specpiBundleReset(input, "tile"));
  must(specpiBundleReset(input, "pair"));
  must(specpiBundleReset(input, "point"));
  must(specpiBundleReset(input, "big"));
  defaults(expected);
  check_run(input, expected);
}

BUNDLE_TEST(sets_leaves) {
  const specpi_bundle input = ((fixture *)*state)->input;
  int64_t expected[REPORT_VALUES];
  defaults(expected);
  const float scale = 8;
  must(specpiBundleSetLeaf(input, "pair", 0, sizeof scale, &scale));
  must(specpiBundleSetLeaf(input, "point", 8, sizeof scale, &scale));
  expected[1] = support_bits(8);
  expected[5] = support_bits(8);
  check_run(input, expected);
  pair value = {0, 0};
  must(specpiBundleGet(input, "pair", sizeof value, &value));
  assert_true(value.scale == 8.0f && value.mode == 'x');
}

BUNDLE_TEST(takes_host_vectors) {
  const specpi_bundle input = ((fixture *)*state)->input;
  const float four[4] = {-1, -2, -3, 99};
  must(specpiBundleSet(input, "point", sizeof four, four));
  float got[5] = {9, 9, 9, 9, 9};
  must(specpiBundleGet(input, "point", sizeof four, got));
  assert_true(got[0] == -1 && got[2] == -3 && got[3] == 0 && got[4] == 9);
  must(specpiBundleGet(input, "point", 3 * sizeof(float), got));
  assert_error(specpiBundleSet(input, "point", 8, four), SPECPI_ERROR_INVALID_SIZE,
               "constant \"point\" takes 12 or 16 bytes, 8 given");
  assert_error(specpiBundleSet(input, "point", 20, four), SPECPI_ERROR_INVALID_SIZE, "20 given");
  int64_t expected[REPORT_VALUES];
  defaults(expected);
  expected[3] = support_bits(-1);
  expected[4] = support_bits(-2);
  expected[5] = support_bits(-3);
  check_run(input, expected);
}

BUNDLE_TEST(values_belong_to_a_bundle) {
  const specpi_bundle input = ((fixture *)*state)->input;
  test_image image;
  image_report(&image);
  const test_image *const images[] = {&image};
  specpi_bundle other = support_bundle(1, images);
  const int tile = 70;
  must(specpiBundleSet(other, "tile", sizeof tile, &tile));
  int got = 0;
  must(specpiBundleGet(input, "tile", sizeof got, &got));
  assert_int_equal(got, 7);
  specpi_bundle executable = NULL;
  must(specpiBundleBuild(other, "", &executable));
  const int later = 71;
  must(specpiBundleSet(other, "tile", sizeof later, &later));
  must(specpiBundleGet(executable, "tile", sizeof got, &got));
  assert_int_equal(got, 70);
  specpiBundleRelease(other);
  int64_t values[REPORT_VALUES];
  support_run(executable, "report", values, REPORT_VALUES);
  assert_int_equal(values[0], 70);
  specpiBundleRelease(executable);
}

BUNDLE_TEST(sets_many_or_none) {
  const specpi_bundle input = ((fixture *)*state)->input;
  const int one = 1;
  const int two = 2;
  const int64_t big = 3;
  const specpi_value good[] = {
      {"tile", sizeof one, &one}, {"big", sizeof big, &big}, {"tile", sizeof two, &two}};
  must(specpiBundleSetMany(input, 3, good));
  must(specpiBundleSetMany(input, 0, NULL));
  int64_t expected[REPORT_VALUES];
  defaults(expected);
  expected[0] = 2;
  expected[6] = 3;
  check_run(input, expected);

  const specpi_value unknown[] = {{"tile", sizeof one, &one}, {"tiles", sizeof one, &one}};
  const specpi_value wrong_size[] = {{"tile", sizeof one, &one}, {"big", sizeof one, &one}};
  const specpi_value no_value[] = {{"tile", sizeof one, &one}, {"big", sizeof big, NULL}};
  const specpi_value no_name[] = {{"tile", sizeof one, &one}, {NULL, sizeof big, &big}};
  assert_error(specpiBundleSetMany(input, 2, unknown), SPECPI_ERROR_UNKNOWN_CONSTANT, "\"tiles\"");
  assert_error(specpiBundleSetMany(input, 2, wrong_size), SPECPI_ERROR_INVALID_SIZE,
               "constant \"big\" takes 8 bytes, 4 given");
  assert_error(specpiBundleSetMany(input, 2, no_value), SPECPI_ERROR_INVALID_ARGUMENT,
               "values[1].value is NULL");
  assert_error(specpiBundleSetMany(input, 2, no_name), SPECPI_ERROR_INVALID_ARGUMENT,
               "values[1].name is NULL");
  assert_error(specpiBundleSetMany(input, 2, NULL), SPECPI_ERROR_INVALID_ARGUMENT,
               "values is NULL");
  assert_error(specpiBundleSetMany(NULL, 0, NULL), SPECPI_ERROR_INVALID_ARGUMENT, "bundle is NULL");
  check_run(input, expected);
}

BUNDLE_TEST(refuses_bad_values) {
  const specpi_bundle input = ((fixture *)*state)->input;
  const int value = 1;
  int got = 99;
  const specpi_result argument = SPECPI_ERROR_INVALID_ARGUMENT;
  assert_error(specpiBundleSet(NULL, "tile", 4, &value), argument, "bundle is NULL");
  assert_error(specpiBundleSet(input, NULL, 4, &value), argument, "name is NULL");
  assert_error(specpiBundleSet(input, "tile", 4, NULL), argument, "value is NULL");
  assert_error(specpiBundleSet(input, "", 4, &value), SPECPI_ERROR_UNKNOWN_CONSTANT,
               "no constant is called \"\"; there are: ");
  const size_t sizes[] = {0, 1, 3, 5, 8, 0x1000, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    assert_error(specpiBundleSet(input, "tile", sizes[i], &value), SPECPI_ERROR_INVALID_SIZE,
                 "constant \"tile\" takes 4 bytes, ");
    assert_error(specpiBundleGet(input, "tile", sizes[i], &got), SPECPI_ERROR_INVALID_SIZE,
                 "constant \"tile\" takes 4 bytes, ");
  }
  assert_error(specpiBundleGet(NULL, "tile", 4, &got), argument, "bundle is NULL");
  assert_error(specpiBundleGet(input, NULL, 4, &got), argument, "name is NULL");
  assert_error(specpiBundleGet(input, "tile", 4, NULL), argument, "value is NULL");
  assert_error(specpiBundleGet(input, "tilt", 4, &got), SPECPI_ERROR_UNKNOWN_CONSTANT, "\"tilt\"");
  assert_error(specpiBundleReset(NULL, "tile"), argument, "bundle is NULL");
  assert_error(specpiBundleReset(input, NULL), argument, "name is NULL");
  assert_error(specpiBundleReset(input, "tilt"), SPECPI_ERROR_UNKNOWN_CONSTANT, "\"tilt\"");
  assert_int_equal(got, 99);

  assert_error(specpiBundleSetLeaf(NULL, "pair", 0, 4, &value), argument, "bundle is NULL");
  assert_error(specpiBundleSetLeaf(input, NULL, 0, 4, &value), argument, "name is NULL");
  assert_error(specpiBundleSetLeaf(input, "pair", 0, 4, NULL), argument, "value is NULL");
  assert_error(specpiBundleSetLeaf(input, "bear", 0, 4, &value), SPECPI_ERROR_UNKNOWN_CONSTANT,
               "\"bear\"");
  assert_error(specpiBundleSetLeaf(input, "pair", 0, 8, &value), SPECPI_ERROR_INVALID_SIZE,
               "the leaf at byte 0 of constant \"pair\" takes 4 bytes, 8 given");
  assert_error(specpiBundleSetLeaf(input, "pair", 4, 0, &value), SPECPI_ERROR_INVALID_SIZE,
               "takes 1 bytes, 0 given");
  assert_error(specpiBundleSetLeaf(input, "pair", 2, 2, &value), SPECPI_ERROR_INVALID_SIZE,
               "no leaf of constant \"pair\" begins at byte 2");
  assert_error(specpiBundleSetLeaf(input, "pair", 5, 3, &value), SPECPI_ERROR_INVALID_SIZE,
               "byte 5 of constant \"pair\" is padding");
  assert_error(specpiBundleSetLeaf(input, "pair", 7, 1, &value), SPECPI_ERROR_INVALID_SIZE,
               "padding");
  assert_error(specpiBundleSetLeaf(input, "pair", 8, 1, &value), SPECPI_ERROR_INVALID_SIZE,
               "no leaf");
  assert_error(specpiBundleSetLeaf(input, "pair", SIZE_MAX, 1, &value), SPECPI_ERROR_INVALID_SIZE,
               "no leaf");
  int64_t expected[REPORT_VALUES];
  defaults(expected);
  check_run(input, expected);
}

BUNDLE_TEST(refuses_the_wrong_state) {
  const specpi_bundle input = ((fixture *)*state)->input;
  const specpi_result wrong = SPECPI_ERROR_INVALID_STATE;
  const int value = 1;
  int got = 0;
  specpi_bundle object = NULL;
  specpi_bundle executable = NULL;
  specpi_bundle none = NULL;
  must(specpiBundleCompile(input, NULL, &object));
  must(specpiBundleBuild(input, NULL, &executable));
  assert_string_equal(specpiBundleGetStateName(object), "object");
  assert_string_equal(specpiBundleGetStateName(executable), "executable");
  const specpi_bundle others[] = {object, executable};
  for (size_t i = 0; i < 2; i++) {
    assert_error(specpiBundleSet(others[i], "tile", 4, &value), wrong,
                 "to set constants, a bundle has to be in state input, not ");
    assert_error(specpiBundleSetLeaf(others[i], "tile", 0, 4, &value), wrong, "input, not ");
    const specpi_value many = {"tile", 4, &value};
    assert_error(specpiBundleSetMany(others[i], 1, &many), wrong, "input, not ");
    assert_error(specpiBundleReset(others[i], "tile"), wrong, "input, not ");
    assert_error(specpiBundleCompile(others[i], NULL, &none), wrong, "input, not ");
    assert_error(specpiBundleBuild(others[i], NULL, &none), wrong, "input, not ");
    must(specpiBundleGet(others[i], "tile", 4, &got));
    assert_int_equal(got, 7);
  }
  assert_error(specpiBundleLink(1, &input, NULL, &none), wrong, "object, not input");
  assert_error(specpiBundleLink(1, &executable, NULL, &none), wrong, "object, not executable");
  bundle_kernel kernel;
  assert_error(bundle_get_kernel(input, "report", &kernel), wrong, "executable, not input");
  assert_error(bundle_get_kernel(object, "report", &kernel), wrong, "executable, not object");
  assert_null(none);
  specpiBundleRelease(object);
  specpiBundleRelease(executable);
}

BUNDLE_TEST(refuses_bad_arguments) {
  const specpi_bundle input = ((fixture *)*state)->input;
  const specpi_device device = support_device();
  const specpi_result argument = SPECPI_ERROR_INVALID_ARGUMENT;
  specpi_bundle none = NULL;
  test_image image;
  image_report(&image);
  specpi_image made = support_image(&image);
  const specpi_image some[] = {made, NULL};
  assert_error(specpiBundleCreate(NULL, 1, &made, &none), argument, "device is NULL");
  assert_error(specpiBundleCreate(device, 1, NULL, &none), argument, "images is NULL");
  assert_error(specpiBundleCreate(device, 0, &made, &none), argument, "count is 0");
  assert_error(specpiBundleCreate(device, 1, &made, NULL), argument, "bundle is NULL");
  assert_error(specpiBundleCreate(device, 2, some, &none), argument, "images[1] is NULL");
  specpiImageRelease(made);
  assert_error(specpiBundleCompile(NULL, NULL, &none), argument, "input is NULL");
  assert_error(specpiBundleCompile(input, NULL, NULL), argument, "object is NULL");
  assert_error(specpiBundleBuild(NULL, NULL, &none), argument, "input is NULL");
  assert_error(specpiBundleBuild(input, NULL, NULL), argument, "executable is NULL");
  assert_error(specpiBundleLink(1, NULL, NULL, &none), argument, "objects is NULL");
  assert_error(specpiBundleLink(0, &input, NULL, &none), argument, "count is 0");
  assert_error(specpiBundleLink(1, &input, NULL, NULL), argument, "executable is NULL");
  const specpi_bundle nothing = NULL;
  assert_error(specpiBundleLink(1, &nothing, NULL, &none), argument, "objects[0] is NULL");
  size_t count = 99;
#define REFUSES_LISTS(function)                                                                    \
  assert_error(function(NULL, 0, NULL, &count), argument, "bundle is NULL");                       \
  assert_error(function(input, 0, NULL, NULL), argument, "count is NULL");                         \
  assert_error(function(input, 1, NULL, &count), argument, "capacity is 1");
  REFUSES_LISTS(specpiBundleGetImages)
  REFUSES_LISTS(specpiBundleGetKernels)
  REFUSES_LISTS(specpiBundleGetConstants)
  assert_int_equal(count, 99);
  assert_null(none);
  assert_int_equal(specpiBundleGetState(NULL), SPECPI_BUNDLE_STATE_COUNT);
  assert_null(specpiBundleGetStateName(NULL));
  assert_null(specpiBundleGetDevice(NULL));
  specpiBundleRetain(NULL);
  specpiBundleRelease(NULL);
}

BUNDLE_TEST(finds_kernels) {
  const specpi_bundle input = ((fixture *)*state)->input;
  specpi_bundle executable = NULL;
  bundle_kernel kernel = {0};
  size_t image = 99;
  must(bundle_find_kernel(input, "report", &image, &kernel));
  assert_int_equal(image, 0);
  assert_null(kernel.program);
  must(specpiBundleBuild(input, NULL, &executable));
  must(bundle_get_kernel(executable, "report", &kernel));
  assert_non_null(kernel.program);
  assert_null(kernel.program->constants);
  assert_int_equal(kernel.buffer_argument, UINT32_MAX);
  assert_error(bundle_get_kernel(executable, "reporter", &kernel), SPECPI_ERROR_UNKNOWN_KERNEL,
               "no kernel is called \"reporter\": did you mean report? There are: report");
  assert_error(bundle_get_kernel(executable, NULL, &kernel), SPECPI_ERROR_INVALID_ARGUMENT, "name");
  assert_error(bundle_get_kernel(NULL, "report", &kernel), SPECPI_ERROR_INVALID_ARGUMENT, "bundle");
  specpiBundleRelease(executable);
}

/* A bundle's source has the values of the bundle and of the call, in ascending order of ids. */
BUNDLE_TEST(gives_sources) {
  const specpi_bundle input = ((fixture *)*state)->input;
  const int64_t big = 1;
  const float scale = 2;
  const int tile = 3;
  must(specpiBundleSet(input, "big", sizeof big, &big));
  must(specpiBundleSetLeaf(input, "pair", 0, sizeof scale, &scale));
  const specpi_value more = {"tile", sizeof tile, &tile};
  program_source source;
  must(bundle_get_source(input, 0, NULL, 1, &more, &source));
  assert_int_equal(source.values.count, 3);
  const uint32_t ids[] = {0, 1, 6};
  const void *const bytes[] = {&tile, &scale, &big};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(source.values.list[i].id, ids[i]);
    assert_memory_equal(source.values.list[i].bytes, bytes[i], source.values.list[i].size);
  }
  assert_string_equal(source.options, "");
  const digest none_at_all = {{0}};
  assert_false(digest_equal(&source.image->digest, &none_at_all));
  program_values_clear(&source.values);
  int got = 0;
  must(specpiBundleGet(input, "tile", sizeof got, &got));
  assert_int_equal(got, 7);
  program_source none = {0};
  const specpi_value wrong = {"tile", 3, &tile};
  assert_error(bundle_get_source(input, 0, NULL, 1, &wrong, &none), SPECPI_ERROR_INVALID_SIZE, "3");
  assert_error(bundle_get_source(input, 1, NULL, 0, NULL, &none), SPECPI_ERROR_INVALID_ARGUMENT,
               "image is 1 of 1");
  assert_null(none.image);
}

/* Returns the binary of an executable bundle, which the caller frees. */
static char *binary_of(specpi_bundle bundle, size_t *size) {
  must(specpiBundleGetBinary(bundle, 0, 0, NULL, size));
  assert_true(*size > 1);
  char *bytes = malloc(*size);
  memset(bytes, 0x5a, *size);
  size_t again = 0;
  /* A buffer that is too small stays untouched. */
  must(specpiBundleGetBinary(bundle, 0, *size - 1, bytes, &again));
  assert_int_equal(again, *size);
  for (size_t i = 0; i < *size; i++)
    assert_int_equal(bytes[i], 0x5a);
  must(specpiBundleGetBinary(bundle, 0, *size, bytes, &again));
  assert_int_equal(again, *size);
  return bytes;
}

BUNDLE_TEST(gives_binaries) {
  const specpi_bundle input = ((fixture *)*state)->input;
  specpi_bundle built[2] = {NULL, NULL};
  char *binaries[2];
  size_t sizes[2] = {0, 0};
  for (int tile = 0; tile < 2; tile++) {
    must(specpiBundleSet(input, "tile", sizeof tile, &tile));
    must(specpiBundleBuild(input, NULL, &built[tile]));
    binaries[tile] = binary_of(built[tile], &sizes[tile]);
  }
  /* The binaries contain the values. */
  assert_true(sizes[0] != sizes[1] || memcmp(binaries[0], binaries[1], sizes[0]) != 0);
  size_t size = 7;
  assert_error(specpiBundleGetBinary(NULL, 0, 0, NULL, &size), SPECPI_ERROR_INVALID_ARGUMENT,
               "bundle is NULL");
  assert_error(specpiBundleGetBinary(built[0], 0, 0, NULL, NULL), SPECPI_ERROR_INVALID_ARGUMENT,
               "size is NULL");
  assert_error(specpiBundleGetBinary(built[0], 0, 8, NULL, &size), SPECPI_ERROR_INVALID_ARGUMENT,
               "bytes is NULL and capacity is 8");
  assert_error(specpiBundleGetBinary(built[0], 1, 0, NULL, &size), SPECPI_ERROR_INVALID_ARGUMENT,
               "image is 1 of 1");
  assert_error(specpiBundleGetBinary(input, 0, 0, NULL, &size), SPECPI_ERROR_INVALID_STATE,
               "input");
  assert_int_equal(size, 7);
  for (size_t i = 0; i < 2; i++) {
    free(binaries[i]);
    specpiBundleRelease(built[i]);
  }
}

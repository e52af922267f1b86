/* Bundles of several images, linking, images with constants in a buffer, and failing builds. */
#include "support.h"

#include "../support/embed.h"

#include <stdlib.h>

SPECPI_EMBED(link_main, "link_main.spv")
SPECPI_EMBED(link_part, "link_part.spv")

static const specpi_leaf shared_in_main[] = {{0, 0, 4}};
static const specpi_leaf shared_in_part[] = {{9, 0, 4}};
static const int one = 1;

static void image_main(test_image *image) {
  image_begin(image, PI_DEVICE_BINARY_TARGET_SPIRV64, link_main_begin,
              SPECPI_EMBED_SIZE(link_main));
  image_add_kernel(image, "linked");
  image_add_constant(image, "shared", 1, shared_in_main);
  image_add_defaults(image, &one, sizeof one);
}

static void image_part(test_image *image) {
  image_begin(image, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin,
              SPECPI_EMBED_SIZE(link_part));
  image_add_constant(image, "shared", 1, shared_in_part);
  image_add_defaults(image, &one, sizeof one);
}

static specpi_bundle bundle_of(const test_image *first, const test_image *second) {
  const test_image *const images[] = {first, second};
  return support_bundle(second ? 2 : 1, images);
}

/* Returns the result of specpiBundleCreate for two images. */
static specpi_result try_two(const test_image *first, const test_image *second) {
  specpi_image images[] = {support_image(first), support_image(second)};
  specpi_bundle none = NULL;
  const specpi_result result = specpiBundleCreate(support_device(), 2, images, &none);
  specpiImageRelease(images[0]);
  specpiImageRelease(images[1]);
  assert_true((result == SPECPI_SUCCESS) == (none != NULL));
  specpiBundleRelease(none);
  return result;
}

/* Constants of one name are one constant, even if their ids differ. */
TEST(links_images_that_share) {
  test_image first;
  test_image second;
  image_main(&first);
  image_part(&second);
  specpi_bundle input = bundle_of(&first, &second);
  size_t count = 0;
  must(specpiBundleGetConstants(input, 0, NULL, &count));
  assert_int_equal(count, 1);
  const int shared = 5;
  must(specpiBundleSet(input, "shared", sizeof shared, &shared));
  specpi_bundle object = NULL;
  specpi_bundle executable = NULL;
  must(specpiBundleCompile(input, NULL, &object));
  must(specpiBundleLink(1, &object, NULL, &executable));
  specpiBundleRelease(input);
  specpiBundleRelease(object);
  int64_t value;
  support_run(executable, "linked", &value, 1);
  assert_int_equal(value, 5005);
  int got = 0;
  must(specpiBundleGet(executable, "shared", sizeof got, &got));
  assert_int_equal(got, 5);
  specpiBundleRelease(executable);
}

/* Each object has the values that it was compiled with. */
TEST(links_objects_with_other_values) {
  test_image first;
  test_image second;
  image_main(&first);
  image_part(&second);
  specpi_bundle inputs[] = {bundle_of(&first, NULL), bundle_of(&second, NULL)};
  specpi_bundle objects[2] = {NULL, NULL};
  specpi_bundle executable = NULL;
  int64_t value;
  int got = 99;
  for (int different = 1; different >= 0; different--) {
    const int values[] = {3, 3 + different};
    for (size_t i = 0; i < 2; i++) {
      must(specpiBundleSet(inputs[i], "shared", sizeof values[i], &values[i]));
      must(specpiBundleCompile(inputs[i], NULL, &objects[i]));
    }
    must(specpiBundleLink(2, objects, NULL, &executable));
    support_run(executable, "linked", &value, 1);
    assert_int_equal(value, 3003 + different);
    if (different) {
      assert_error(specpiBundleGet(executable, "shared", sizeof got, &got), SPECPI_ERROR_CONFLICT,
                   "constant \"shared\" has different values");
      assert_int_equal(got, 99);
    } else {
      must(specpiBundleGet(executable, "shared", sizeof got, &got));
      assert_int_equal(got, 3);
    }
    specpiBundleRelease(executable);
    specpiBundleRelease(objects[0]);
    specpiBundleRelease(objects[1]);
  }
  specpiBundleRelease(inputs[0]);
  specpiBundleRelease(inputs[1]);
}

TEST(refuses_to_link_other_layouts) {
  test_image first;
  test_image second;
  const specpi_leaf wide[] = {{9, 0, 8}};
  const int64_t defaults = 1;
  image_main(&first);
  image_begin(&second, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin,
              SPECPI_EMBED_SIZE(link_part));
  image_add_constant(&second, "shared", 1, wide);
  image_add_defaults(&second, &defaults, sizeof defaults);
  specpi_bundle inputs[] = {bundle_of(&first, NULL), bundle_of(&second, NULL)};
  specpi_bundle objects[2] = {NULL, NULL};
  specpi_bundle executable = NULL;
  must(specpiBundleCompile(inputs[0], NULL, &objects[0]));
  must(specpiBundleCompile(inputs[1], NULL, &objects[1]));
  assert_error(specpiBundleLink(2, objects, NULL, &executable), SPECPI_ERROR_CONFLICT,
               "constant \"shared\" has another layout in image 0 of object 1 (spir64) (8 bytes, 1 "
               "leaf) than in image 0 of object 0 (spir64, kernel linked) (4 bytes, 1 leaf)");
  assert_null(executable);
  for (size_t i = 0; i < 2; i++) {
    specpiBundleRelease(inputs[i]);
    specpiBundleRelease(objects[i]);
  }
}

TEST(refuses_images_that_contradict) {
  test_image first;
  test_image second;
  const int two = 2;
  const specpi_leaf bytes[] = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}};
  const specpi_leaf twice[] = {{0, 0, 2}, {0, 2, 2}};
  image_main(&first);
  /* Both images have the kernel. */
  image_main(&second);
  assert_error(try_two(&first, &second), SPECPI_ERROR_CONFLICT,
               "kernel \"linked\" is in image 0 (spir64, kernel linked) and in image 1");
  /* The constant's leaves differ. */
  image_begin(&second, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin, 4);
  image_add_constant(&second, "shared", 4, bytes);
  image_add_defaults(&second, &one, sizeof one);
  assert_error(try_two(&first, &second), SPECPI_ERROR_CONFLICT, "another layout in image 1");
  /* The constant's default differs. */
  image_part(&second);
  second.properties[1][0].ValAddr = NULL;
  image_begin(&second, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin, 4);
  image_add_constant(&second, "shared", 1, shared_in_part);
  image_add_defaults(&second, &two, sizeof two);
  assert_error(
      try_two(&first, &second), SPECPI_ERROR_CONFLICT,
      "another default in image 1 (spir64) than in image 0 (spir64, kernel linked): byte 0 "
      "is 0x02, not 0x01");
  /* If one image has no default, the images do not contradict each other. */
  image_begin(&second, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin, 4);
  image_add_constant(&second, "shared", 1, shared_in_part);
  must(try_two(&first, &second));
  /* Two leaves, of one constant or of two, have one id; one name appears twice. */
  image_begin(&second, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin, 4);
  image_add_constant(&second, "a", 2, twice);
  assert_error(try_two(&first, &second), SPECPI_ERROR_INVALID_IMAGE, "with the id 0");
  image_begin(&second, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin, 4);
  image_add_constant(&second, "a", 1, shared_in_part);
  image_add_constant(&second, "b", 1, shared_in_part);
  assert_error(try_two(&first, &second), SPECPI_ERROR_INVALID_IMAGE, "with the id 9");
  image_begin(&second, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin, 4);
  image_add_constant(&second, "a", 1, shared_in_main);
  image_add_constant(&second, "a", 1, shared_in_part);
  assert_error(try_two(&first, &second), SPECPI_ERROR_INVALID_IMAGE, "two constants \"a\"");
}

/* Different bytes in the padding of defaults are no contradiction. */
TEST(lets_padding_differ) {
  const specpi_leaf leaves[] = {{9, 0, 1}, {PI_SPEC_ID_PADDING, 1, 3}};
  const unsigned char defaults[][4] = {{7, 0, 0, 0}, {7, 0, 5, 0}, {8, 0, 0, 0}};
  test_image images[3];
  for (size_t i = 0; i < 3; i++) {
    image_begin(&images[i], PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin, 4);
    image_add_constant(&images[i], "padded", 2, leaves);
    image_add_defaults(&images[i], defaults[i], sizeof defaults[i]);
  }
  must(try_two(&images[0], &images[1]));
  assert_error(try_two(&images[0], &images[2]), SPECPI_ERROR_CONFLICT, "byte 0 is 0x08, not 0x07");
}

TEST(says_which_image_is_not_for_the_device) {
  const specpi_device device = support_device();
  test_image first;
  test_image second;
  image_report(&first);
  image_report(&second);
  second.binary.DeviceTargetSpec = PI_DEVICE_BINARY_TARGET_NVPTX64;
  char sentence[96];
  snprintf(sentence, sizeof sentence, "image 1, with the target \"nvptx64\", is not for %s",
           specpiDeviceGetSelector(device));
  assert_error(try_two(&first, &second), SPECPI_ERROR_NO_IMAGE, sentence);
  specpi_image images[] = {support_image(&second), support_image(&first)};
  size_t index = 99;
  must(specpiImageSelect(device, 2, images, &index));
  assert_int_equal(index, 1);
  index = 99;
  assert_error(specpiImageSelect(device, 1, images, &index), SPECPI_ERROR_NO_IMAGE,
               "no image (of 1)");
  const specpi_result argument = SPECPI_ERROR_INVALID_ARGUMENT;
  assert_error(specpiImageSelect(NULL, 1, images, &index), argument, "device is NULL");
  assert_error(specpiImageSelect(device, 1, NULL, &index), argument, "images is NULL");
  assert_error(specpiImageSelect(device, 0, images, &index), argument, "count is 0");
  assert_error(specpiImageSelect(device, SIZE_MAX, images, &index), argument, "count is ");
  assert_error(specpiImageSelect(device, 1, images, NULL), argument, "index is NULL");
  const specpi_image nothing[] = {images[0], NULL};
  assert_error(specpiImageSelect(device, 2, nothing, &index), argument, "images[1] is NULL");
  assert_int_equal(index, 99);
  /* More images than fit on the stack; native code comes first. */
  enum { MANY = 40 };
  specpi_image many[MANY];
  test_image native;
  image_report(&native);
  native.binary.DeviceTargetSpec = support_native_target();
  specpi_image fast = support_image(&native);
  for (size_t i = 0; i < MANY; i++)
    many[i] = i == 7 ? fast : images[1];
  must(specpiImageSelect(device, MANY, many, &index));
  assert_int_equal(index, 7);
  specpiImageRelease(fast);
  specpiImageRelease(images[0]);
  specpiImageRelease(images[1]);
}

TEST(makes_one_context_per_device) {
  pi_context context = NULL;
  pi_context again = NULL;
  must(specpiDeviceGetContext(support_device(), &context));
  must(specpiDeviceGetContext(support_device(), &again));
  assert_non_null(context);
  assert_ptr_equal(context, again);
  const specpi_result argument = SPECPI_ERROR_INVALID_ARGUMENT;
  assert_error(specpiDeviceGetContext(NULL, &context), argument, "device is NULL");
  assert_error(specpiDeviceGetContext(support_device(), NULL), argument, "context is NULL");
}

/* ---- Buffers ---- */

typedef struct pair {
  float scale;
  char mode;
} pair;

static void run_buffer(specpi_bundle input, int64_t *values) {
  specpi_bundle executable = NULL;
  must(specpiBundleBuild(input, NULL, &executable));
  support_run(executable, "from_buffer", values, BUFFER_VALUES);
  specpiBundleRelease(executable);
}

TEST(fills_the_buffer) {
  test_image image;
  image_buffer(&image);
  specpi_bundle input = bundle_of(&image, NULL);
  int64_t values[BUFFER_VALUES];
  const int64_t letter = INT64_C(1) << 32;
  run_buffer(input, values);
  assert_int_equal(values[0], 7);
  assert_int_equal(values[1], support_bits(0.5f) + 'x' * letter);
  assert_int_equal(values[2], -5);
  const int tile = -2;
  const pair both = {16, 'z'};
  const int64_t big = INT64_MAX;
  must(specpiBundleSet(input, "tile", sizeof tile, &tile));
  must(specpiBundleSet(input, "pair", sizeof both, &both));
  must(specpiBundleSetLeaf(input, "big", 0, sizeof big, &big));
  specpi_bundle object = NULL;
  specpi_bundle executable = NULL;
  must(specpiBundleCompile(input, NULL, &object));
  must(specpiBundleLink(1, &object, NULL, &executable));
  for (int linked = 0; linked < 2; linked++) {
    if (linked)
      support_run(executable, "from_buffer", values, BUFFER_VALUES);
    else
      run_buffer(input, values);
    assert_int_equal(values[0], -2);
    assert_int_equal(values[1], support_bits(16) + 'z' * letter);
    assert_int_equal(values[2], INT64_MAX);
  }
  must(specpiBundleReset(input, "pair"));
  run_buffer(input, values);
  assert_int_equal(values[0], -2);
  assert_int_equal(values[1], support_bits(0.5f) + 'x' * letter);
  specpiBundleRelease(object);
  specpiBundleRelease(executable);
  specpiBundleRelease(input);
}

/* The image does not say which argument is the buffer of constants, so the caller passes it. */
TEST(returns_the_buffer) {
  test_image image;
  image_buffer(&image);
  specpi_bundle input = bundle_of(&image, NULL);
  specpi_bundle executable = NULL;
  pi_mem memory = NULL;
  const specpi_result argument = SPECPI_ERROR_INVALID_ARGUMENT;
  must(specpiBundleBuild(input, NULL, &executable));
  assert_error(specpiBundleGetConstantsBuffer(NULL, "from_buffer", &memory), argument, "bundle");
  assert_error(specpiBundleGetConstantsBuffer(executable, NULL, &memory), argument, "name");
  assert_error(specpiBundleGetConstantsBuffer(executable, "from_buffer", NULL), argument, "buffer");
  assert_error(specpiBundleGetConstantsBuffer(executable, "buffer", &memory),
               SPECPI_ERROR_UNKNOWN_KERNEL, "\"buffer\"");
  assert_error(specpiBundleGetConstantsBuffer(input, "from_buffer", &memory),
               SPECPI_ERROR_INVALID_STATE, "executable, not input");
  assert_null(memory);
  must(specpiBundleGetConstantsBuffer(executable, "from_buffer", &memory));
  bundle_kernel kernel = {0};
  must(bundle_get_kernel(executable, "from_buffer", &kernel));
  assert_non_null(memory);
  assert_ptr_equal(memory, kernel.program->constants);
  specpiBundleRelease(executable);
  specpiBundleRelease(input);
}

/* Native code from the device's compiler, with the properties that compilers write for it. */
TEST(builds_native_code) {
  test_image image;
  image_report(&image);
  specpi_bundle input = bundle_of(&image, NULL);
  specpi_bundle executable = NULL;
  bundle_kernel kernel = {0};
  const int tile = 21;
  must(specpiBundleSet(input, "tile", sizeof tile, &tile));
  must(specpiBundleBuild(input, NULL, &executable));
  must(bundle_get_kernel(executable, "report", &kernel));
  const pi_function_table *pi = specpiDeviceGetFunctions(support_device());
  size_t size = 0;
  assert_int_equal(pi->piProgramGetInfo(kernel.program->handle, PI_PROGRAM_INFO_BINARY_SIZES,
                                        sizeof size, &size, NULL),
                   PI_SUCCESS);
  unsigned char *code = malloc(size);
  assert_non_null(code);
  assert_int_equal(pi->piProgramGetInfo(kernel.program->handle, PI_PROGRAM_INFO_BINARIES,
                                        sizeof code, &code, NULL),
                   PI_SUCCESS);
  specpiBundleRelease(executable);
  specpiBundleRelease(input);

  const uint32_t required[] = {1, 1, 1};
  image_begin(&image, support_native_target(), code, size);
  image.binary.Format = PI_DEVICE_BINARY_TYPE_NATIVE;
  image_add_kernel(&image, "report");
  image_add_bytes(&image, PI_PROPERTY_SET_PROGRAM_METADATA, "report@reqd_work_group_size", required,
                  sizeof required);
  input = bundle_of(&image, NULL);
  free(code);
  must(specpiBundleBuild(input, NULL, &executable));
  int64_t values[REPORT_VALUES];
  support_run(executable, "report", values, REPORT_VALUES);
  assert_int_equal(values[0], 21);
  assert_int_equal(values[6], -5);
  specpiBundleRelease(executable);
  specpiBundleRelease(input);
}

/* Images whose constants' sizes include padding at the end, and images whose buffer of constants
 * the runtime fills. */
TEST(knows_how_values_reach_the_code) {
  static const char ptx[] = ".version 7.0\n";
  static const char patched[] = ".version 7.0\n//!specpi 1 patch\n//!specpi end 13 30 0\n\0";
  static const char spoiled[] = "//!specpi end 1 1 0\n.version 7.0\n";
  static const struct {
    const char *target;
    const char *code;
    size_t size;
    size_t constant;
    bool has_set;
    bool buffer;
  } rows[] = {
      {"spir64", ptx, sizeof ptx, 8, false, false},
      {"spir", ptx, sizeof ptx, 8, false, false},
      {"spir64", ptx, sizeof ptx, 5, true, true},
      {"spir64_x86_64", ptx, sizeof ptx, 5, false, true},
      {"nvptx64", ptx, sizeof ptx, 5, false, false},
      {"nvptx64", patched, sizeof patched, 8, false, false},
      {"nvptx64", patched, sizeof patched, 5, true, false},
      {"nvptx64", spoiled, sizeof spoiled, 5, false, false},
      {"nvptx64", ptx, 0, 5, false, false},
  };
  const specpi_leaf leaves[] = {{0, 0, 4}, {1, 4, 1}, {PI_SPEC_ID_PADDING, 5, 3}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    test_image image;
    image_begin(&image, rows[i].target, rows[i].code, rows[i].size);
    image_add_constant(&image, "pair", 3, leaves);
    if (rows[i].has_set)
      image_add_set(&image, "specpi/buffer arguments");
    specpi_image made = support_image(&image);
    specpi_constant constant;
    size_t count = 0;
    must(specpiImageGetConstants(made, 1, &constant, &count));
    if (constant.size != rows[i].constant ||
        (made->values == IMAGE_VALUES_IN_BUFFER) != rows[i].buffer ||
        specpiImageHasNativeConstants(made) != (rows[i].constant == 8))
      fail_msg("row %zu: %zu bytes", i, constant.size);
    specpiImageRelease(made);
  }
  test_image image;
  image_begin(&image, "spir64", ptx, sizeof ptx);
  specpi_image without = support_image(&image);
  assert_false(specpiImageHasNativeConstants(without));
  assert_false(specpiImageHasNativeConstants(NULL));
  specpiImageRelease(without);
  image_add_constant(&image, "pair", 3, leaves);
  image_add_number(&image, "SYCL/misc properties", "specConstsReplacedWithDefault", 1);
  specpi_image replaced = support_image(&image);
  assert_false(specpiImageHasNativeConstants(replaced));
  specpiImageRelease(replaced);
}

TEST(needs_values_for_the_buffer) {
  test_image image;
  image_buffer(&image);
  /* Removes the set of the defaults, which is the second of three. */
  image.sets[1] = image.sets[2];
  image.binary.PropertySetsEnd--;
  specpi_bundle input = bundle_of(&image, NULL);
  specpi_bundle executable = NULL;
  const int tile = 1;
  const pair both = {2, 'b'};
  const int64_t big = 3;
  must(specpiBundleSet(input, "tile", sizeof tile, &tile));
  must(specpiBundleSet(input, "pair", sizeof both, &both));
  assert_error(
      specpiBundleBuild(input, NULL, &executable), SPECPI_ERROR_NO_VALUE,
      "constant \"big\" is read from a buffer, has no default in the image, and bytes 0 to "
      "8 of it are not set");
  assert_error(specpiBundleCompile(input, NULL, &executable), SPECPI_ERROR_NO_VALUE, "\"big\"");
  assert_null(executable);
  int64_t got = 99;
  assert_error(specpiBundleGet(input, "big", sizeof got, &got), SPECPI_ERROR_NO_VALUE,
               "constant \"big\" is not set");
  assert_int_equal(got, 99);
  must(specpiBundleSet(input, "big", sizeof big, &big));
  must(specpiBundleGet(input, "big", sizeof got, &got));
  assert_int_equal(got, 3);
  int64_t values[BUFFER_VALUES];
  run_buffer(input, values);
  assert_int_equal(values[2], 3);
  must(specpiBundleReset(input, "big"));
  assert_error(specpiBundleGet(input, "big", sizeof got, &got), SPECPI_ERROR_NO_VALUE, "\"big\"");
  specpiBundleRelease(input);
}

/* The image does not list the members of "pair"; they can be set nevertheless. */
TEST(sets_parts_in_the_buffer) {
  test_image image;
  image_buffer(&image);
  specpi_bundle input = bundle_of(&image, NULL);
  const int64_t letter = INT64_C(1) << 32;
  const float scale = 16;
  const char mode = 'z';
  int64_t values[BUFFER_VALUES];
  must(specpiBundleSetLeaf(input, "pair", offsetof(pair, scale), sizeof scale, &scale));
  run_buffer(input, values);
  assert_int_equal(values[1], support_bits(16) + 'x' * letter);
  must(specpiBundleSetLeaf(input, "pair", offsetof(pair, mode), sizeof mode, &mode));
  run_buffer(input, values);
  assert_int_equal(values[1], support_bits(16) + 'z' * letter);
  const specpi_result size = SPECPI_ERROR_INVALID_SIZE;
  assert_error(specpiBundleSetLeaf(input, "pair", 4, 0, &mode), size, "begins at byte 4");
  assert_error(specpiBundleSetLeaf(input, "pair", 4, 5, values), size, "begins at byte 4");
  assert_error(specpiBundleSetLeaf(input, "pair", 0, 9, values), size, "9 given");
  assert_error(specpiBundleSetLeaf(input, "pair", 1, SIZE_MAX, values), size, "begins at byte 1");
  assert_error(specpiBundleSetLeaf(input, "pair", SIZE_MAX, 2, values), size, "begins at byte");
  specpiBundleRelease(input);
  /* Without defaults the other bytes are unknown. */
  image.sets[1] = image.sets[2];
  image.binary.PropertySetsEnd--;
  input = bundle_of(&image, NULL);
  const pair both = {2, 'b'};
  pair got;
  assert_error(specpiBundleSetLeaf(input, "pair", 0, sizeof scale, &scale), SPECPI_ERROR_NO_VALUE,
               "the 8 bytes from byte 0 on have to be set together");
  must(specpiBundleSet(input, "pair", sizeof both, &both));
  must(specpiBundleSetLeaf(input, "pair", 0, sizeof scale, &scale));
  must(specpiBundleGet(input, "pair", sizeof got, &got));
  assert_true(got.scale == 16 && got.mode == 'b');
  specpiBundleRelease(input);
}

/* A constant in a buffer may be a vector of three with 12 bytes; a host vector has 16. */
TEST(takes_host_vectors_for_buffers) {
  test_image image;
  image_begin(&image, PI_DEVICE_BINARY_TARGET_SPIRV64, link_part_begin, 4);
  const specpi_leaf point[] = {{0, 0, 12}, {PI_SPEC_ID_PADDING, 12, 4}};
  const specpi_leaf other[] = {{1, 0, 15}};
  const float zeros[8] = {0};
  image_add_constant(&image, "point", 2, point);
  image_add_constant(&image, "other", 1, other);
  image_add_defaults(&image, zeros, 31);
  image_add_set(&image, "specpi/buffer arguments");
  specpi_bundle input = bundle_of(&image, NULL);
  const float four[4] = {1, 2, 3, 4};
  must(specpiBundleSet(input, "point", 16, four));
  must(specpiBundleSet(input, "point", 12, four));
  assert_error(specpiBundleSet(input, "point", 15, four), SPECPI_ERROR_INVALID_SIZE,
               "takes 12 or 16 bytes, 15 given");
  assert_error(specpiBundleSet(input, "other", 16, four), SPECPI_ERROR_INVALID_SIZE,
               "takes 15 bytes, 16 given");
  float got[4];
  must(specpiBundleGet(input, "point", sizeof got, got));
  assert_true(got[2] == 3 && got[3] == 0);
  specpiBundleRelease(input);
}

/* ---- Builds that fail ---- */

TEST(returns_the_log) {
  test_image image;
  image_main(&image);
  specpi_bundle input = bundle_of(&image, NULL);
  specpi_bundle object = NULL;
  specpi_bundle none = NULL;
  /* The function is in the other module. */
  assert_error(specpiBundleBuild(input, "", &none), SPECPI_ERROR_BUILD_FAILED, "piProgramBuild");
  assert_non_null(strstr(specpiGetLastError(), "part"));
  assert_non_null(strstr(specpiGetBuildLog(), "part"));
  must(specpiBundleCompile(input, "", &object));
  assert_error(specpiBundleLink(1, &object, "", &none), SPECPI_ERROR_BUILD_FAILED, "piProgramLink");
  assert_error(specpiBundleBuild(input, "-no-such-option", &none), SPECPI_ERROR_BUILD_FAILED,
               "-no-such-option");
  assert_error(specpiBundleCompile(input, "-no-such-option", &none), SPECPI_ERROR_BUILD_FAILED,
               "-no-such-option");
  assert_null(none);
  specpiBundleRelease(object);
  specpiBundleRelease(input);
}

/*
 * The image's options are used, except those for other devices. Bad link options are tested over
 * the fake OpenCL, because Intel's runtime reads freed memory when it refuses one.
 */
TEST(uses_the_images_options) {
  test_image image;
  image_report(&image);
  image_add_number(&image, PI_PROPERTY_SET_SYCL_MISC_PROP, "optLevel", 0);
  image.binary.CompileOptions =
      "-ftarget-register-alloc-mode=pvc:auto -cl-mad-enable -ftarget-register-alloc-mode=x";
  specpi_bundle input = bundle_of(&image, NULL);
  specpi_bundle executable = NULL;
  must(specpiBundleBuild(input, "-cl-fast-relaxed-math", &executable));
  bundle_kernel kernel = {0};
  must(bundle_get_kernel(executable, "report", &kernel));
  char options[256] = "";
  assert_int_equal(
      specpiDeviceGetFunctions(support_device())
          ->piProgramGetBuildInfo(kernel.program->handle, specpiDeviceGetHandle(support_device()),
                                  PI_PROGRAM_BUILD_INFO_OPTIONS, sizeof options, options, NULL),
      PI_SUCCESS);
  /* Each backend has its own option for the optimisation level. */
  assert_string_equal(options, support_is_level_zero()
                                   ? "-cl-mad-enable -ze-opt-disable -cl-fast-relaxed-math"
                                   : "-cl-mad-enable -cl-opt-disable -cl-fast-relaxed-math");
  specpiBundleRelease(executable);
  specpiBundleRelease(input);

  image.binary.CompileOptions = "-no-such-compile-option";
  input = bundle_of(&image, NULL);
  assert_error(specpiBundleBuild(input, NULL, &executable), SPECPI_ERROR_BUILD_FAILED,
               "-no-such-compile-option");
  specpiBundleRelease(input);
}

/* Bytes that are no code, in each function that makes programs from images. */
TEST(refuses_bad_code) {
  static const unsigned char nothing[] = "\x03\x02\x23\x07 and then nothing that makes sense";
  const size_t sizes[] = {4, 18, sizeof nothing};
  specpi_bundle none = NULL;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    test_image image;
    image_begin(&image, PI_DEVICE_BINARY_TARGET_SPIRV64, nothing, sizes[i]);
    specpi_bundle input = bundle_of(&image, NULL);
    assert_error(specpiBundleBuild(input, NULL, &none), SPECPI_ERROR_DRIVER, "piProgramCreate");
    specpiBundleRelease(input);
    image.binary.Format = PI_DEVICE_BINARY_TYPE_NATIVE;
    image.binary.DeviceTargetSpec = support_native_target();
    input = bundle_of(&image, NULL);
    assert_error(specpiBundleBuild(input, NULL, &none), SPECPI_ERROR_DRIVER,
                 "piProgramCreateWithBinary");
    specpiBundleRelease(input);
  }
  /* The image has a constant that the module lacks. */
  test_image image;
  const specpi_leaf foreign[] = {{77, 0, 4}};
  const int value = 1;
  image_report(&image);
  image_begin(&image, PI_DEVICE_BINARY_TARGET_SPIRV64, image.binary.BinaryStart,
              (size_t)(image.binary.BinaryEnd - image.binary.BinaryStart));
  image_add_constant(&image, "foreign", 1, foreign);
  specpi_bundle input = bundle_of(&image, NULL);
  must(specpiBundleSet(input, "foreign", sizeof value, &value));
  assert_error(specpiBundleBuild(input, NULL, &none), SPECPI_ERROR_DRIVER,
               "piextProgramSetSpecializationConstant for \"foreign\" (id 77, 4 bytes) failed with "
               "the code (-71): the module declares no constant with id 77");
  assert_null(none);
  specpiBundleRelease(input);
}

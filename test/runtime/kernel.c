/* Kernels: their properties, and an image's facts about their arguments. */
#include "launch_world.h"

/* A property's byte array: its length in bits, then the bytes. */
#define BITS(bits) (unsigned char)(bits), 0, 0, 0, 0, 0, 0, 0
#define WORD(value) (unsigned char)(value), 0, 0, 0

#define BYTES_PROPERTY(name, bytes)                                                                \
  { name, bytes, PI_PROPERTY_TYPE_BYTE_ARRAY, sizeof(bytes) }

/* A set of one property. */
#define SET_OF(set_name, property)                                                                 \
  { set_name, &(property), &(property) + 1 }

static specpi_kernel kernel_with(const char *name, pi_device_binary_property_set sets,
                                 size_t count) {
  specpi_bundle bundle = world_bundle_with(WORLD_LAUNCH, name, sets, count);
  specpi_kernel kernel;
  WORKS(specpiKernelCreate(bundle, name, &kernel));
  specpiBundleRelease(bundle);
  return kernel;
}

TEST(knows_itself) {
  specpi_kernel kernel = world_kernel(WORLD_ARGUMENTS, "values");
  assert_string_equal(specpiKernelGetName(kernel), "values");
  assert_ptr_equal(specpiKernelGetDevice(kernel), world_device());
  assert_non_null(specpiKernelGetHandle(kernel));
  specpi_kernel_info info;
  WORKS(specpiKernelGetInfo(kernel, &info));
  assert_int_equal(info.argument_count, 11);
  assert_true(info.group_size >= 1);
  assert_true(info.preferred_multiple >= 1);
  assert_int_equal(info.required[0] + info.required[1] + info.required[2], 0);
  specpiKernelRetain(kernel);
  specpiKernelRelease(kernel);
  assert_string_equal(specpiKernelGetName(kernel), "values");
  specpiKernelRelease(kernel);

  kernel = world_kernel(WORLD_ARGUMENTS, "fixed_group");
  WORKS(specpiKernelGetInfo(kernel, &info));
  assert_int_equal(info.required[0], 4);
  assert_int_equal(info.required[1], 2);
  assert_int_equal(info.required[2], 1);
  specpiKernelRelease(kernel);
  specpiKernelRetain(NULL);
  specpiKernelRelease(NULL);
}

/* Four arguments in the source, the first and third of which were removed. */
TEST(skips_removed_arguments) {
  unsigned char mask[] = {BITS(4), 0x05};
  pi_device_binary_property_struct property = BYTES_PROPERTY("two_left", mask);
  pi_device_binary_property_set_struct set =
      SET_OF(PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO, property);
  specpi_kernel kernel = kernel_with("two_left", &set, 1);
  specpi_kernel_info info;
  WORKS(specpiKernelGetInfo(kernel, &info));
  assert_int_equal(info.argument_count, 4);
  specpi_queue queue = world_queue(0);
  specpi_buffer buffer = world_buffer(8, NULL);
  const int value = -9;
  const specpi_range range = {.dimensions = 1, .global = {2}};
  /* Values for removed arguments are ignored, even their kinds. */
  const specpi_argument arguments[] = {{.kind = (specpi_argument_kind)77},
                                       specpiArgumentBuffer(buffer),
                                       specpiArgumentLocal(0),
                                       SPECPI_ARGUMENT_OF(value)};
  WORKS(specpiKernelLaunch(kernel, queue, &range, 4, arguments, 0, NULL, NULL));
  int found[2];
  world_read(queue, buffer, found);
  assert_int_equal(found[0], -9);
  assert_int_equal(found[1], -9);
  REFUSES(specpiKernelLaunch(kernel, queue, &range, 2, arguments, 0, NULL, NULL),
          "kernel \"two_left\" takes 4 arguments, 2 given");
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
  specpiKernelRelease(kernel);
}

/* By the image's mask three arguments are left, but the program's kernel has two. */
TEST(refuses_a_wrong_mask) {
  unsigned char mask[] = {BITS(4), 0x01};
  pi_device_binary_property_struct property = BYTES_PROPERTY("two_left", mask);
  pi_device_binary_property_set_struct set =
      SET_OF(PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO, property);
  specpi_bundle bundle = world_bundle_with(WORLD_LAUNCH, "two_left", &set, 1);
  specpi_kernel kernel = NULL;
  FAILS(specpiKernelCreate(bundle, "two_left", &kernel), SPECPI_ERROR_INVALID_IMAGE,
        "3 arguments after elimination, and its program that it has 2");
  assert_null(kernel);
  specpiBundleRelease(bundle);
}

/* Only the image, not the driver, knows the required work-group size. */
TEST(takes_the_required_size_of_the_image) {
  unsigned char size[] = {BITS(64), WORD(8), WORD(1)};
  pi_device_binary_property_struct property = BYTES_PROPERTY("scale@reqd_work_group_size", size);
  pi_device_binary_property_set_struct set = SET_OF(PI_PROPERTY_SET_PROGRAM_METADATA, property);
  specpi_kernel kernel = kernel_with("scale", &set, 1);
  specpi_kernel_info info;
  WORKS(specpiKernelGetInfo(kernel, &info));
  assert_int_equal(info.required[0], 8);
  assert_int_equal(info.required[1], 1);
  assert_int_equal(info.required[2], 1);
  specpi_queue queue = world_queue(0);
  specpi_buffer buffer = world_buffer(64, NULL);
  const float factor = 2;
  const specpi_argument arguments[] = {specpiArgumentBuffer(buffer), SPECPI_ARGUMENT_OF(factor)};
  specpi_range range = {.dimensions = 1, .global = {16}};
  WORKS(specpiKernelLaunch(kernel, queue, &range, 2, arguments, 0, NULL, NULL));
  range.local[0] = 8;
  WORKS(specpiKernelLaunch(kernel, queue, &range, 2, arguments, 0, NULL, NULL));
  range.local[0] = 4;
  REFUSES(specpiKernelLaunch(kernel, queue, &range, 2, arguments, 0, NULL, NULL),
          "kernel \"scale\" requires the local size 8x1x1, the given one is 4x1x1");
  range = (specpi_range){.dimensions = 1, .global = {12}};
  REFUSES(specpiKernelLaunch(kernel, queue, &range, 2, arguments, 0, NULL, NULL),
          "the local size 8x1x1 does not divide the global size 12x");
  WORKS(specpiQueueFinish(queue));
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
  specpiKernelRelease(kernel);
}

/* The CUDA plugin reads this metadata too, and checks it before libspecpi. */
static void refuses_size(unsigned char *bytes, size_t size, const char *part) {
  pi_device_binary_property_struct property = {"scale@reqd_work_group_size", bytes,
                                               PI_PROPERTY_TYPE_BYTE_ARRAY, size};
  pi_device_binary_property_set_struct set = SET_OF(PI_PROPERTY_SET_PROGRAM_METADATA, property);
  specpi_bundle bundle = NULL;
  specpi_kernel kernel = NULL;
  if (world_is_cuda()) {
    FAILS(world_try_bundle_with(WORLD_LAUNCH, "scale", &set, 1, &bundle), SPECPI_ERROR_DRIVER,
          "\"scale@reqd_work_group_size\"");
    assert_null(bundle);
    return;
  }
  bundle = world_bundle_with(WORLD_LAUNCH, "scale", &set, 1);
  FAILS(specpiKernelCreate(bundle, "scale", &kernel), SPECPI_ERROR_INVALID_IMAGE, part);
  assert_null(kernel);
  specpiBundleRelease(bundle);
}

TEST(refuses_a_wrong_required_size) {
  unsigned char odd[] = {BITS(40), WORD(8), 0};
  unsigned char none[] = {BITS(0)};
  unsigned char four[] = {BITS(128), WORD(1), WORD(1), WORD(1), WORD(1)};
  unsigned char zero[] = {BITS(64), WORD(8), WORD(0)};
  refuses_size(odd, sizeof odd, "has 5 bytes");
  refuses_size(none, sizeof none, "has 0 bytes");
  refuses_size(four, sizeof four, "has 16 bytes");
  refuses_size(zero, sizeof zero, "is 0 in entry 1");
}

/* An emulated image: only the runtime sets the buffer of constants. */
static void sets_the_constants_of_an_emulated_image(void **state) {
  (void)state;
  unsigned char record[] = {BITS(96), WORD(0), WORD(0), WORD(4)};
  unsigned char defaults[] = {BITS(32), WORD(21)};
  pi_device_binary_property_struct constant = BYTES_PROPERTY("number", record);
  pi_device_binary_property_struct all = BYTES_PROPERTY("all", defaults);
  pi_device_binary_property_struct argument = {"emulated", NULL, PI_PROPERTY_TYPE_UINT32, 1};
  pi_device_binary_property_set_struct sets[] = {
      SET_OF(PI_PROPERTY_SET_SPEC_CONST_MAP, constant),
      SET_OF(PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP, all),
      SET_OF("specpi/buffer arguments", argument)};
  specpi_kernel kernel = kernel_with("emulated", sets, COUNT_OF(sets));
  specpi_kernel_info info;
  WORKS(specpiKernelGetInfo(kernel, &info));
  assert_int_equal(info.argument_count, 2);
  specpi_queue queue = world_queue(0);
  specpi_buffer buffer = world_buffer(8, NULL);
  const specpi_range range = {.dimensions = 1, .global = {2}};
  const int factor = 3;
  const specpi_argument arguments[] = {specpiArgumentBuffer(buffer), SPECPI_ARGUMENT_OF(factor)};
  WORKS(specpiKernelLaunch(kernel, queue, &range, 2, arguments, 0, NULL, NULL));
  int found[2];
  world_read(queue, buffer, found);
  assert_int_equal(found[0], 63);
  assert_int_equal(found[1], 63);
  specpiKernelRelease(kernel);

  /* The image names an argument that the kernel lacks. */
  argument.ValSize = 3;
  specpi_bundle bundle = world_bundle_with(WORLD_LAUNCH, "emulated", sets, COUNT_OF(sets));
  kernel = NULL;
  FAILS(specpiKernelCreate(bundle, "emulated", &kernel), SPECPI_ERROR_INVALID_IMAGE,
        "argument 3 of kernel \"emulated\"");
  assert_null(kernel);
  specpiBundleRelease(bundle);
  specpiBufferRelease(buffer);
  specpiQueueRelease(queue);
}

/* Lists the parameters of a kernel of launch.cl, in an image with these sets. */
static size_t parameters_of(const char *name, pi_device_binary_property_set sets, size_t set_count,
                            specpi_parameter *ret, size_t capacity) {
  specpi_image image;
  size_t count;
  specpi_bundle bundle = world_bundle_with(WORLD_LAUNCH, name, sets, set_count);
  WORKS(specpiBundleGetImages(bundle, 1, &image, &count));
  WORKS(specpiImageGetParameters(image, name, capacity, ret, &count));
  specpiBundleRelease(bundle);
  return count;
}

TEST(parameters_are_those_of_the_source) {
  specpi_parameter found[4];
  unsigned char mask[] = {BITS(4), 0x05};
  pi_device_binary_property_struct property = BYTES_PROPERTY("two_left", mask);
  pi_device_binary_property_set_struct removed =
      SET_OF(PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO, property);
  assert_int_equal(parameters_of("two_left", &removed, 1, found, 4), 4);
  assert_int_equal(found[0].kind, SPECPI_PARAMETER_REMOVED);
  assert_int_equal(found[1].size, 8);
  assert_int_equal(found[2].kind, SPECPI_PARAMETER_REMOVED);
  assert_int_equal(found[3].size, 4);
  if (world_is_cuda()) { /* PTX has sizes only */
    assert_int_equal(parameters_of("scale", NULL, 0, found, 4), 2);
    assert_int_equal(found[0].kind, SPECPI_PARAMETER_UNKNOWN);
    assert_int_equal(found[1].kind, SPECPI_PARAMETER_VALUE);
    return;
  }
  assert_int_equal(found[1].kind, SPECPI_PARAMETER_POINTER);
  assert_int_equal(found[3].kind, SPECPI_PARAMETER_VALUE);
  assert_string_equal(found[1].type, "global i32*");
  assert_string_equal(found[1].scalar, "i32");
  assert_int_equal(found[1].pointee_size, 4);
  assert_int_equal(found[1].access, SPECPI_ACCESS_WRITTEN);
  assert_string_equal(found[3].scalar, "i32");

  /* The buffer of constants is not listed; a smaller capacity leaves the other elements alone. */
  pi_device_binary_property_struct argument = {"emulated", NULL, PI_PROPERTY_TYPE_UINT32, 0};
  pi_device_binary_property_set_struct emulated = SET_OF("specpi/buffer arguments", argument);
  found[1].kind = SPECPI_PARAMETER_SAMPLER;
  assert_int_equal(parameters_of("emulated", &emulated, 1, found, 1), 2);
  assert_int_equal(found[0].access, SPECPI_ACCESS_READ);
  assert_int_equal(found[1].kind, SPECPI_PARAMETER_SAMPLER);
  assert_int_equal(parameters_of("nothing", NULL, 0, found, 4), 0);
}

TEST(parameters_are_read_once) {
  specpi_image image;
  specpi_parameter found[2];
  size_t count;
  size_t size;
  specpi_bundle bundle = world_bundle_with(WORLD_LAUNCH, "scale", NULL, 0);
  WORKS(specpiBundleGetImages(bundle, 1, &image, &count));
  WORKS(specpiImageGetParameters(image, "scale", 2, found, &count));
  assert_int_equal(count, 2);
  /* Damaged code could not be read a second time. */
  unsigned char *code = (unsigned char *)(uintptr_t)specpiImageGetBytes(image, &size);
  code[0] ^= 0xff;
  WORKS(specpiImageGetParameters(image, "scale", 2, found, &count));
  code[0] ^= 0xff;
  assert_int_equal(count, 2);
  specpiBundleRelease(bundle);
}

TEST(parameters_that_cannot_be_told_are_refused) {
  specpi_image image;
  specpi_parameter one;
  size_t count = 77;
  unsigned char mask[] = {BITS(4), 0x01};
  pi_device_binary_property_struct property = BYTES_PROPERTY("two_left", mask);
  pi_device_binary_property_set_struct set =
      SET_OF(PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO, property);
  specpi_bundle bundle = world_bundle_with(WORLD_LAUNCH, "two_left", &set, 1);
  WORKS(specpiBundleGetImages(bundle, 1, &image, &(size_t){0}));
  FAILS(specpiImageGetParameters(image, "two_left", 1, &one, &count), SPECPI_ERROR_INVALID_IMAGE,
        "3 arguments after elimination, and its program that it has 2");
  REFUSES(specpiImageGetParameters(NULL, "two_left", 1, &one, &count), "image is NULL");
  REFUSES(specpiImageGetParameters(image, NULL, 1, &one, &count), "kernel is NULL");
  REFUSES(specpiImageGetParameters(image, "two_left", 1, NULL, &count), "parameters is NULL");
  REFUSES(specpiImageGetParameters(image, "two_left", 1, &one, NULL), "count is NULL");
  assert_int_equal(count, 77);
  WORKS(specpiImageGetParameters(image, "three_left", 1, &one, &count));
  assert_int_equal(count, 0);
  assert_string_equal(specpiParameterKindGetName(SPECPI_PARAMETER_REMOVED), "removed");
  assert_null(specpiParameterKindGetName((specpi_parameter_kind)7));
  specpiBundleRelease(bundle);
}

TEST(refuses) {
  specpi_kernel kernel = NULL;
  specpi_bundle bundle = world_bundle(WORLD_LAUNCH);
  REFUSES(specpiKernelCreate(NULL, "scale", &kernel), "bundle is NULL");
  REFUSES(specpiKernelCreate(bundle, NULL, &kernel), "name is NULL");
  REFUSES(specpiKernelCreate(bundle, "scale", NULL), "kernel is NULL");
  FAILS(specpiKernelCreate(bundle, "skale", &kernel), SPECPI_ERROR_UNKNOWN_KERNEL, "skale");
  specpi_image image;
  size_t count;
  specpi_bundle input;
  WORKS(specpiBundleGetImages(bundle, 1, &image, &count));
  WORKS(specpiBundleCreate(world_device(), 1, &image, &input));
  FAILS(specpiKernelCreate(input, "scale", &kernel), SPECPI_ERROR_INVALID_STATE, "input");
  specpiBundleRelease(input);
  assert_null(kernel);

  specpi_kernel_info info;
  kernel = world_kernel(WORLD_LAUNCH, "scale");
  REFUSES(specpiKernelGetInfo(NULL, &info), "kernel is NULL");
  REFUSES(specpiKernelGetInfo(kernel, NULL), "info is NULL");
  assert_null(specpiKernelGetName(NULL));
  assert_null(specpiKernelGetDevice(NULL));
  assert_null(specpiKernelGetHandle(NULL));
  specpiKernelRelease(kernel);
}

int main(void) {
  const struct CMUnitTest emulated[] = {cmocka_unit_test(sets_the_constants_of_an_emulated_image)};
  /* The CUDA plugin sets the buffer itself; the tests of whole images check that. */
  return tests_run(NULL, world_end) +
         (world_is_cuda() ? 0 : cmocka_run_group_tests(emulated, NULL, world_end));
}

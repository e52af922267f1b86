/* Registration by hand, and by libraries that are loaded and unloaded while their bundles live. */
#include "support.h"

#include <dlfcn.h>

static size_t count_images(void) {
  size_t count = 99;
  must(specpiImagesGet(0, NULL, &count));
  return count;
}

TEST(registers_and_unregisters) {
  test_image first;
  test_image second;
  image_report(&first);
  image_buffer(&second);
  pi_device_binary_struct tables[] = {first.binary, second.binary, first.binary};
  const pi_device_binaries_struct two = {PI_DEVICE_BINARIES_VERSION, 2, tables, NULL, NULL};
  const pi_device_binaries_struct one = {PI_DEVICE_BINARIES_VERSION, 1, tables + 2, NULL, NULL};
  assert_int_equal(count_images(), 0);
  must(specpiRegister(&two));
  must(specpiRegister(&one));
  specpi_image images[4] = {NULL, NULL, NULL, NULL};
  size_t count = 0;
  must(specpiImagesGet(4, images, &count));
  assert_int_equal(count, 3);
  assert_ptr_equal(specpiImageGetBytes(images[1], NULL), second.binary.BinaryStart);
  assert_null(images[3]);
  images[2] = NULL;
  must(specpiImagesGet(2, images, &count));
  assert_int_equal(count, 3);
  assert_null(images[2]);
  /* A table that is registered twice must be unregistered twice, but is copied once. */
  must(specpiRegister(&two));
  assert_int_equal(count_images(), 3);
  must(specpiUnregister(&two));
  assert_int_equal(count_images(), 3);
  must(specpiUnregister(&two));
  must(specpiImagesGet(4, images, &count));
  assert_int_equal(count, 1);
  must(specpiUnregister(&one));
  assert_int_equal(count_images(), 0);
  assert_error(specpiUnregister(&one), SPECPI_ERROR_INVALID_ARGUMENT, "is not registered");
}

TEST(finds_the_image_of_a_kernel) {
  const specpi_device device = support_device();
  test_image wrong;
  test_image right;
  image_report(&wrong);
  image_report(&right);
  wrong.binary.DeviceTargetSpec = PI_DEVICE_BINARY_TARGET_NVPTX64;
  pi_device_binary_struct tables[] = {wrong.binary, right.binary, wrong.binary};
  pi_device_binaries_struct binaries = {PI_DEVICE_BINARIES_VERSION, 3, tables, NULL, NULL};
  specpi_bundle bundle = NULL;
  assert_error(
      specpiBundleCreateForKernel(device, "report", &bundle), SPECPI_ERROR_UNKNOWN_KERNEL,
      "no registered image has a kernel \"report\": no image is registered at all; link the "
      "object that specpi-cc makes of the kernels to the program, in CMake by "
      "specpi_target_kernels(PROGRAM SOURCES FILE.cl)");
  must(specpiRegister(&binaries));
  assert_error(specpiBundleCreateForKernel(device, "reports", &bundle), SPECPI_ERROR_UNKNOWN_KERNEL,
               "no registered image has a kernel \"reports\"");
  assert_null(strstr(specpiGetLastError(), "at all"));
  const specpi_result argument = SPECPI_ERROR_INVALID_ARGUMENT;
  assert_error(specpiBundleCreateForKernel(NULL, "report", &bundle), argument, "device is NULL");
  assert_error(specpiBundleCreateForKernel(device, NULL, &bundle), argument, "kernel is NULL");
  assert_error(specpiBundleCreateForKernel(device, "report", NULL), argument, "bundle is NULL");
  assert_null(bundle);
  must(specpiBundleCreateForKernel(device, "report", &bundle));
  must(specpiUnregister(&binaries));
  /* The bundles have copies of the images. */
  memset(&right, 0xa5, sizeof right);
  memset(tables, 0xa5, sizeof tables);
  const int tile = 9;
  must(specpiBundleSet(bundle, "tile", sizeof tile, &tile));
  specpi_bundle executable = NULL;
  must(specpiBundleBuild(bundle, NULL, &executable));
  int64_t values[REPORT_VALUES];
  support_run(executable, "report", values, REPORT_VALUES);
  assert_int_equal(values[0], 9);
  specpiBundleRelease(executable);
  specpiBundleRelease(bundle);

  tables[0] = wrong.binary;
  binaries.NumDeviceBinaries = 1;
  must(specpiRegister(&binaries));
  char sentence[64];
  snprintf(sentence, sizeof sentence, "no image (of 1) is for %s", specpiDeviceGetSelector(device));
  assert_error(specpiBundleCreateForKernel(device, "report", &bundle), SPECPI_ERROR_NO_IMAGE,
               sentence);
  must(specpiUnregister(&binaries));
}

TEST(leaves_out_damaged_images) {
  test_image good;
  image_report(&good);
  pi_device_binary_struct tables[] = {good.binary, good.binary, good.binary, good.binary,
                                      good.binary};
  tables[0].Version = 7;
  tables[1].DeviceTargetSpec = NULL;
  tables[2].BinaryEnd = tables[2].BinaryStart - 1;
  tables[3].PropertySetsEnd = NULL;
  const pi_device_binaries_struct binaries = {PI_DEVICE_BINARIES_VERSION, 5, tables, NULL, NULL};
  must(specpiRegister(&binaries));
  assert_int_equal(count_images(), 1);
  must(specpiUnregister(&binaries));
}

TEST(refuses_bad_tables) {
  const pi_device_binaries_struct newer = {2, 0, NULL, NULL, NULL};
  const pi_device_binaries_struct without = {PI_DEVICE_BINARIES_VERSION, 1, NULL, NULL, NULL};
  const pi_device_binaries_struct empty = {PI_DEVICE_BINARIES_VERSION, 0, NULL, NULL, NULL};
  assert_error(specpiRegister(NULL), SPECPI_ERROR_INVALID_ARGUMENT, "binaries is NULL");
  assert_error(specpiUnregister(NULL), SPECPI_ERROR_INVALID_ARGUMENT, "binaries is NULL");
  assert_error(specpiRegister(&newer), SPECPI_ERROR_INVALID_IMAGE, "version 2, not 1");
  assert_error(specpiRegister(&without), SPECPI_ERROR_INVALID_IMAGE, "counts 1, and has none");
  assert_error(specpiUnregister(&newer), SPECPI_ERROR_INVALID_ARGUMENT, "is not registered");
  must(specpiRegister(&empty));
  must(specpiUnregister(&empty));
  size_t count = 99;
  assert_error(specpiImagesGet(0, NULL, NULL), SPECPI_ERROR_INVALID_ARGUMENT, "count is NULL");
  assert_error(specpiImagesGet(1, NULL, &count), SPECPI_ERROR_INVALID_ARGUMENT, "capacity is 1");
  assert_int_equal(count, 99);
  /* The functions that compilers call have no result, and must ignore NULL. */
  __sycl_register_lib(NULL);
  __sycl_unregister_lib(NULL);
}

/* A library registers its images and is unloaded before its kernel is built. */
TEST(survives_unloading) {
  for (int round = 0; round < 2; round++) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      fail_msg("%s", dlerror());
      return;
    }
    assert_int_equal(count_images(), 1);
    specpi_bundle bundle = NULL;
    must(specpiBundleCreateForKernel(support_device(), "from_library", &bundle));
    assert_int_equal(dlclose(library), 0);
    assert_int_equal(count_images(), 0);
    specpi_bundle executable = NULL;
    must(specpiBundleBuild(bundle, NULL, &executable));
    int64_t value;
    support_run(executable, "from_library", &value, 1);
    assert_int_equal(value, 11);
    specpiBundleRelease(executable);
    specpiBundleRelease(bundle);
  }
}

/*
 * libspecpi's functions, which are in this program, pass registrations on to a second runtime that
 * was loaded later.
 */
TEST(passes_registrations_on) {
  void *runtime = dlopen(RUNTIME, RTLD_NOW | RTLD_GLOBAL);
  if (!runtime) {
    fail_msg("%s", dlerror());
    return;
  }
  const int *(*registered)(void);
  void *symbol = dlsym(runtime, "second_runtime_count");
  assert_non_null(symbol);
  memcpy(&registered, &symbol, sizeof registered);
  pi_device_binaries_struct empty = {PI_DEVICE_BINARIES_VERSION, 0, NULL, NULL, NULL};
  const int before = *registered();
  __sycl_register_lib(&empty);
  assert_int_equal(*registered(), before + 1);
  __sycl_unregister_lib(&empty);
  assert_int_equal(*registered(), before);
  assert_int_equal(dlclose(runtime), 0);
}

/*
 * Images made and wrapped by DPC++, in Intel's unmodified DFT library, with the installed
 * libspecpi.
 *
 * The library's other constructors need the rest of oneMKL, which is not installed. Therefore the
 * test runs while the library registers its images, and then ends the process.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "../support/tests.h"

#include <specpi/specpi.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IMAGES = 212, WITH_CONSTANTS = 16, CONSTANTS = 22, BUILDS = 3 };

#define must(call)                                                                                 \
  do {                                                                                             \
    if ((call) != SPECPI_SUCCESS)                                                                  \
      fail_msg("%s: %s", #call, specpiGetLastError());                                             \
  } while (0)

/* Sets each constant of a bundle to its value with every byte changed, and resets it. */
static void set_all(specpi_bundle bundle) {
  specpi_constant constants[CONSTANTS];
  size_t count = 0;
  must(specpiBundleGetConstants(bundle, CONSTANTS, constants, &count));
  assert_int_equal(count, CONSTANTS);
  for (size_t i = 0; i < count; i++) {
    unsigned char bytes[64] = {0};
    unsigned char got[64] = {0};
    assert_in_range(constants[i].size, 1, sizeof bytes);
    must(specpiBundleGet(bundle, constants[i].name, constants[i].size, bytes));
    assert_memory_equal(bytes, constants[i].default_value, constants[i].size);
    for (size_t b = 0; b < constants[i].size; b++)
      bytes[b] ^= 1;
    must(specpiBundleSet(bundle, constants[i].name, constants[i].size, bytes));
    must(specpiBundleGet(bundle, constants[i].name, constants[i].size, got));
    assert_memory_equal(got, bytes, constants[i].size);
    must(specpiBundleReset(bundle, constants[i].name));
  }
}

/* Creates a bundle for the first kernel of an image, with the image's constants. */
static specpi_bundle bundle_by_kernel(specpi_device device, specpi_image image) {
  const char *kernel = NULL;
  size_t count = 0;
  specpi_bundle bundle = NULL;
  must(specpiImageGetKernels(image, 1, &kernel, &count));
  assert_true(count > 0);
  must(specpiBundleCreateForKernel(device, kernel, &bundle));
  return bundle;
}

/* Returns whether the image is ESIMD code, which only compilers for Intel's GPUs accept. */
static bool is_esimd(specpi_image image) {
  specpi_property properties[16];
  size_t count = 0;
  must(specpiImageGetProperties(image, PI_PROPERTY_SET_SYCL_MISC_PROP, 16, properties, &count));
  for (size_t i = 0; i < count && i < 16; i++)
    if (strcmp(properties[i].name, "isEsimdImage") == 0)
      return properties[i].number != 0;
  return false;
}

static void check_build(specpi_bundle bundle, bool works) {
  specpi_bundle executable = NULL;
  if (works) {
    must(specpiBundleBuild(bundle, NULL, &executable));
    specpiBundleRelease(executable);
    return;
  }
  assert_int_equal(specpiBundleBuild(bundle, NULL, &executable), SPECPI_ERROR_BUILD_FAILED);
  assert_true(*specpiGetBuildLog());
  assert_null(executable);
}

TEST(uses_intels_images) {
  static specpi_image images[IMAGES];
  specpi_device device = NULL;
  size_t count = 0;
  must(specpiDevicesGet("", 1, &device, &count));
  assert_true(count > 0);
  must(specpiImagesGet(IMAGES, images, &count));
  assert_int_equal(count, IMAGES);
  size_t found = 0;
  size_t others = 0;
  for (size_t i = 0; i < count; i++) {
    const bool esimd = is_esimd(images[i]);
    size_t constants = 0;
    must(specpiImageGetConstants(images[i], 0, NULL, &constants));
    if (constants == 0 && (esimd || others++ >= BUILDS))
      continue;
    specpi_bundle bundle = bundle_by_kernel(device, images[i]);
    if (constants) {
      found++;
      set_all(bundle);
    }
    check_build(bundle, !esimd);
    specpiBundleRelease(bundle);
  }
  assert_int_equal(found, WITH_CONSTANTS);
}

/* Replaces the registration function of libspecpi, and calls it. */
__attribute__((visibility("default"))) void __sycl_register_lib(pi_device_binaries binaries) {
  void (*next)(pi_device_binaries);
  void *symbol = dlsym(RTLD_NEXT, "__sycl_register_lib");
  if (!symbol)
    _exit(EXIT_FAILURE);
  memcpy(&next, &symbol, sizeof next);
  next(binaries);
  _exit(tests_run(NULL, NULL));
}

#pragma GCC visibility push(default)
/* Symbols of other libraries that the DFT library refers to. */
extern char fftw3_mkl[4096], mkl_dfti_is_ilp64[4096];
char fftw3_mkl[4096], mkl_dfti_is_ilp64[4096];
#pragma GCC visibility pop

/* This returns only if the library could not be loaded, or registered nothing. */
int main(void) {
  dlopen("libmkl_sycl_dft.so.4", RTLD_LAZY | RTLD_LOCAL);
  return EXIT_FAILURE;
}

/*
 * Replaces the functions of libsycl that register images. Preloaded, this library prints the images
 * that other libraries register, as lines of words with tabs between them. specpi inspect must find
 * the same images in the files.
 */
#include <pi/pi.h>

#include <inttypes.h>
#include <stdio.h>

void __sycl_register_lib(pi_device_binaries library);
void __sycl_unregister_lib(pi_device_binaries library);

/* Returns the Adler-32 checksum, as Python's zlib.adler32 does. */
static uint32_t checksum(const unsigned char *begin, const unsigned char *end) {
  uint32_t a = 1;
  uint32_t b = 0;
  for (; begin != end; begin++) {
    a = (a + *begin) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

static void print_property(const char *set, const pi_device_binary_property_struct *property) {
  printf("property\t%s\t%s\t%" PRIu32 "\t%" PRIu64 "\t", set, property->Name, property->Type,
         property->ValSize);
  if (property->Type != PI_PROPERTY_TYPE_UINT32)
    for (uint64_t i = 0; i < property->ValSize; i++)
      printf("%02x", ((const unsigned char *)property->ValAddr)[i]);
  putchar('\n');
}

static void print_image(const pi_device_binary_struct *image) {
  printf("image\t%s\t%zu\t%" PRIu32 "\t%s\t%s\n", image->DeviceTargetSpec,
         (size_t)(image->BinaryEnd - image->BinaryStart),
         checksum(image->BinaryStart, image->BinaryEnd), image->CompileOptions, image->LinkOptions);
  for (pi_offload_entry entry = image->EntriesBegin; entry != image->EntriesEnd; entry++)
    printf("kernel\t%s\n", entry->name);
  for (pi_device_binary_property_set set = image->PropertySetsBegin; set != image->PropertySetsEnd;
       set++)
    for (pi_device_binary_property one = set->PropertiesBegin; one != set->PropertiesEnd; one++)
      print_property(set->Name, one);
}

void __sycl_register_lib(pi_device_binaries library) {
  for (size_t i = 0; i < library->NumDeviceBinaries; i++)
    print_image(&library->DeviceBinaries[i]);
  fflush(stdout);
}

void __sycl_unregister_lib(pi_device_binaries library) {
  (void)library;
}

/* Symbols of other libraries that oneMKL's DFT library refers to but does not use here. */
char fftw3_mkl[4096];
char mkl_dfti_is_ilp64[4096];

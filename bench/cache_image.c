#include "cache_image.h"

#include "support/report.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST = CACHE_IMAGE_MOST, RECORD = 8 + 12 };

const char *cache_image_constant(unsigned number) {
  static char names[MOST][8];
  if (!*names[number])
    snprintf(names[number], sizeof names[number], "c%u", number);
  return names[number];
}

/* Writes the record of a 4-byte scalar: the record's size in bits, then id, offset and size. */
static void write_record(unsigned char *record, uint32_t id) {
  memset(record, 0, RECORD);
  record[0] = 12 * 8;
  memcpy(record + 8, &id, sizeof id);
  record[16] = 4;
}

specpi_bundle cache_image_bundle(specpi_device device, const unsigned char *begin,
                                 const unsigned char *end, unsigned constants) {
  unsigned char records[MOST][RECORD];
  pi_device_binary_property_struct properties[MOST];
  for (unsigned i = 0; i < constants; i++) {
    write_record(records[i], i);
    properties[i] =
        (pi_device_binary_property_struct){.Name = (char *)(uintptr_t)cache_image_constant(i),
                                           .ValAddr = records[i],
                                           .Type = PI_PROPERTY_TYPE_BYTE_ARRAY,
                                           .ValSize = RECORD};
  }
  char set_name[] = PI_PROPERTY_SET_SPEC_CONST_MAP;
  pi_device_binary_property_set_struct set = {set_name, properties, properties + constants};
  char kernel_name[] = "many";
  pi_offload_entry_struct entry = {.name = kernel_name};
  const pi_device_binary_struct binary = {.Version = 2,
                                          .Kind = PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                                          .DeviceTargetSpec = PI_DEVICE_BINARY_TARGET_SPIRV64,
                                          .CompileOptions = "",
                                          .LinkOptions = "",
                                          .BinaryStart = begin,
                                          .BinaryEnd = end,
                                          .EntriesBegin = &entry,
                                          .EntriesEnd = &entry + 1,
                                          .PropertySetsBegin = &set,
                                          .PropertySetsEnd = &set + 1};
  specpi_image image;
  specpi_bundle bundle;
  if (specpiImageCreate(&binary, &image) != SPECPI_SUCCESS ||
      specpiBundleCreate(device, 1, &image, &bundle) != SPECPI_SUCCESS)
    bench_die("%s", specpiGetLastError());
  specpiImageRelease(image); /* the bundle has a copy */
  return bundle;
}

uint32_t cache_image_run(specpi_queue queue, specpi_kernel kernel) {
  specpi_buffer buffer;
  uint32_t number = 0;
  const specpi_range range = {.dimensions = 1, .global = {1}};
  if (specpiBufferCreate(specpiQueueGetDevice(queue), sizeof number, &number, &buffer) !=
      SPECPI_SUCCESS)
    bench_die("%s", specpiGetLastError());
  const specpi_argument argument = specpiArgumentBuffer(buffer);
  if (specpiKernelLaunch(kernel, queue, &range, 1, &argument, 0, NULL, NULL) != SPECPI_SUCCESS ||
      specpiBufferRead(queue, buffer, 0, sizeof number, &number, 0, NULL, NULL) != SPECPI_SUCCESS)
    bench_die("%s", specpiGetLastError());
  specpiBufferRelease(buffer);
  return number;
}

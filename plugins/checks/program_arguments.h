/* Lists of devices and binaries for making and building programs, whatever the driver is. */
#ifndef OBJECTS_PROGRAM_ARGUMENTS_H
#define OBJECTS_PROGRAM_ARGUMENTS_H

#include "../base/error.h"

#include <stddef.h>

/* The devices of a context: tells if one, not NULL, is among them, and alive. */
typedef struct device_array {
  const void *context;
  bool (*has)(const void *context, pi_device device);
} device_array;

/*
 * A list of count devices. PI_ERROR_INVALID_DEVICE, with the place in the list: NULL, not of the
 * context, or repeated.
 */
pi_result check_devices(const device_array *of, pi_uint32 count, const pi_device *devices);

/*
 * The devices of a build, a compilation or a link: NULL, and 0 devices, is all of them.
 * PI_ERROR_INVALID_VALUE: one without the other; and as check_devices.
 */
pi_result check_build_devices(const device_array *of, pi_uint32 count, const pi_device *devices);

/* Arguments of piProgramCreateWithBinary. */
typedef struct binary_array {
  pi_uint32 count;
  const pi_device *devices;
  const size_t *lengths;
  const unsigned char **bytes;
  size_t metadata_count;
  const pi_device_binary_property *metadata;
} binary_array;

/* PI_ERROR_INVALID_VALUE: a list or a binary is empty or NULL; and as check_devices. */
pi_result check_binaries(const device_array *of, const binary_array *all);

/* PI_ERROR_INVALID_BINARY: the binary with this index does not match its hash (elf_hash.h). */
pi_result check_binary(const binary_array *all, pi_uint32 index);

/* Reason for no answer to PI_PROGRAM_INFO_SOURCE. */
#define PROGRAM_WITHOUT_SOURCE "the program was not created from source"

/* Returns from the calling function when there is no code to run. */
#define REQUIRE_BUILT(build)                                                                       \
  REQUIRE(build, PI_ERROR_INVALID_PROGRAM_EXECUTABLE,                                              \
          "the program is not built, or its latest build failed")

#endif

/* Checks of the lists of devices and binaries for creating and building programs. */
#ifndef OBJECTS_PROGRAM_ARGUMENTS_H
#define OBJECTS_PROGRAM_ARGUMENTS_H

#include "../base/error.h"

#include <stddef.h>

/* The devices of a context. */
typedef struct device_array {
  const void *context;
  /* Returns whether a device, which is not NULL, is alive and belongs to the context. */
  bool (*has)(const void *context, pi_device device);
} device_array;

/*
 * Checks a list of count devices. PI_ERROR_INVALID_DEVICE: a device is NULL, not of the context, or
 * repeated; the message has its index.
 */
pi_result check_devices(const device_array *of, pi_uint32 count, const pi_device *devices);

/*
 * Checks the devices of a build, a compilation or a link. NULL with a count of 0 means all devices
 * of the context. PI_ERROR_INVALID_VALUE: only one of the two is given. Also errors as
 * check_devices.
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

/*
 * Checks the arguments of piProgramCreateWithBinary. PI_ERROR_INVALID_VALUE: a list or a binary is
 * empty or NULL. Also errors as check_devices.
 */
pi_result check_binaries(const device_array *of, const binary_array *all);

/* Checks a binary's hash, if it has one (elf_hash.h). PI_ERROR_INVALID_BINARY. */
pi_result check_binary(const binary_array *all, pi_uint32 index);

/* Why PI_PROGRAM_INFO_SOURCE is not answered, for a message. */
#define PROGRAM_WITHOUT_SOURCE "the program was not created from source"

/* Returns an error from the calling function if build is NULL, because there is no code to run. */
#define REQUIRE_BUILT(build)                                                                       \
  REQUIRE(build, PI_ERROR_INVALID_PROGRAM_EXECUTABLE,                                              \
          "the program is not built, or its latest build failed")

#endif

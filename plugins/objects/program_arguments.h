/* The lists that programs are made and built of, checked alike whatever the driver is. */
#ifndef PI_OBJECTS_PROGRAM_ARGUMENTS_H
#define PI_OBJECTS_PROGRAM_ARGUMENTS_H

#include "../base/error.h"

#include <stddef.h>

/* The devices of a context: whether one, not NULL, is among them, and alive. */
typedef struct pi_devices {
  const void *context;
  bool (*has)(const void *context, pi_device device);
} pi_devices;

/*
 * A list of count devices. PI_ERROR_INVALID_DEVICE, with the place in the list: NULL, none of the
 * context, or there a second time.
 */
pi_result pi_check_devices(const pi_devices *of, pi_uint32 count, const pi_device *devices);

/*
 * The list that a build, a compilation or a link is for: NULL, and 0 devices, is all of them.
 * PI_ERROR_INVALID_VALUE: one without the other; and as pi_check_devices.
 */
pi_result pi_check_build_devices(const pi_devices *of, pi_uint32 count, const pi_device *devices);

/*
 * The options of a build, a compilation or a link, as far as they can be wrong for every compiler:
 * quotes that do not end. The failure is refused.
 */
pi_result pi_check_options(const char *options, pi_result refused);

/* What piProgramCreateWithBinary is given. */
typedef struct pi_binaries {
  pi_uint32 count;
  const pi_device *devices;
  const size_t *lengths;
  const unsigned char **bytes;
  size_t metadata_count;
  const pi_device_binary_property *metadata;
} pi_binaries;

/* PI_ERROR_INVALID_VALUE: a list or a binary is empty or NULL; and as pi_check_devices. */
pi_result pi_check_binaries(const pi_devices *of, const pi_binaries *all);

/* PI_ERROR_INVALID_BINARY: the binary with this index has another hash than it should (elf_hash.h).
 */
pi_result pi_check_binary(const pi_binaries *all, pi_uint32 index);

/* Returns from the calling function when there is no code to run. */
#define PI_REQUIRE_BUILT(build)                                                                    \
  PI_REQUIRE(build, PI_ERROR_INVALID_PROGRAM_EXECUTABLE,                                           \
             "the program is not built, or its latest build failed")

#endif

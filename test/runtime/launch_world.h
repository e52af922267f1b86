/* The fixture of the tests of queues, memory, kernels and launches: a device, and its kernels. */
#ifndef SPECPI_TEST_LAUNCH_WORLD_H
#define SPECPI_TEST_LAUNCH_WORLD_H

#include "../support/tests.h"

#include <specpi/specpi.h>

#include <string.h>

/* Expects the call to succeed; prints the message otherwise. */
#define WORKS(call)                                                                                \
  do {                                                                                             \
    const specpi_result works_result = (call);                                                     \
    if (works_result != SPECPI_SUCCESS)                                                            \
      fail_msg("%s: %s: %s", #call, specpiResultGetName(works_result), specpiGetLastError());      \
  } while (0)

/* Expects the call to fail with that code, and with part in its message. */
#define FAILS(call, code, part)                                                                    \
  do {                                                                                             \
    const specpi_result fails_result = (call);                                                     \
    if (fails_result != (code))                                                                    \
      fail_msg("%s: %s, not %s: %s", #call, specpiResultGetName(fails_result), #code,              \
               specpiGetLastError());                                                              \
    if (!strstr(specpiGetLastError(), (part)))                                                     \
      fail_msg("%s: \"%s\" is not in: %s", #call, (part), specpiGetLastError());                   \
  } while (0)

#define REFUSES(call, part) FAILS(call, SPECPI_ERROR_INVALID_ARGUMENT, part)

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the first device; fails the test if there is none. */
specpi_device world_device(void);

/* These create a queue with these flags, and a buffer with these bytes (NULL: zeros). */
specpi_queue world_queue(unsigned flags);
specpi_buffer world_buffer(size_t size, const void *bytes);

/* Reads the contents of a buffer. */
void world_read(specpi_queue queue, specpi_buffer buffer, void *bytes);

/* Returns whether the device is the CUDA plugin's, whose driver may be the slow fake one. */
bool world_is_cuda(void);

/*
 * Builds a bundle of launch.cl, or of arguments.cl of the conformance suite, from SPIR-V, or from
 * PTX for the CUDA plugin. world_end() releases the bundle.
 */
typedef enum world_module { WORLD_LAUNCH, WORLD_ARGUMENTS } world_module;
specpi_bundle world_bundle(world_module module);

/* Does the same for one kernel, with property sets, which must outlive the bundle. The caller
 * releases the bundle. */
specpi_bundle world_bundle_with(world_module module, const char *kernel,
                                pi_device_binary_property_set sets, size_t set_count);

/* Does the same, but returns the failure if the plugin refuses the sets. */
specpi_result world_try_bundle_with(world_module module, const char *kernel,
                                    pi_device_binary_property_set sets, size_t set_count,
                                    specpi_bundle *ret);

/* Creates a kernel of world_bundle. */
specpi_kernel world_kernel(world_module module, const char *name);

/* For cmocka_run_group_tests: releases the bundles that world_bundle keeps. */
int world_end(void **state);

#endif

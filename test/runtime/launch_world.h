/* What the tests of queues, memory, kernels and launches share: a device, and kernels for it. */
#ifndef SPECPI_TEST_LAUNCH_WORLD_H
#define SPECPI_TEST_LAUNCH_WORLD_H

#include <specpi/specpi.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The call succeeds; if not the sentence tells why. */
#define WORKS(call)                                                                                \
  do {                                                                                             \
    const specpi_result works_result = (call);                                                     \
    if (works_result != SPECPI_SUCCESS)                                                            \
      fail_msg("%s: %s: %s", #call, specpiResultGetName(works_result), specpiGetLastError());      \
  } while (0)

/* The call fails with that code, and part stands in the sentence. */
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

/* The first device; a test that finds none fails. */
specpi_device world_device(void);

/* A queue with these flags, and a buffer with these bytes, or zeros for NULL. */
specpi_queue world_queue(unsigned flags);
specpi_buffer world_buffer(size_t size, const void *bytes);

/* The content of a buffer. */
void world_read(specpi_queue queue, specpi_buffer buffer, void *bytes);

/* Whether the device is one of the CUDA plugin, which may be the driver of the tests: it is slow.
 */
bool world_is_cuda(void);

/*
 * An executable bundle of launch.cl, or of arguments.cl of the conformance suite: SPIR-V, or for
 * the CUDA plugin PTX.
 */
typedef enum world_module { WORLD_LAUNCH, WORLD_ARGUMENTS } world_module;
specpi_bundle world_bundle(world_module module);

/* The same for one kernel, with property sets of the image. They must stay. */
specpi_bundle world_bundle_with(world_module module, const char *kernel,
                                pi_device_binary_property_set sets, size_t set_count);

/* The same, for sets that a plugin may refuse. */
specpi_result world_try_bundle_with(world_module module, const char *kernel,
                                    pi_device_binary_property_set sets, size_t set_count,
                                    specpi_bundle *ret);

/* A kernel of it. */
specpi_kernel world_kernel(world_module module, const char *name);

/* For cmocka_run_group_tests: releases what world_bundle keeps. */
int world_end(void **state);

#endif

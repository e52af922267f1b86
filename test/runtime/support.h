/*
 * Helpers of the runtime's tests: checks that print libspecpi's message, device images made by
 * hand, and launches with PI alone.
 */
#ifndef SPECPI_TEST_RUNTIME_SUPPORT_H
#define SPECPI_TEST_RUNTIME_SUPPORT_H

#include "../../runtime/bundle.h"
#include "../support/tests.h"

#include <specpi/specpi.h>

#include <stdio.h>
#include <string.h>

/* Fails the test with libspecpi's message if a call of specpi.h fails. */
#define must(call) support_must((call), #call, __FILE__, __LINE__)
void support_must(specpi_result result, const char *call, const char *file, int line);

/* Expects a call to fail with this code and with this part in its message. */
#define assert_error(call, code, part)                                                             \
  support_error((call), (code), (part), #call, __FILE__, __LINE__)
void support_error(specpi_result result, specpi_result code, const char *part, const char *call,
                   const char *file, int line);

/* Returns the first device that ONEAPI_DEVICE_SELECTOR chooses. */
specpi_device support_device(void);

/* Returns whether the variable chooses the CUDA plugin's devices, whose images are PTX. */
bool support_is_cuda(void);

/* Does the same for the Level Zero plugin. */
bool support_is_level_zero(void);

/* Returns the target of images with native code for the device: a GPU's or a CPU's. */
const char *support_native_target(void);

/* ---- Device images ---- */

enum { SUPPORT_KERNELS = 8, SUPPORT_SETS = 6, SUPPORT_PROPERTIES = 8, SUPPORT_BYTES = 512 };

/* An image under construction, with space for all its parts. Must not be moved, because it contains
 * pointers to itself. */
typedef struct test_image {
  pi_device_binary_struct binary;
  pi_offload_entry_struct entries[SUPPORT_KERNELS];
  pi_device_binary_property_set_struct sets[SUPPORT_SETS];
  pi_device_binary_property_struct properties[SUPPORT_SETS][SUPPORT_PROPERTIES];
  unsigned char bytes[SUPPORT_BYTES];
  size_t byte_count;
} test_image;

/* Starts an image of these bytes, with format NONE and no properties. */
void image_begin(test_image *image, const char *target, const void *code, size_t size);
void image_add_kernel(test_image *image, const char *name);
/* Adds an empty set. */
pi_device_binary_property_set_struct *image_add_set(test_image *image, const char *set);
void image_add_number(test_image *image, const char *set, const char *name, uint32_t number);
void image_add_bytes(test_image *image, const char *set, const char *name, const void *bytes,
                     size_t size);
void image_add_constant(test_image *image, const char *name, size_t count,
                        const specpi_leaf *leaves);
/* Adds the defaults of all constants. */
void image_add_defaults(test_image *image, const void *bytes, size_t size);

/*
 * Makes the image of the module report.cl, or for CUDA of report_named.cl. Its kernel "report"
 * writes REPORT_VALUES numbers. Its constants, with their ids and defaults:
 *
 *   tile   int, id 0, 7
 *   pair   {float scale; char mode}, ids 1 and 2, {0.5, 'x'}, then 3 bytes of padding
 *   point  vector of three floats, ids 3 to 5, {1, 2, 3}
 *   big    long, id 6, -5
 */
enum { REPORT_VALUES = 7 };
void image_report(test_image *image);
/* Size of the defaults of report.cl, in bytes. */
enum { REPORT_DEFAULTS = 4 + 8 + 12 + 8 };
extern const unsigned char report_defaults[REPORT_DEFAULTS];

/*
 * Makes the image of the module from_buffer.cl, or for CUDA of report_named.cl. Its kernel
 * "from_buffer" writes 3 numbers; argument 1 is the buffer of constants. The constants, with their
 * defaults:
 *
 *   tile   int at byte 0, 7
 *   pair   {float scale; char mode} at byte 4, {0.5, 'x'}
 *   big    long at byte 16, -5, after 4 bytes of padding
 */
enum { BUFFER_VALUES = 3 };
void image_buffer(test_image *image);

/* Creates a specpi_image from a test_image. The caller releases it with specpiImageRelease. */
specpi_image support_image(const test_image *image);

/* Creates an input bundle of count images, which the bundle copies. */
specpi_bundle support_bundle(size_t count, const test_image *const *images);

/* ---- Launches ---- */

/*
 * Runs one work-item of a kernel whose argument is a buffer of 64-bit numbers; an image may add the
 * buffer of constants. `values` receives the kernel's output.
 */
void support_run(specpi_bundle executable, const char *kernel, int64_t *values, size_t count);

/* Returns the bits of a float. */
int64_t support_bits(float value);

#endif

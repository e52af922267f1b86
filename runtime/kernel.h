/* The object of a specpi_kernel. */
#ifndef SPECPI_KERNEL_H
#define SPECPI_KERNEL_H

#include "bundle.h"
#include "references.h"

#include <pthread.h>

/* The place of an argument that the compiler removed. */
#define KERNEL_ELIMINATED UINT32_MAX

struct specpi_kernel_object {
  references references;
  specpi_device device;
  const pi_function_table *pi;
  program *program; /* kept for its constants */
  pi_kernel handle;
  char *name;
  specpi_kernel_info info;
  uint32_t *places; /* of each argument of the source: its number for PI, or KERNEL_ELIMINATED */
  pthread_mutex_t lock; /* from the first argument to the end of the launch */
};

/*
 * Makes a kernel; all that it needs of source is retained or copied. The argument for the constants
 * is set here once, since nobody else sets it.
 *
 * SPECPI_ERROR_INVALID_IMAGE: the image contradicts the program about the arguments.
 * SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result kernel_create(const bundle_kernel *source, specpi_kernel *ret);

/*
 * Has a driver build a kernel that does so when it is created. SPECPI_ERROR_BUILD_FAILED, and other
 * errors as above.
 */
specpi_result kernel_build(const bundle_kernel *source);

/*
 * Numbers the arguments of a kernel of the image's that remain, of which the program has
 * in_program: *ret receives for each argument of the source its number, or KERNEL_ELIMINATED,
 * without the buffer of constants. The caller frees it.
 *
 * SPECPI_ERROR_INVALID_IMAGE: the image contradicts the program. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result kernel_place_arguments(specpi_image image, const char *name, uint32_t in_program,
                                     uint32_t **ret, size_t *count);

#endif

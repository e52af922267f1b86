/* The object of a specpi_kernel. */
#ifndef SPECPI_KERNEL_H
#define SPECPI_KERNEL_H

#include "bundle.h"
#include "references.h"

#include <pthread.h>

/* In places: the compiler removed the argument. */
#define KERNEL_ELIMINATED UINT32_MAX

struct specpi_kernel_object {
  references references;
  specpi_device device;
  const pi_function_table *pi;
  program *program; /* a reference, for the buffer of its constants */
  pi_kernel handle;
  char *name;
  specpi_kernel_info info;
  uint32_t *places;     /* PI's number of each argument of the source, or KERNEL_ELIMINATED */
  pthread_mutex_t lock; /* held from setting the first argument to the end of the launch */
};

/*
 * Makes a kernel, and retains or copies what it needs of source. The argument for the constants is
 * set here once, because launches do not set it.
 *
 * SPECPI_ERROR_INVALID_IMAGE: the image contradicts the program about the arguments.
 * SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result kernel_create(const bundle_kernel *source, specpi_kernel *ret);

/*
 * Creates and releases a kernel, so that drivers that build it at its creation do so.
 * SPECPI_ERROR_BUILD_FAILED, and other errors as above.
 */
specpi_result kernel_build(const bundle_kernel *source);

/*
 * Numbers the arguments of a kernel that the compiler did not remove; the program has in_program of
 * them. *ret receives, for each argument of the source without the buffer of constants, its number
 * or KERNEL_ELIMINATED. The caller frees *ret.
 *
 * SPECPI_ERROR_INVALID_IMAGE: the image contradicts the program. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result kernel_place_arguments(specpi_image image, const char *name, uint32_t in_program,
                                     uint32_t **ret, size_t *count);

#endif

/*
 * Declarations of bundles for other parts of libspecpi.
 *
 * The images of a bundle, its kernels and the layout of its constants never change. The values of
 * an input bundle may change, under its lock; the values of other bundles never do.
 */
#ifndef SPECPI_BUNDLE_H
#define SPECPI_BUNDLE_H

#include "program.h"

/* The facts that a launch needs about a kernel of an executable bundle or of a cached program. */
typedef struct bundle_kernel {
  program *program;         /* with .handle, and .constants, the buffer or NULL */
  specpi_image image;       /* records which arguments are eliminated; see image_retain */
  const char *name;         /* owned by the image */
  uint32_t buffer_argument; /* index of the argument for .constants; UINT32_MAX: none */
} bundle_kernel;

/*
 * Finds a kernel of an executable bundle. The pointers in *ret are valid as long as the bundle. A
 * caller that needs them longer must retain program and image.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle or name is NULL. SPECPI_ERROR_INVALID_STATE: the bundle is
 * not executable. SPECPI_ERROR_UNKNOWN_KERNEL.
 */
specpi_result bundle_get_kernel(specpi_bundle bundle, const char *name, bundle_kernel *ret);

/*
 * The same for an input bundle: *ret has no program yet, and *image receives the number of the
 * kernel's image for bundle_get_source. Errors as bundle_get_kernel.
 */
specpi_result bundle_find_kernel(specpi_bundle input, const char *name, size_t *image,
                                 bundle_kernel *ret);

/*
 * Makes the source from which an image of an input bundle would be built now, with the bundle's
 * values, of which the count values passed replace some. The bundle is not changed.
 * source->options is the parameter. The caller clears the source with program_source_clear; its
 * other pointers are valid as long as the bundle.
 *
 * Values of constants that only other images of the bundle have are checked and have no effect.
 * Errors as specpiBundleSetMany and, for functions that no image defines, as specpiBundleBuild.
 */
specpi_result bundle_get_source(specpi_bundle input, size_t image, const char *options,
                                size_t count, const specpi_value *values, program_source *ret);

#endif

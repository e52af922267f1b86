/* The images that libraries of this process registered. */
#ifndef SPECPI_REGISTRY_H
#define SPECPI_REGISTRY_H

#include "image.h"

/*
 * The registered images that have a kernel of that name, in the order in which they came, as
 * images that stay valid (image_own), in new memory; each has a reference of the caller's.
 * registry_list_free gives back both.
 *
 * SPECPI_ERROR_UNKNOWN_KERNEL: there is none. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result registry_find_kernel(const char *kernel, specpi_image **list, size_t *count);

/* The same; *count is 0 when there is none, and then nothing is an error. */
specpi_result registry_list_kernel(const char *kernel, specpi_image **list, size_t *count);

/* The same for those that define a function for other images; *count is 0 when there is none. */
specpi_result registry_find_function(const char *function, specpi_image **list, size_t *count);

void registry_list_free(specpi_image *list, size_t count);

#endif

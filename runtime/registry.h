/* The images that libraries of this process registered. */
#ifndef SPECPI_REGISTRY_H
#define SPECPI_REGISTRY_H

#include "image.h"

/*
 * Lists the registered images that have a kernel of that name, in the order of their registration.
 * The images come from image_own, so they stay valid. registry_list_free frees the list and
 * releases the images.
 *
 * SPECPI_ERROR_UNKNOWN_KERNEL: no image has the kernel. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result registry_find_kernel(const char *kernel, specpi_image **list, size_t *count);

/* The same, but if no image has the kernel, *count is 0 and there is no error. */
specpi_result registry_list_kernel(const char *kernel, specpi_image **list, size_t *count);

/* Lists the images that define a function for other images; *count is 0 if there are none. */
specpi_result registry_find_function(const char *function, specpi_image **list, size_t *count);

void registry_list_free(specpi_image *list, size_t count);

#endif

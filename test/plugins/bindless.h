/* Functions of the cases about bindless images that one backend's own cases use too. */
#ifndef SPECPI_TEST_PLUGINS_BINDLESS_H
#define SPECPI_TEST_PLUGINS_BINDLESS_H

#include "world.h"

extern pi_image_format r32;

/* Describes an image with one level. */
pi_image_desc describe(pi_mem_type type, size_t width, size_t height, size_t depth);

/* Allocates memory with format r32. */
pi_image_mem_handle new_memory(pi_image_desc *desc);
void free_memory(pi_image_mem_handle memory);

/* Writes seed, and then one more for each pixel. */
void number(uint32_t *pixels, size_t count, uint32_t seed);

#endif

/* What the cases about bindless images that only one backend has share with the others. */
#ifndef SPECPI_TEST_PLUGINS_BINDLESS_H
#define SPECPI_TEST_PLUGINS_BINDLESS_H

#include "world.h"

extern pi_image_format r32;

/* With one level. */
pi_image_desc describe(pi_mem_type type, size_t width, size_t height, size_t depth);

/* Of r32. */
pi_image_mem_handle new_memory(pi_image_desc *desc);
void free_memory(pi_image_mem_handle memory);

/* seed, and each pixel one more than the one before it. */
void number(uint32_t *pixels, size_t count, uint32_t seed);

#endif

/*
 * The text of a PTX image, with places for constants and a trailer that describes the image.
 * docs/internals/ptx.md has the grammar.
 */
#ifndef COMPILER_PTX_H
#define COMPILER_PTX_H

#include "../output.h"

/* Prefix of the scalar's id in the comment after a place. */
#define PTX_TAG "//specpi:"

/* Number of digits of the largest scalar. */
#define PTX_DIGITS_MAX 16

/*
 * Makes the image of an output: the generated assembly with defaults at all places, and the
 * trailer. If first_entry is not NULL, the assembly has only entries for launches with an offset
 * from that function on, and the trailer records the position. The caller frees *ret, which has
 * *ret_size bytes and a NUL. LIMIT: the text is too large. INVALID_MODULE: the assembly has tags of
 * unknown scalars. OUT_OF_MEMORY.
 */
specpi_compiler_result write_ptx_image(specpi_compiler_output output, const char *assembly,
                                       size_t size, const char *first_entry, char **ret,
                                       size_t *ret_size);

#endif

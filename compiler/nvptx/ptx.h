/*
 * The text of a PTX image: the places of constants in it, and the trailer that describes it.
 * docs/internals/ptx.md has the grammar.
 */
#ifndef COMPILER_PTX_H
#define COMPILER_PTX_H

#include "../output.h"

/* Prefix of an id in the comment after a place. */
#define PTX_TAG "//specpi:"

/* The digits of the largest scalar. */
#define PTX_DIGITS_MAX 16

/*
 * Writes size bytes, little endian, as the 2 * size digits of a hexadecimal number, as places
 * have it. There is no NUL.
 */
void ptx_digits(const unsigned char *bytes, uint32_t size, char *digits);

/*
 * The image of an output: the assembly that was generated from it, with the default at each
 * place, and the trailer. From the function first_entry on, unless it is NULL, the assembly has
 * only entries for launches with an offset, which the trailer says. The caller frees *ret; there is
 * a NUL after *ret_size bytes. LIMIT: the text is too large. INVALID_MODULE: the assembly has tags
 * that are not ours. OUT_OF_MEMORY.
 */
specpi_compiler_result write_ptx_image(specpi_compiler_output output, const char *assembly,
                                       size_t size, const char *first_entry, char **ret,
                                       size_t *ret_size);

#endif

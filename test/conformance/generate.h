/* Modules that are made while the test runs, because a file would be too large. */
#ifndef CONFORMANCE_GENERATE_H
#define CONFORMANCE_GENERATE_H

#include "modules.h"

#include <stdint.h>

/*
 * A module, in the form of this run, with count 32-bit constants, ids 0 to count - 1, whose
 * default values are their ids. Its kernel "value" writes generated_result of all of them to its
 * one argument. The caller frees the bytes.
 */
module generate_constants(uint32_t count);

/* The same in PTX; for generate_constants. */
module generate_ptx(uint32_t count);

/*
 * Which of count constants the kernel uses: each one, or of very many the 1st, 65th, 129th, ...,
 * where compilers for GPUs take minutes for tens of thousands that are used. All have their places.
 */
uint32_t generated_step(uint32_t count);

/* The number that the kernel computes of those it uses; the place of each value counts. */
uint32_t generated_result(const uint32_t *values, uint32_t count);

#endif

/* Modules generated while the test runs, because as files they would be too large. */
#ifndef CONFORMANCE_GENERATE_H
#define CONFORMANCE_GENERATE_H

#include "modules.h"

#include <stdint.h>

/*
 * Generates a module, in this run's form of code, with count 32-bit constants. Their ids are 0 to
 * count - 1, and their defaults equal their ids. Its kernel "value" writes generated_result of the
 * values to its one argument. The caller frees the bytes.
 */
module generate_constants(uint32_t count);

/* The same as PTX; generate_constants calls it. */
module generate_ptx(uint32_t count);

/*
 * Returns n if the kernel uses every n-th of count constants: 1; or 64 for very many, because
 * compilers for GPUs take minutes for tens of thousands of used ones.
 */
uint32_t generated_step(uint32_t count);

/* The number that the kernel computes from the values it uses; it depends on their order. */
uint32_t generated_result(const uint32_t *values, uint32_t count);

#endif

/* Pseudo-random numbers that are the same in each run. */
#ifndef SPECPI_TEST_GPU_RANDOM_H
#define SPECPI_TEST_GPU_RANDOM_H

#include <stdint.h>

/* Marsaglia's xorshift of 32 bits; *state is not 0. */
static inline uint32_t gpu_random(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

#endif

/* The generator of a case: the same seed gives the same case, on every machine. */
#ifndef PROPERTY_RANDOM_H
#define PROPERTY_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct generator {
  uint64_t state;
} generator;

/* The generator of case index of a seed. */
generator random_start(uint64_t seed, uint32_t index);

uint64_t random_bits(generator *from);

/* A number below limit, which is not 0. */
uint32_t random_below(generator *from, uint32_t limit);

/* True in percent of 100 calls. */
bool random_chance(generator *from, uint32_t percent);

#endif

/* The random generator of a case. A seed gives the same case on every machine. */
#ifndef PROPERTY_RANDOM_H
#define PROPERTY_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct generator {
  uint64_t state;
} generator;

/* Returns the generator for case index of a seed. */
generator random_start(uint64_t seed, uint32_t index);

uint64_t random_bits(generator *from);

/* Returns a number below limit; limit is not 0. */
uint32_t random_below(generator *from, uint32_t limit);

/* Returns true with a probability in percent. */
bool random_chance(generator *from, uint32_t percent);

#endif

#include "random.h"

generator random_start(uint64_t seed, uint32_t index) {
  generator generator = {seed};
  generator.state = random_bits(&generator) + index;
  random_bits(&generator);
  return generator;
}

/* SplitMix64. */
uint64_t random_bits(generator *from) {
  from->state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t z = from->state;
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

uint32_t random_below(generator *from, uint32_t limit) {
  return (uint32_t)((random_bits(from) >> 32) * limit >> 32);
}

bool random_chance(generator *from, uint32_t percent) {
  return random_below(from, 100) < percent;
}

/* Samplers of Level Zero. */
#ifndef LEVEL_ZERO_SAMPLER_H
#define LEVEL_ZERO_SAMPLER_H

#include "../objects/sampler.h"
#include "level_zero.h"

/*
 * Translates a sampler for Level Zero. PI_ERROR_UNSUPPORTED_FEATURE: Level Zero cannot express
 * different addressing modes of x, y and z, filters between levels, or anisotropy.
 */
pi_result sampler_describe(const sampler_state *state, ze_sampler_desc_t *ret);

#endif

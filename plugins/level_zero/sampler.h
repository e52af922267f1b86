/* Samplers as Level Zero takes them. */
#ifndef LEVEL_ZERO_SAMPLER_H
#define LEVEL_ZERO_SAMPLER_H

#include "../objects/sampler.h"
#include "level_zero.h"

/*
 * What Level Zero takes to make a sampler. PI_ERROR_UNSUPPORTED_FEATURE: what it has no word for:
 * different addressing modes of x, y and z, filters between levels, anisotropy.
 */
pi_result sampler_describe(const sampler_state *state, ze_sampler_desc_t *ret);

#endif

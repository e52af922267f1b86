/* Reads PI's properties of samplers, for all drivers. */
#ifndef OBJECTS_SAMPLER_STATE_H
#define OBJECTS_SAMPLER_STATE_H

#include "../base/info.h"

typedef struct sampler_state {
  bool is_normalized;
  bool is_linear, is_mip_linear;
  bool is_seamless;                         /* filters across the edges of cube maps */
  pi_sampler_addressing_mode addressing[3]; /* for x, y and z */
  float min_level, max_level;               /* range of mip-map levels */
  float anisotropy;
} sampler_state;

/*
 * Reads the properties of piSamplerCreate, a list that may be NULL. Missing properties have
 * OpenCL's defaults. PI_ERROR_INVALID_VALUE: a key or value is unknown, or a key occurs twice.
 */
pi_result sampler_state_read(const pi_sampler_properties *properties, sampler_state *ret);

/*
 * Reads the properties of piextBindlessImageSamplerCreate. The addressing mode may occur up to
 * three times, for x, y and z; the first one also applies to missing ones. PI_ERROR_INVALID_VALUE:
 * as above, or the levels are not a finite range, or the anisotropy is not from 0 to 16.
 */
pi_result sampler_state_read_bindless(const pi_sampler_properties *properties, float min_level,
                                      float max_level, float anisotropy, sampler_state *ret);

/*
 * Answers a pi_sampler_info; references and context are the sampler's. PI_ERROR_INVALID_VALUE:
 * unknown query.
 */
pi_result sampler_state_answer(const sampler_state *state, const info_answer *answer,
                               pi_sampler_info query, pi_uint32 references, pi_context context);

#endif

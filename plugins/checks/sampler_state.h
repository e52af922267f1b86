/* A sampler's state by PI's properties, whatever the driver is. */
#ifndef OBJECTS_SAMPLER_STATE_H
#define OBJECTS_SAMPLER_STATE_H

#include "../base/info.h"

typedef struct sampler_state {
  bool is_normalized;
  bool is_linear, is_mip_linear;
  bool is_seamless;                         /* across the edges of cube maps */
  pi_sampler_addressing_mode addressing[3]; /* of x, y and z */
  float min_level, max_level;               /* of mip-maps */
  float anisotropy;
} sampler_state;

/*
 * Reads the properties of piSamplerCreate, a list that may be NULL; missing ones have OpenCL's
 * default. PI_ERROR_INVALID_VALUE: an unknown key or value, or one twice.
 */
pi_result sampler_state_read(const pi_sampler_properties *properties, sampler_state *ret);

/*
 * Reads those of piextBindlessImageSamplerCreate: the addressing mode may be there three times, for
 * x, y and z; missing ones are as the first. PI_ERROR_INVALID_VALUE also: levels that are no range,
 * or an anisotropy outside of 0 to 16.
 */
pi_result sampler_state_read_bindless(const pi_sampler_properties *properties, float min_level,
                                      float max_level, float anisotropy, sampler_state *ret);

/*
 * The answer to a pi_sampler_info; references and context are the object's.
 * PI_ERROR_INVALID_VALUE: there is no such query.
 */
pi_result sampler_state_answer(const sampler_state *state, const info_answer *answer,
                               pi_sampler_info query, pi_uint32 references, pi_context context);

#endif

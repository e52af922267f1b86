/* Samplers: how a kernel reads pixels. */
#ifndef PI_LEVEL_ZERO_SAMPLER_H
#define PI_LEVEL_ZERO_SAMPLER_H

#include "../objects/sampler_state.h"
#include "context.h"
#include "retire.h"

/*
 * Level Zero's samplers are a root device's, so there is one for each of the context. Bindless ones
 * have none: there the sampler is a part of the image.
 */
struct pi_sampler_object {
  pi_handle handle;
  pi_context context; /* a reference */
  sampler_state state;
  retired retired;
  bool is_bindless;
  pi_uint32 count;                /* the context's roots, or 0 */
  ze_sampler_handle_t samplers[]; /* by context_root */
};

/*
 * What Level Zero takes to make a sampler. PI_ERROR_UNSUPPORTED_FEATURE: what it has no word for:
 * different addressing modes of x, y and z, filters between levels, anisotropy.
 */
pi_result sampler_describe(const sampler_state *state, ze_sampler_desc_t *ret);

/* A use more, of a kernel whose argument it is, and one less. */
static inline void sampler_retain(pi_sampler sampler) {
  pi_handle_retain(&sampler->handle);
}
void sampler_release(pi_sampler sampler);

#endif

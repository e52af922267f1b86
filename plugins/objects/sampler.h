/* Samplers: how kernels, or sampled bindless images, read pixels. */
#ifndef OBJECTS_SAMPLER_H
#define OBJECTS_SAMPLER_H

#include "../checks/sampler_state.h"
#include "deferred_free.h"
#include "driver_parts.h"
#include "handle.h"

struct pi_sampler_object {
  object_head handle;
  pi_context context; /* a reference */
  sampler_state state;
  deferred deferred;
  struct driver_sampler driver;
};

/*
 * A new sampler with one reference; is_bindless as in driver_sampler_create. Errors of that;
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result sampler_create(pi_context context, const sampler_state *state, bool is_bindless,
                         pi_sampler *ret);

/* Add or drop a reference; the last one frees the sampler once no command uses it. */
static inline void sampler_retain(pi_sampler sampler) {
  object_retain(&sampler->handle);
}
void sampler_release(pi_sampler sampler);

#endif

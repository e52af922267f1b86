#include "sampler.h"

#include "../base/error.h"
#include "context.h"
#include "driver.h"

#include <stdlib.h>

pi_result sampler_create(pi_context context, const sampler_state *state, bool is_bindless,
                         pi_sampler *ret) {
  pi_sampler sampler = calloc(1, sizeof *sampler);
  REQUIRE_MEMORY(sampler, "a sampler");
  object_init(&sampler->handle, OBJECT_SAMPLER);
  sampler->context = context;
  sampler->state = *state;
  const pi_result result = driver_sampler_create(sampler, is_bindless);
  if (result != PI_SUCCESS) {
    free(sampler);
    return result;
  }
  context_retain(context);
  *ret = sampler;
  return PI_SUCCESS;
}

static void destroy_sampler(deferred *node) {
  pi_sampler sampler = OWNER_OF(node, struct pi_sampler_object, deferred);
  driver_sampler_destroy(sampler);
  free(sampler);
}

void sampler_release(pi_sampler sampler) {
  const pi_context context = sampler->context;
  if (!object_release(&sampler->handle))
    return;
  deferred_free(context, &sampler->deferred, destroy_sampler);
  context_release(context);
}

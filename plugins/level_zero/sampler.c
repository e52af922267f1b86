#include "sampler.h"

#include "../objects/driver.h"
#include "context.h"

#include <stdlib.h>

/*
 * X(PI_SAMPLER_ADDRESSING_MODE_.., ZE_SAMPLER_ADDRESS_MODE_..). PI's CLAMP returns the border
 * colour like OpenCL's; Level Zero's CLAMP repeats the edge.
 */
#define SAMPLER_ADDRESS_MODES(X)                                                                   \
  X(NONE, NONE)                                                                                    \
  X(CLAMP_TO_EDGE, CLAMP)                                                                          \
  X(CLAMP, CLAMP_TO_BORDER)                                                                        \
  X(REPEAT, REPEAT)                                                                                \
  X(MIRRORED_REPEAT, MIRROR)

static const struct {
  pi_sampler_addressing_mode pi;
  ze_sampler_address_mode_t ze;
} address_modes[] = {
#define SAMPLER_ADDRESS_MODE(pi, ze)                                                               \
  {PI_SAMPLER_ADDRESSING_MODE_##pi, ZE_SAMPLER_ADDRESS_MODE_##ze},
    SAMPLER_ADDRESS_MODES(SAMPLER_ADDRESS_MODE)
#undef SAMPLER_ADDRESS_MODE
};

pi_result sampler_describe(const sampler_state *state, ze_sampler_desc_t *ret) {
  const pi_sampler_addressing_mode *modes = state->addressing;
  if (modes[0] != modes[1] || modes[0] != modes[2])
    return LEVEL_ZERO_UNSUPPORTED(
        "the sampler has different addressing modes for x, y and z, Level Zero has one for all");
  if (state->is_mip_linear || state->min_level > 0)
    return LEVEL_ZERO_UNSUPPORTED(
        "the sampler chooses between levels of a mip-map, and Level Zero has none");
  if (state->anisotropy > 1)
    return LEVEL_ZERO_UNSUPPORTED("max_anisotropy is %g, and Level Zero has no such filter",
                                  (double)state->anisotropy);
  if (state->is_seamless)
    return LEVEL_ZERO_UNSUPPORTED("the sampler is one of cube maps, and Level Zero has none");
  size_t place = 0;
  while (address_modes[place].pi != modes[0])
    place++;
  *ret = (ze_sampler_desc_t){
      .stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
      .addressMode = address_modes[place].ze,
      .filterMode =
          state->is_linear ? ZE_SAMPLER_FILTER_MODE_LINEAR : ZE_SAMPLER_FILTER_MODE_NEAREST,
      .isNormalized = state->is_normalized,
  };
  return PI_SUCCESS;
}

/* Destroys the samplers of the first count root devices; ignores failures. */
static void destroy_samplers(pi_sampler sampler, pi_uint32 count) {
  for (pi_uint32 i = 0; i < count; i++)
    ze.SamplerDestroy(sampler->driver.samplers[i]);
  free(sampler->driver.samplers);
}

static pi_result create_samplers(pi_sampler sampler, const ze_sampler_desc_t *description) {
  const pi_context context = sampler->context;
  sampler->driver.samplers = calloc(context->root_count, sizeof sampler->driver.samplers[0]);
  REQUIRE_MEMORY(sampler->driver.samplers, "a sampler of %u devices", context->root_count);
  for (pi_uint32 i = 0; i < context->root_count; i++) {
    const pi_result result =
        ZE_CALL(SamplerCreate, context->driver.context, context->roots[i]->driver.device,
                description, &sampler->driver.samplers[i]);
    if (result != PI_SUCCESS) {
      destroy_samplers(sampler, i);
      return result;
    }
  }
  sampler->driver.count = context->root_count;
  return PI_SUCCESS;
}

pi_result driver_sampler_create(pi_sampler sampler, bool is_bindless) {
  ze_sampler_desc_t description;
  TRY(sampler_describe(&sampler->state, &description));
  sampler->driver.is_bindless = is_bindless;
  return is_bindless ? PI_SUCCESS : create_samplers(sampler, &description);
}

void driver_sampler_destroy(pi_sampler sampler) {
  destroy_samplers(sampler, sampler->driver.count);
}

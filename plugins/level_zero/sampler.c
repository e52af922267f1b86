#include "sampler.h"

#include "checks.h"

#include <stdlib.h>

/*
 * X(PI_SAMPLER_ADDRESSING_MODE_.., ZE_SAMPLER_ADDRESS_MODE_..). PI's CLAMP gives the colour of the
 * border, as OpenCL's does; Level Zero's has the edge in mind.
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

/* The driver's samplers of the first count root devices; nobody is left to tell a failure to. */
static void destroy_samplers(pi_sampler sampler, pi_uint32 count) {
  for (pi_uint32 i = 0; i < count; i++)
    ze.SamplerDestroy(sampler->samplers[i]);
}

static pi_result make_samplers(pi_sampler sampler, const ze_sampler_desc_t *description) {
  for (pi_uint32 i = 0; i < sampler->count; i++) {
    const pi_result result =
        ze_result(ze.SamplerCreate(sampler->context->context, sampler->context->roots[i]->device,
                                   description, &sampler->samplers[i]),
                  "zeSamplerCreate");
    if (result != PI_SUCCESS) {
      destroy_samplers(sampler, i);
      return result;
    }
  }
  return PI_SUCCESS;
}

static pi_result create(pi_context context, const sampler_state *state, bool is_bindless,
                        pi_sampler *ret) {
  ze_sampler_desc_t description;
  PI_TRY(sampler_describe(state, &description));
  const pi_uint32 count = is_bindless ? 0 : context->root_count;
  pi_sampler sampler = calloc(1, sizeof *sampler + count * sizeof sampler->samplers[0]);
  PI_REQUIRE(sampler, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a sampler");
  pi_handle_init(&sampler->handle, PI_HANDLE_SAMPLER);
  sampler->context = context;
  sampler->state = *state;
  sampler->is_bindless = is_bindless;
  sampler->count = count;
  const pi_result result = make_samplers(sampler, &description);
  if (result != PI_SUCCESS) {
    free(sampler);
    return result;
  }
  context_retain(context);
  *ret = sampler;
  return PI_SUCCESS;
}

pi_result piSamplerCreate(pi_context context, const pi_sampler_properties *sampler_properties,
                          pi_sampler *result_sampler) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(result_sampler);
  sampler_state state;
  PI_TRY(sampler_state_read(sampler_properties, &state));
  return create(context, &state, false, result_sampler);
}

pi_result piextBindlessImageSamplerCreate(pi_context context,
                                          const pi_sampler_properties *sampler_properties,
                                          float min_mipmap_level_clamp,
                                          float max_mipmap_level_clamp, float max_anisotropy,
                                          pi_sampler *result_sampler) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(result_sampler);
  sampler_state state;
  PI_TRY(sampler_state_read_bindless(sampler_properties, min_mipmap_level_clamp,
                                     max_mipmap_level_clamp, max_anisotropy, &state));
  return create(context, &state, true, result_sampler);
}

pi_result piSamplerGetInfo(pi_sampler sampler, pi_sampler_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_SAMPLER(sampler);
  PI_TRY(pi_answer_check(&answer));
  return sampler_state_answer(&sampler->state, &answer, param_name,
                              pi_handle_references(&sampler->handle), sampler->context);
}

/* No command that was enqueued before uses it any more. */
static void destroy(retired *node) {
  pi_sampler sampler = RETIRED_OWNER(node, struct pi_sampler_object, retired);
  const pi_context context = sampler->context;
  destroy_samplers(sampler, sampler->count);
  free(sampler);
  context_release(context);
}

void sampler_release(pi_sampler sampler) {
  if (pi_handle_release(&sampler->handle))
    retire(sampler->context, &sampler->retired, destroy);
}

pi_result piSamplerRetain(pi_sampler sampler) {
  REQUIRE_SAMPLER(sampler);
  sampler_retain(sampler);
  return PI_SUCCESS;
}

pi_result piSamplerRelease(pi_sampler sampler) {
  REQUIRE_SAMPLER(sampler);
  sampler_release(sampler);
  return PI_SUCCESS;
}

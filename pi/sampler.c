/* PI's entries for samplers. */
#include "../plugins/objects/sampler.h"

#include "../plugins/objects/handle_checks.h"

pi_result piSamplerCreate(pi_context context, const pi_sampler_properties *sampler_properties,
                          pi_sampler *result_sampler) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(result_sampler);
  sampler_state state;
  TRY(sampler_state_read(sampler_properties, &state));
  return sampler_create(context, &state, false, result_sampler);
}

pi_result piextBindlessImageSamplerCreate(pi_context context,
                                          const pi_sampler_properties *sampler_properties,
                                          float min_mipmap_level_clamp,
                                          float max_mipmap_level_clamp, float max_anisotropy,
                                          pi_sampler *result_sampler) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(result_sampler);
  sampler_state state;
  TRY(sampler_state_read_bindless(sampler_properties, min_mipmap_level_clamp,
                                  max_mipmap_level_clamp, max_anisotropy, &state));
  return sampler_create(context, &state, true, result_sampler);
}

pi_result piSamplerGetInfo(pi_sampler sampler, pi_sampler_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_SAMPLER(sampler);
  TRY(answer_check(&answer));
  return sampler_state_answer(&sampler->state, &answer, param_name,
                              object_references(&sampler->handle), sampler->context);
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

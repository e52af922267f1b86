#include "sampler.h"

#include "checks.h"

#include <stdlib.h>

static const struct {
  pi_sampler_addressing_mode mode;
  CUaddress_mode cuda;
} addressing_modes[] = {
#define SAMPLER_ADDRESSING_MODE(pi, cuda)                                                          \
  {PI_SAMPLER_ADDRESSING_MODE_##pi, CU_TR_ADDRESS_MODE_##cuda},
    SAMPLER_ADDRESSING_MODES(SAMPLER_ADDRESSING_MODE)
#undef SAMPLER_ADDRESSING_MODE
};

static pi_result create(pi_context context, const sampler_state *state, pi_sampler *ret) {
  pi_sampler sampler = malloc(sizeof *sampler);
  PI_REQUIRE(sampler, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a sampler");
  *sampler = (struct pi_sampler_object){.context = context, .state = *state};
  pi_handle_init(&sampler->handle, PI_HANDLE_SAMPLER);
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
  return create(context, &state, result_sampler);
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
  return create(context, &state, result_sampler);
}

/* A mode's place in the list. */
static unsigned place_of(pi_sampler_addressing_mode mode) {
  unsigned place = 0;
  while (addressing_modes[place].mode != mode)
    place++;
  return place;
}

pi_uint32 sampler_properties(pi_sampler sampler) {
  const sampler_state *state = &sampler->state;
  return (pi_uint32)state->is_normalized | (pi_uint32)state->is_linear << 1 |
         place_of(state->addressing[0]) << 2;
}

CUDA_TEXTURE_DESC sampler_texture(pi_sampler sampler, bool has_y, bool has_z, bool as_integers) {
  const sampler_state *state = &sampler->state;
  CUDA_TEXTURE_DESC texture = {
      .filterMode = state->is_linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT,
      .mipmapFilterMode = state->is_mip_linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT,
      .maxAnisotropy = (unsigned)state->anisotropy,
      .minMipmapLevelClamp = state->min_level,
      .maxMipmapLevelClamp = state->max_level,
  };
  const bool has_axis[3] = {true, has_y, has_z};
  for (unsigned axis = 0; axis < 3; axis++)
    if (has_axis[axis])
      texture.addressMode[axis] = addressing_modes[place_of(state->addressing[axis])].cuda;
  if (state->is_normalized)
    texture.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (as_integers)
    texture.flags |= CU_TRSF_READ_AS_INTEGER;
  if (state->is_seamless)
    texture.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
  return texture;
}

pi_result piSamplerGetInfo(pi_sampler sampler, pi_sampler_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_SAMPLER(sampler);
  PI_TRY(pi_answer_check(&answer));
  return sampler_state_answer(&sampler->state, &answer, param_name,
                              pi_handle_references(&sampler->handle), sampler->context);
}

pi_result piSamplerRetain(pi_sampler sampler) {
  REQUIRE_SAMPLER(sampler);
  pi_handle_retain(&sampler->handle);
  return PI_SUCCESS;
}

pi_result piSamplerRelease(pi_sampler sampler) {
  REQUIRE_SAMPLER(sampler);
  const pi_context context = sampler->context;
  if (pi_handle_release(&sampler->handle)) {
    free(sampler);
    context_release(context);
  }
  return PI_SUCCESS;
}

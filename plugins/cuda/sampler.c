#include "sampler.h"

#include "../objects/driver.h"

static const struct {
  pi_sampler_addressing_mode mode;
  CUaddress_mode cuda;
} addressing_modes[] = {
#define SAMPLER_ADDRESSING_MODE(pi, cuda)                                                          \
  {PI_SAMPLER_ADDRESSING_MODE_##pi, CU_TR_ADDRESS_MODE_##cuda},
    SAMPLER_ADDRESSING_MODES(SAMPLER_ADDRESSING_MODE)
#undef SAMPLER_ADDRESSING_MODE
};

/* Returns the index of a mode in SAMPLER_ADDRESSING_MODES. */
static unsigned place_of(pi_sampler_addressing_mode mode) {
  unsigned place = 0;
  while (addressing_modes[place].mode != mode)
    place++;
  return place;
}

pi_result driver_sampler_create(pi_sampler sampler, bool is_bindless) {
  (void)is_bindless;
  const sampler_state *state = &sampler->state;
  sampler->driver.properties = (pi_uint32)state->is_normalized | (pi_uint32)state->is_linear << 1 |
                               place_of(state->addressing[0]) << 2;
  return PI_SUCCESS;
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

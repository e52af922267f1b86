#include "sampler.h"

#include "checks.h"

#include "../common/names.h"

#include <float.h>
#include <math.h>
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

enum {
  MODE_COUNT = sizeof addressing_modes / sizeof addressing_modes[0],
  DEFAULT_MODE = PI_SAMPLER_ADDRESSING_MODE_CLAMP - PI_SAMPLER_ADDRESSING_MODE_NONE,
};

static pi_result read_mode(pi_sampler_properties value, unsigned *ret) {
  unsigned place = 0;
  while (place < MODE_COUNT && (pi_sampler_properties)addressing_modes[place].mode != value)
    place++;
  PI_REQUIRE(place < MODE_COUNT, PI_ERROR_INVALID_VALUE,
             "0x%llx is not a pi_sampler_addressing_mode", (unsigned long long)value);
  *ret = place;
  return PI_SUCCESS;
}

/* One of two values of a property: *ret is whether it is the second one. */
static pi_result read_choice(const char *type, pi_sampler_properties value,
                             pi_sampler_properties no, pi_sampler_properties yes, bool *ret) {
  PI_REQUIRE(value == no || value == yes, PI_ERROR_INVALID_VALUE, "0x%llx is not a %s",
             (unsigned long long)value, type);
  *ret = value == yes;
  return PI_SUCCESS;
}

/* The modes of one axis, of two, of three: those that are not given are as the first one. */
static pi_result read_addressing(pi_sampler_properties value, unsigned former,
                                 struct pi_sampler_object *ret) {
  unsigned mode;
  PI_TRY(read_mode(value, &mode));
  for (unsigned axis = former; axis < (former == 0 ? 3u : former + 1); axis++)
    ret->addressing[axis] = mode;
  return PI_SUCCESS;
}

/* former: how often the key was there before. */
static pi_result read_property(const pi_sampler_properties *property, unsigned former,
                               struct pi_sampler_object *ret) {
  const pi_sampler_properties value = property[1];
  switch (property[0]) {
  case PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS:
    return read_choice("pi_bool", value, PI_FALSE, PI_TRUE, &ret->is_normalized);
  case PI_SAMPLER_PROPERTIES_ADDRESSING_MODE:
    return read_addressing(value, former, ret);
  case PI_SAMPLER_PROPERTIES_FILTER_MODE:
    return read_choice("pi_sampler_filter_mode", value, PI_SAMPLER_FILTER_MODE_NEAREST,
                       PI_SAMPLER_FILTER_MODE_LINEAR, &ret->is_linear);
  case PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE:
    return read_choice("pi_sampler_filter_mode", value, PI_SAMPLER_FILTER_MODE_NEAREST,
                       PI_SAMPLER_FILTER_MODE_LINEAR, &ret->is_mip_linear);
  case PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE:
    return read_choice("pi_sampler_cubemap_filter_mode", value,
                       PI_SAMPLER_CUBEMAP_FILTER_MODE_DISJOINTED,
                       PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS, &ret->is_seamless);
  }
  return pi_error(PI_ERROR_INVALID_VALUE, "0x%llx is not a key of a sampler's properties",
                  (unsigned long long)property[0]);
}

/*
 * A key is there once at most; the addressing mode of a bindless sampler up to three times, for x,
 * y and z.
 */
static pi_result read_properties(const pi_sampler_properties *properties, unsigned axes,
                                 struct pi_sampler_object *ret) {
  for (const pi_sampler_properties *p = properties; p && *p != 0; p += 2) {
    unsigned former = 0;
    for (const pi_sampler_properties *q = properties; q != p; q += 2)
      former += *q == *p;
    const unsigned most = *p == PI_SAMPLER_PROPERTIES_ADDRESSING_MODE ? axes : 1;
    PI_REQUIRE(former < most, PI_ERROR_INVALID_VALUE, "property %s is given %u times, %u at most",
               pi_name("pi_sampler_properties", (int64_t)*p), former + 1, most);
    PI_TRY(read_property(p, former, ret));
  }
  return PI_SUCCESS;
}

static pi_result create(pi_context context, const pi_sampler_properties *properties, unsigned axes,
                        float min_level, float max_level, float anisotropy, pi_sampler *ret) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret);
  struct pi_sampler_object made = {.context = context,
                                   .is_normalized = true,
                                   .addressing = {DEFAULT_MODE, DEFAULT_MODE, DEFAULT_MODE},
                                   .min_level = min_level,
                                   .max_level = max_level,
                                   .anisotropy = anisotropy};
  PI_TRY(read_properties(properties, axes, &made));
  pi_sampler sampler = malloc(sizeof *sampler);
  PI_REQUIRE(sampler, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a sampler");
  *sampler = made;
  pi_handle_init(&sampler->handle, PI_HANDLE_SAMPLER);
  context_retain(context);
  *ret = sampler;
  return PI_SUCCESS;
}

pi_result piSamplerCreate(pi_context context, const pi_sampler_properties *sampler_properties,
                          pi_sampler *result_sampler) {
  return create(context, sampler_properties, 1, 0, FLT_MAX, 0, result_sampler);
}

pi_result piextBindlessImageSamplerCreate(pi_context context,
                                          const pi_sampler_properties *sampler_properties,
                                          float min_mipmap_level_clamp,
                                          float max_mipmap_level_clamp, float max_anisotropy,
                                          pi_sampler *result_sampler) {
  REQUIRE_CONTEXT(context);
  PI_REQUIRE(isfinite(min_mipmap_level_clamp) && isfinite(max_mipmap_level_clamp) &&
                 min_mipmap_level_clamp <= max_mipmap_level_clamp,
             PI_ERROR_INVALID_VALUE, "mip-map levels from %g to %g are no range",
             (double)min_mipmap_level_clamp, (double)max_mipmap_level_clamp);
  PI_REQUIRE(max_anisotropy >= 0 && max_anisotropy <= 16, PI_ERROR_INVALID_VALUE,
             "max_anisotropy is %g, CUDA has 0 to 16", (double)max_anisotropy);
  return create(context, sampler_properties, 3, min_mipmap_level_clamp, max_mipmap_level_clamp,
                max_anisotropy, result_sampler);
}

pi_uint32 sampler_properties(pi_sampler sampler) {
  return (pi_uint32)sampler->is_normalized | (pi_uint32)sampler->is_linear << 1 |
         sampler->addressing[0] << 2;
}

CUDA_TEXTURE_DESC sampler_texture(pi_sampler sampler, bool has_y, bool has_z, bool as_integers) {
  CUDA_TEXTURE_DESC texture = {
      .filterMode = sampler->is_linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT,
      .mipmapFilterMode =
          sampler->is_mip_linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT,
      .maxAnisotropy = (unsigned)sampler->anisotropy,
      .minMipmapLevelClamp = sampler->min_level,
      .maxMipmapLevelClamp = sampler->max_level,
  };
  const bool has_axis[3] = {true, has_y, has_z};
  for (unsigned axis = 0; axis < 3; axis++)
    if (has_axis[axis])
      texture.addressMode[axis] = addressing_modes[sampler->addressing[axis]].cuda;
  if (sampler->is_normalized)
    texture.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (as_integers)
    texture.flags |= CU_TRSF_READ_AS_INTEGER;
  if (sampler->is_seamless)
    texture.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
  return texture;
}

pi_result piSamplerGetInfo(pi_sampler sampler, pi_sampler_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_SAMPLER(sampler);
  PI_TRY(pi_answer_check(&answer));
  switch (param_name) {
  case PI_SAMPLER_INFO_REFERENCE_COUNT:
    return pi_answer_uint32(&answer, pi_handle_references(&sampler->handle));
  case PI_SAMPLER_INFO_CONTEXT:
    return pi_answer_handle(&answer, sampler->context);
  case PI_SAMPLER_INFO_NORMALIZED_COORDS:
    return pi_answer_bool(&answer, sampler->is_normalized);
  case PI_SAMPLER_INFO_ADDRESSING_MODE:
    return pi_answer_uint32(&answer, addressing_modes[sampler->addressing[0]].mode);
  case PI_SAMPLER_INFO_FILTER_MODE:
    return pi_answer_uint32(&answer, sampler->is_linear ? PI_SAMPLER_FILTER_MODE_LINEAR
                                                        : PI_SAMPLER_FILTER_MODE_NEAREST);
  case PI_SAMPLER_INFO_MIP_FILTER_MODE:
    return pi_answer_uint32(&answer, sampler->is_mip_linear ? PI_SAMPLER_FILTER_MODE_LINEAR
                                                            : PI_SAMPLER_FILTER_MODE_NEAREST);
  case PI_SAMPLER_INFO_LOD_MIN:
    return pi_answer_bytes(&answer, &sampler->min_level, sizeof sampler->min_level);
  case PI_SAMPLER_INFO_LOD_MAX:
    return pi_answer_bytes(&answer, &sampler->max_level, sizeof sampler->max_level);
  }
  return pi_answer_unknown("pi_sampler_info", param_name);
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

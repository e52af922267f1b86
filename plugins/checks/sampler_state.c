#include "sampler_state.h"

#include "../base/error.h"
#include "../base/names.h"

#include <float.h>
#include <math.h>

/* Reads a property with two possible values. *ret is whether the value is yes. */
static pi_result read_choice(const char *type, pi_sampler_properties value,
                             pi_sampler_properties no, pi_sampler_properties yes, bool *ret) {
  REQUIRE(value == no || value == yes, PI_ERROR_INVALID_VALUE, "0x%llx is not a %s",
          (unsigned long long)value, type);
  *ret = value == yes;
  return PI_SUCCESS;
}

/* Sets the mode of axis number former. The first mode also applies to axes without their own. */
static pi_result read_addressing(pi_sampler_properties value, unsigned former, sampler_state *ret) {
  REQUIRE(value >= PI_SAMPLER_ADDRESSING_MODE_NONE &&
              value <= PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT,
          PI_ERROR_INVALID_VALUE, "0x%llx is not a pi_sampler_addressing_mode",
          (unsigned long long)value);
  for (unsigned axis = former; axis < (former == 0 ? 3u : former + 1); axis++)
    ret->addressing[axis] = (pi_sampler_addressing_mode)value;
  return PI_SUCCESS;
}

/* Reads a property. former is the number of earlier properties with the same key. */
static pi_result read_property(const pi_sampler_properties *property, unsigned former,
                               sampler_state *ret) {
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
  return plugin_error(PI_ERROR_INVALID_VALUE, "0x%llx is not a key of a sampler's properties",
                      (unsigned long long)property[0]);
}

/* Reads a list of properties. A key may occur once, but the addressing mode up to axes times. */
static pi_result read_properties(const pi_sampler_properties *properties, unsigned axes,
                                 sampler_state *ret) {
  for (const pi_sampler_properties *p = properties; p && *p != 0; p += 2) {
    unsigned former = 0;
    for (const pi_sampler_properties *q = properties; q != p; q += 2)
      former += *q == *p;
    const unsigned most = *p == PI_SAMPLER_PROPERTIES_ADDRESSING_MODE ? axes : 1;
    REQUIRE(former < most, PI_ERROR_INVALID_VALUE, "property %s is given %u times, %u at most",
            enumerator_name("pi_sampler_properties", (int64_t)*p), former + 1, most);
    TRY(read_property(p, former, ret));
  }
  return PI_SUCCESS;
}

static sampler_state plain(void) {
  const pi_sampler_addressing_mode mode = PI_SAMPLER_ADDRESSING_MODE_CLAMP;
  return (sampler_state){
      .is_normalized = true, .addressing = {mode, mode, mode}, .max_level = FLT_MAX};
}

pi_result sampler_state_read(const pi_sampler_properties *properties, sampler_state *ret) {
  sampler_state state = plain();
  TRY(read_properties(properties, 1, &state));
  *ret = state;
  return PI_SUCCESS;
}

pi_result sampler_state_read_bindless(const pi_sampler_properties *properties, float min_level,
                                      float max_level, float anisotropy, sampler_state *ret) {
  REQUIRE(isfinite(min_level) && isfinite(max_level) && min_level <= max_level,
          PI_ERROR_INVALID_VALUE, "mip-map levels from %g to %g are no range", (double)min_level,
          (double)max_level);
  REQUIRE(anisotropy >= 0 && anisotropy <= 16, PI_ERROR_INVALID_VALUE,
          "max_anisotropy is %g, not 0 to 16", (double)anisotropy);
  sampler_state state = plain();
  TRY(read_properties(properties, 3, &state));
  state.min_level = min_level;
  state.max_level = max_level;
  state.anisotropy = anisotropy;
  *ret = state;
  return PI_SUCCESS;
}

pi_result sampler_state_answer(const sampler_state *state, const info_answer *answer,
                               pi_sampler_info query, pi_uint32 references, pi_context context) {
  switch (query) {
  case PI_SAMPLER_INFO_REFERENCE_COUNT:
    return answer_uint32(answer, references);
  case PI_SAMPLER_INFO_CONTEXT:
    return answer_handle(answer, context);
  case PI_SAMPLER_INFO_NORMALIZED_COORDS:
    return answer_bool(answer, state->is_normalized);
  case PI_SAMPLER_INFO_ADDRESSING_MODE:
    return answer_uint32(answer, state->addressing[0]);
  case PI_SAMPLER_INFO_FILTER_MODE:
    return answer_uint32(answer, state->is_linear ? PI_SAMPLER_FILTER_MODE_LINEAR
                                                  : PI_SAMPLER_FILTER_MODE_NEAREST);
  case PI_SAMPLER_INFO_MIP_FILTER_MODE:
    return answer_uint32(answer, state->is_mip_linear ? PI_SAMPLER_FILTER_MODE_LINEAR
                                                      : PI_SAMPLER_FILTER_MODE_NEAREST);
  case PI_SAMPLER_INFO_LOD_MIN:
    return answer_bytes(answer, &state->min_level, sizeof state->min_level);
  case PI_SAMPLER_INFO_LOD_MAX:
    return answer_bytes(answer, &state->max_level, sizeof state->max_level);
  }
  return answer_unknown("pi_sampler_info", query);
}

/* UR's entries for samplers. No driver has native handles of samplers (absent.c). */
#include "../plugins/objects/sampler.h"

#include "handles.h"
#include "reply_object.h"

/* The differences between PI's numbers and UR's. They are constant for each enumeration. */
enum {
  ADDRESSING_BASE = PI_SAMPLER_ADDRESSING_MODE_NONE - UR_SAMPLER_ADDRESSING_MODE_NONE,
  FILTER_BASE = PI_SAMPLER_FILTER_MODE_NEAREST - UR_SAMPLER_FILTER_MODE_NEAREST,
  CUBEMAP_BASE = (int)PI_SAMPLER_CUBEMAP_FILTER_MODE_DISJOINTED -
                 (int)UR_EXP_SAMPLER_CUBEMAP_FILTER_MODE_DISJOINTED,
};
#define SAME_FROM(base, pi, ur) _Static_assert((int)(pi) == (int)(ur) + (base), #ur)
SAME_FROM(ADDRESSING_BASE, PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE,
          UR_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE);
SAME_FROM(ADDRESSING_BASE, PI_SAMPLER_ADDRESSING_MODE_CLAMP, UR_SAMPLER_ADDRESSING_MODE_CLAMP);
SAME_FROM(ADDRESSING_BASE, PI_SAMPLER_ADDRESSING_MODE_REPEAT, UR_SAMPLER_ADDRESSING_MODE_REPEAT);
SAME_FROM(ADDRESSING_BASE, PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT,
          UR_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT);
SAME_FROM(FILTER_BASE, PI_SAMPLER_FILTER_MODE_LINEAR, UR_SAMPLER_FILTER_MODE_LINEAR);
SAME_FROM(CUBEMAP_BASE, PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS,
          UR_EXP_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS);

/* A sampler in PI's form: a list of keys and values. */
typedef struct sampler_list {
  pi_sampler_properties list[2 * 7 + 1];
  unsigned used;
  bool is_bindless; /* it has properties that only samplers of bindless images have */
  float min_level, max_level, anisotropy;
} sampler_list;

static void add_property(sampler_list *list, pi_sampler_properties key, int value) {
  list->list[list->used++] = key;
  list->list[list->used++] = (pi_sampler_properties)value;
}

static ur_result_t add_addressing(sampler_list *list, ur_sampler_addressing_mode_t mode) {
  UR_REQUIRE((unsigned)mode <= UR_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT,
             UR_RESULT_ERROR_INVALID_ENUMERATION, "0x%x is not a ur_sampler_addressing_mode_t",
             (unsigned)mode);
  add_property(list, PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, (int)mode + ADDRESSING_BASE);
  return UR_RESULT_SUCCESS;
}

static ur_result_t add_filter(sampler_list *list, pi_sampler_properties key,
                              ur_sampler_filter_mode_t mode) {
  UR_REQUIRE((unsigned)mode <= UR_SAMPLER_FILTER_MODE_LINEAR, UR_RESULT_ERROR_INVALID_ENUMERATION,
             "0x%x is not a ur_sampler_filter_mode_t", (unsigned)mode);
  add_property(list, key, (int)mode + FILTER_BASE);
  return UR_RESULT_SUCCESS;
}

static ur_result_t add_mip(sampler_list *list, const ur_exp_sampler_mip_properties_t *mip) {
  list->min_level = mip->minMipmapLevelClamp;
  list->max_level = mip->maxMipmapLevelClamp;
  list->anisotropy = mip->maxAnisotropy;
  return add_filter(list, PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE, mip->mipFilterMode);
}

static ur_result_t add_cubemap(sampler_list *list,
                               const ur_exp_sampler_cubemap_properties_t *cube) {
  UR_REQUIRE((unsigned)cube->cubemapFilterMode <= UR_EXP_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS,
             UR_RESULT_ERROR_INVALID_ENUMERATION,
             "0x%x is not a ur_exp_sampler_cubemap_filter_mode_t",
             (unsigned)cube->cubemapFilterMode);
  add_property(list, PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE,
               (int)cube->cubemapFilterMode + CUBEMAP_BASE);
  return UR_RESULT_SUCCESS;
}

/* Reads a structure chained to the description; *modes receives the one with the modes of x, y and
 * z. */
static ur_result_t add_structure(sampler_list *list, const ur_base_desc_t *base,
                                 const ur_exp_sampler_addr_modes_t **modes) {
  const void *structure = base;
  list->is_bindless = true;
  switch ((int)base->stype) {
  case UR_STRUCTURE_TYPE_EXP_SAMPLER_MIP_PROPERTIES:
    return add_mip(list, structure);
  case UR_STRUCTURE_TYPE_EXP_SAMPLER_CUBEMAP_PROPERTIES:
    return add_cubemap(list, structure);
  case UR_STRUCTURE_TYPE_EXP_SAMPLER_ADDR_MODES:
    *modes = structure;
    return UR_RESULT_SUCCESS;
  }
  return face_error(UR_RESULT_ERROR_INVALID_ENUMERATION, "structure 0x%x says nothing of a sampler",
                    (unsigned)base->stype);
}

/* Reads the chain. Each structure may occur once, because more would not fit into the list. */
static ur_result_t read_chain(sampler_list *list, const ur_sampler_desc_t *desc) {
  const ur_exp_sampler_addr_modes_t *modes = NULL;
  unsigned links = 0;
  for (const ur_base_desc_t *base = desc->pNext; base; base = base->pNext) {
    UR_REQUIRE(links++ < 3, UR_RESULT_ERROR_INVALID_VALUE,
               "the description of a sampler chains more than 3 structures");
    UR_PASS(add_structure(list, base, &modes));
  }
  if (!modes)
    return add_addressing(list, desc->addressingMode);
  for (int axis = 0; axis < 3; axis++)
    UR_PASS(add_addressing(list, modes->addrModes[axis]));
  return UR_RESULT_SUCCESS;
}

static ur_result_t read_desc(const ur_sampler_desc_t *desc, sampler_list *list) {
  add_property(list, PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
               desc->normalizedCoords ? PI_TRUE : PI_FALSE);
  UR_PASS(add_filter(list, PI_SAMPLER_PROPERTIES_FILTER_MODE, desc->filterMode));
  return read_chain(list, desc);
}

static pi_result create_sampler(pi_context context, const sampler_list *list, pi_sampler *ret) {
  sampler_state state;
  TRY(list->is_bindless ? sampler_state_read_bindless(list->list, list->min_level, list->max_level,
                                                      list->anisotropy, &state)
                        : sampler_state_read(list->list, &state));
  return sampler_create(context, &state, list->is_bindless, ret);
}

ur_result_t urSamplerCreate(ur_context_handle_t hContext, const ur_sampler_desc_t *pDesc,
                            ur_sampler_handle_t *phSampler) {
  sampler_list list = {.used = 0};
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pDesc);
  UR_REQUIRE_POINTER(phSampler);
  UR_PASS(read_desc(pDesc, &list));
  return face_result(create_sampler(context_of(hContext), &list, samplers_of(phSampler)));
}

ur_result_t urSamplerRetain(ur_sampler_handle_t hSampler) {
  UR_REQUIRE_SAMPLER(hSampler);
  sampler_retain(sampler_of(hSampler));
  return UR_RESULT_SUCCESS;
}

ur_result_t urSamplerRelease(ur_sampler_handle_t hSampler) {
  UR_REQUIRE_SAMPLER(hSampler);
  sampler_release(sampler_of(hSampler));
  return UR_RESULT_SUCCESS;
}

ur_result_t urSamplerGetInfo(ur_sampler_handle_t hSampler, ur_sampler_info_t propName,
                             size_t propSize, void *pPropValue, size_t *pPropSizeRet) {
  const info_answer reply = REPLY_PLACE;
  UR_REQUIRE_SAMPLER(hSampler);
  UR_PASS(reply_check(&reply));
  const pi_sampler sampler = sampler_of(hSampler);
  const sampler_state *state = &sampler->state;
  switch ((int)propName) {
  case UR_SAMPLER_INFO_REFERENCE_COUNT:
    return reply_uint32(&reply, object_references(&sampler->handle));
  case UR_SAMPLER_INFO_CONTEXT:
    return reply_handle(&reply, sampler->context);
  case UR_SAMPLER_INFO_NORMALIZED_COORDS:
    return reply_bool(&reply, state->is_normalized);
  case UR_SAMPLER_INFO_ADDRESSING_MODE:
    return reply_uint32(&reply, (uint32_t)state->addressing[0] - ADDRESSING_BASE);
  case UR_SAMPLER_INFO_FILTER_MODE:
    return reply_uint32(&reply, state->is_linear ? UR_SAMPLER_FILTER_MODE_LINEAR
                                                 : UR_SAMPLER_FILTER_MODE_NEAREST);
  }
  return reply_unknown("ur_sampler_info_t", propName);
}

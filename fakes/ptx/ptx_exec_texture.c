/* Texture and surface instructions, which call the driver's hooks. */
#include "ptx_exec.h"

#include <string.h>

enum { MESSAGE = 160 };

static bool refused(ptx_thread *thread, const ptx_insn *insn, uint64_t handle,
                    const char *message) {
  return ptx_stop(thread, insn, PTX_LAUNCH_FAILED, "%s (object 0x%llx)",
                  *message ? message : "the access to a texture or surface failed",
                  (unsigned long long)handle);
}

static float to_float(uint64_t bits) {
  const uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof(value));
  return value;
}

static ptx_texel texel_of(uint8_t type) {
  switch (type) {
  case PTX_F32:
    return PTX_TEXEL_F32;
  case PTX_F16:
    return PTX_TEXEL_F16;
  case PTX_S32:
    return PTX_TEXEL_S32;
  default:
    return PTX_TEXEL_U32;
  }
}

static void sample_details(const ptx_thread *thread, const ptx_insn *insn, const uint32_t *o,
                           ptx_texture_access *access) {
  if (insn->op == PTX_OP_TLD4) {
    access->sample = PTX_SAMPLE_GATHER;
    access->component = (unsigned)(insn->mode - PTX_M_COMPONENT_R);
  } else if (insn->mode == PTX_M_DETAIL_LEVEL) {
    access->sample = PTX_SAMPLE_LEVEL;
    const uint64_t lod = ptx_get(thread, o[10]);
    access->lod = access->integer ? (float)(int32_t)(uint32_t)lod : to_float(lod);
  } else if (insn->mode == PTX_M_DETAIL_GRAD) {
    access->sample = PTX_SAMPLE_GRADIENT;
    for (int i = 0; i < 3; i++) {
      access->gradient_x[i] = to_float(ptx_get(thread, o[10 + i]));
      access->gradient_y[i] = to_float(ptx_get(thread, o[13 + i]));
    }
  }
}

/* Operands: 4 destinations, texture, sampler, layer, 3 coordinates, the sample's parameters. */
static bool sample(ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const ptx_hooks *hooks = thread->block->run->hooks;
  ptx_texture_access access = {
      .texture = ptx_get(thread, o[4]),
      .sampler = insn->flags & PTX_FLAG_SAMPLER ? ptx_get(thread, o[5]) : 0,
      .dimensions = ptx_dimensions_of(insn->detail),
      .array = ptx_is_array(insn->detail),
      .cube = insn->detail == PTX_M_GEOMETRY_CUBE || insn->detail == PTX_M_GEOMETRY_ACUBE,
      .integer = insn->type2 == PTX_S32,
      .layer = (uint32_t)ptx_get(thread, o[6]),
      .texel = texel_of(insn->type)};
  for (int i = 0; i < 3; i++) {
    const uint64_t bits = ptx_get(thread, o[7 + i]);
    if (access.integer)
      access.at.i[i] = (int32_t)(uint32_t)bits;
    else
      access.at.f[i] = to_float(bits);
  }
  sample_details(thread, insn, o, &access);
  uint32_t result[4] = {0};
  char message[MESSAGE] = {0};
  if (!hooks || !hooks->texture ||
      !hooks->texture(hooks->user, &access, result, message, sizeof(message)))
    return refused(thread, insn, access.texture, message);
  for (int i = 0; i < 4; i++)
    *ptx_slot(thread, o[i]) = ptx_cut(result[i], insn->shift);
  return true;
}

/* Operands: elements, surface, layer, 3 coordinates. */
static bool surface(ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const ptx_hooks *hooks = thread->block->run->hooks;
  const uint32_t *from = o + insn->count;
  const unsigned size = (64u - insn->shift) / 8;
  unsigned char data[16] = {0};
  ptx_surface_access access = {.surface = ptx_get(thread, from[0]),
                               .write = insn->op == PTX_OP_SUST,
                               .formatted = (insn->flags & PTX_FLAG_FORMATTED) != 0,
                               .dimensions = ptx_dimensions_of(insn->detail),
                               .array = ptx_is_array(insn->detail),
                               .layer = (uint32_t)ptx_get(thread, from[1]),
                               .clamp = insn->mode == PTX_M_OUTSIDE_CLAMP  ? PTX_CLAMP_EDGE
                                        : insn->mode == PTX_M_OUTSIDE_ZERO ? PTX_CLAMP_ZERO
                                                                           : PTX_CLAMP_TRAP,
                               .size = size * insn->count,
                               .components = insn->count,
                               .data = data};
  for (int i = 0; i < 3; i++)
    access.at[i] = (int32_t)(uint32_t)ptx_get(thread, from[2 + i]);
  for (unsigned i = 0; i < insn->count && access.write; i++) {
    const uint64_t value = ptx_get(thread, o[i]);
    memcpy(data + i * size, &value, size);
  }
  char message[MESSAGE] = {0};
  if (!hooks || !hooks->surface || !hooks->surface(hooks->user, &access, message, sizeof(message)))
    return refused(thread, insn, access.surface, message);
  for (unsigned i = 0; i < insn->count && !access.write; i++) {
    uint64_t value = 0;
    memcpy(&value, data + i * size, size);
    *ptx_slot(thread, o[i]) = value;
  }
  return true;
}

static bool query(ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const ptx_hooks *hooks = thread->block->run->hooks;
  const uint64_t handle = ptx_get(thread, o[1]);
  char message[MESSAGE] = {0};
  uint32_t result = 0;
  if (!hooks || !hooks->query ||
      !hooks->query(hooks->user, handle, insn->op == PTX_OP_SUQ,
                    (ptx_query)(insn->mode - PTX_M_QUERY_WIDTH), &result, message, sizeof(message)))
    return refused(thread, insn, handle, message);
  *ptx_slot(thread, o[0]) = result;
  return true;
}

bool ptx_exec_TEXTURE(ptx_thread *thread, const ptx_insn *insn) {
  const uint32_t *o = ptx_operands(thread, insn);
  switch (insn->op) {
  case PTX_OP_TEX:
  case PTX_OP_TLD4:
    return sample(thread, insn, o);
  case PTX_OP_TXQ:
  case PTX_OP_SUQ:
    return query(thread, insn, o);
  default:
    return surface(thread, insn, o);
  }
}

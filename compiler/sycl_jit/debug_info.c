#include "debug_info.h"

#include <string.h>

/* Numbers of the SPIR-V specification. */
enum {
  OP_STRING = 7,
  OP_LINE = 8,
  OP_EXTENSION = 10,
  OP_EXT_INST_IMPORT = 11,
  OP_EXT_INST = 12,
  OP_NO_LINE = 317,
  OP_MODULE_PROCESSED = 330,
};

static const char set_name[] = "NonSemantic.Shader.DebugInfo.";

static bool begins(const char *text, const char *start) {
  return text != NULL && strncmp(text, start, strlen(start)) == 0;
}

uint32_t debug_info_set(const jit_module *module) {
  spirv_words words = module->words;
  spirv_instruction at;
  while (spirv_more(&words) && spirv_next(&words, &at) == PI_SUCCESS)
    if (at.opcode == OP_EXT_INST_IMPORT && at.words > 2 && begins(spirv_text(&at, 2), set_name))
      return spirv_word(&at, 1);
  return 0;
}

int debug_info_number(uint32_t set, const spirv_instruction *at) {
  const bool is_one =
      set != 0 && at->opcode == OP_EXT_INST && at->words > 4 && spirv_word(at, 3) == set;
  return is_one ? (int)spirv_word(at, 4) : -1;
}

const definition *debug_info_find(const jit_module *module, uint32_t set, uint32_t id, int number) {
  const definition *found = definitions_find(&module->all, id);
  return found != NULL && debug_info_number(set, &found->at) == number ? found : NULL;
}

uint32_t debug_info_id(const spirv_instruction *at, uint32_t word) {
  return word < at->words ? spirv_word(at, word) : 0;
}

const char *debug_info_text(const jit_module *module, const spirv_instruction *at, uint32_t word) {
  const definition *found = definitions_find(&module->all, debug_info_id(at, word));
  const char *text = found != NULL && found->at.opcode == OP_STRING && found->at.words > 2
                         ? spirv_text(&found->at, 2)
                         : NULL;
  return text != NULL ? text : "";
}

uint32_t debug_info_value(const jit_module *module, const spirv_instruction *at, uint32_t word) {
  const constant_value value = definitions_value(&module->all, debug_info_id(at, word));
  return value.count == 1 ? (uint32_t)value.bits[0] : 0;
}

bool debug_info_owns(uint32_t set, const spirv_instruction *at) {
  switch (at->opcode) {
  case OP_STRING:
  case OP_LINE:
  case OP_NO_LINE:
  case OP_MODULE_PROCESSED:
    return true;
  case OP_EXTENSION:
    return at->words > 1 && begins(spirv_text(at, 1), "SPV_KHR_non_semantic_info");
  case OP_EXT_INST_IMPORT:
    return at->words > 2 && begins(spirv_text(at, 2), set_name);
  default:
    return debug_info_number(set, at) >= 0;
  }
}

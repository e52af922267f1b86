#include "spirv.h"

#include "../base/error.h"

#include <string.h>

pi_result spirv_open(const void *il, size_t length, spirv_words *ret) {
  REQUIRE(il, PI_ERROR_INVALID_VALUE, "the SPIR-V module is NULL");
  REQUIRE(length >= SPIRV_HEADER_WORDS * 4, PI_ERROR_INVALID_VALUE,
          "the SPIR-V module has %zu bytes, its header alone takes %d", length,
          SPIRV_HEADER_WORDS * 4);
  const unsigned char *bytes = il;
  const pi_uint32 magic = spirv_load(bytes);
  REQUIRE(__builtin_bswap32(magic) != SPIRV_MAGIC, PI_ERROR_INVALID_VALUE,
          "the SPIR-V module is big-endian, only little-endian ones are read");
  REQUIRE(magic == SPIRV_MAGIC, PI_ERROR_INVALID_VALUE,
          "not a SPIR-V module: it begins with 0x%08x, not 0x%08x", magic, SPIRV_MAGIC);
  REQUIRE(length % 4 == 0, PI_ERROR_INVALID_VALUE,
          "the SPIR-V module has %zu bytes, not a multiple of 4", length);
  *ret = (spirv_words){.bytes = bytes, .words = length / 4, .next = SPIRV_HEADER_WORDS};
  return PI_SUCCESS;
}

pi_result spirv_next(spirv_words *module, spirv_instruction *ret) {
  const unsigned char *bytes = module->bytes + module->next * 4;
  const pi_uint32 first = spirv_load(bytes);
  const pi_uint32 words = first >> 16;
  REQUIRE(words != 0, PI_ERROR_INVALID_VALUE,
          "damaged SPIR-V module: the instruction at word %zu has a length of 0", module->next);
  REQUIRE(words <= module->words - module->next, PI_ERROR_INVALID_VALUE,
          "damaged SPIR-V module: the instruction at word %zu has %u words, the module ends "
          "after %zu",
          module->next, words, module->words - module->next);
  *ret = (spirv_instruction){
      .opcode = first & 0xffff, .words = words, .position = module->next, .bytes = bytes};
  module->next += words;
  return PI_SUCCESS;
}

const char *spirv_text(const spirv_instruction *instruction, pi_uint32 word) {
  if (instruction->words <= word)
    return NULL;
  const unsigned char *text = instruction->bytes + (size_t)word * 4;
  const size_t room = ((size_t)instruction->words - word) * 4;
  return memchr(text, '\0', room) ? (const char *)text : NULL;
}

static const struct {
  pi_uint32 opcode, width;
  const char *name;
} scalars[] = {
#define SPIRV_SCALAR(opcode, width, name) {opcode, width, name},
    SPIRV_SCALARS(SPIRV_SCALAR)
#undef SPIRV_SCALAR
};

int spirv_scalar_find(const spirv_instruction *type) {
  const pi_uint32 width = type->words >= 3 ? spirv_word(type, 2) : 0;
  for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++)
    if (scalars[i].opcode == type->opcode && scalars[i].width == width)
      return (int)i;
  return -1;
}

const char *spirv_scalar_name(int index) {
  return scalars[index].name;
}

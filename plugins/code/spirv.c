#include "spirv.h"

#include "../base/error.h"

pi_result pi_spirv_open(const void *il, size_t length, pi_spirv *ret) {
  PI_REQUIRE(il, PI_ERROR_INVALID_VALUE, "the SPIR-V module is NULL");
  PI_REQUIRE(length >= PI_SPIRV_HEADER_WORDS * 4, PI_ERROR_INVALID_VALUE,
             "the SPIR-V module has %zu bytes, its header alone takes %d", length,
             PI_SPIRV_HEADER_WORDS * 4);
  const unsigned char *bytes = il;
  const pi_uint32 magic = pi_spirv_load(bytes);
  PI_REQUIRE(__builtin_bswap32(magic) != PI_SPIRV_MAGIC, PI_ERROR_INVALID_VALUE,
             "the SPIR-V module is big-endian, only little-endian ones are read");
  PI_REQUIRE(magic == PI_SPIRV_MAGIC, PI_ERROR_INVALID_VALUE,
             "not a SPIR-V module: it begins with 0x%08x, not 0x%08x", magic, PI_SPIRV_MAGIC);
  PI_REQUIRE(length % 4 == 0, PI_ERROR_INVALID_VALUE,
             "the SPIR-V module has %zu bytes, not a multiple of 4", length);
  *ret = (pi_spirv){.bytes = bytes, .words = length / 4, .next = PI_SPIRV_HEADER_WORDS};
  return PI_SUCCESS;
}

pi_result pi_spirv_next(pi_spirv *module, pi_spirv_instruction *ret) {
  const unsigned char *bytes = module->bytes + module->next * 4;
  const pi_uint32 first = pi_spirv_load(bytes);
  const pi_uint32 words = first >> 16;
  PI_REQUIRE(words != 0, PI_ERROR_INVALID_VALUE,
             "damaged SPIR-V module: the instruction at word %zu has a length of 0", module->next);
  PI_REQUIRE(words <= module->words - module->next, PI_ERROR_INVALID_VALUE,
             "damaged SPIR-V module: the instruction at word %zu has %u words, the module ends "
             "after %zu",
             module->next, words, module->words - module->next);
  *ret = (pi_spirv_instruction){
      .opcode = first & 0xffff, .words = words, .position = module->next, .bytes = bytes};
  module->next += words;
  return PI_SUCCESS;
}

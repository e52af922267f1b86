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

/*
 * X(first, last, word): opcodes first to last have their result id in this word; 0: they have none.
 * The first row with an opcode counts. All other opcodes have it in word 2, after the result type.
 */
#define RESULT_WORDS(X)                                                                            \
  X(0, 0, 0)       /* OpNop */                                                                     \
  X(2, 6, 0)       /* OpSourceContinued to OpMemberName */                                         \
  X(7, 7, 1)       /* OpString */                                                                  \
  X(8, 10, 0)      /* OpLine, OpExtension */                                                       \
  X(11, 11, 1)     /* OpExtInstImport */                                                           \
  X(13, 18, 0)     /* OpMemoryModel to OpCapability */                                             \
  X(19, 38, 1)     /* OpTypeVoid to OpTypePipe */                                                  \
  X(39, 39, 0)     /* OpTypeForwardPointer */                                                      \
  X(56, 56, 0)     /* OpFunctionEnd */                                                             \
  X(62, 64, 0)     /* OpStore to OpCopyMemorySized */                                              \
  X(73, 73, 1)     /* OpDecorationGroup */                                                         \
  X(71, 75, 0)     /* OpDecorate to OpGroupMemberDecorate */                                       \
  X(99, 99, 0)     /* OpImageWrite */                                                              \
  X(224, 225, 0)   /* OpControlBarrier, OpMemoryBarrier */                                         \
  X(228, 228, 0)   /* OpAtomicStore */                                                             \
  X(248, 248, 1)   /* OpLabel */                                                                   \
  X(246, 257, 0)   /* OpLoopMerge to OpLifetimeStop */                                             \
  X(260, 260, 0)   /* OpGroupWaitEvents */                                                         \
  X(317, 317, 0)   /* OpNoLine */                                                                  \
  X(319, 319, 0)   /* OpAtomicFlagClear */                                                         \
  X(330, 332, 0)   /* OpModuleProcessed to OpDecorateId */                                         \
  X(5576, 5576, 0) /* OpSubgroupBlockWriteINTEL */                                                 \
  X(5630, 5630, 0) /* OpAssumeTrueKHR */                                                           \
  X(5632, 5633, 0) /* OpDecorateString, OpMemberDecorateString */

pi_uint32 spirv_result_word(pi_uint32 opcode) {
  static const struct {
    pi_uint32 first, last, word;
  } all[] = {
#define RESULT_WORD(first, last, word) {first, last, word},
      RESULT_WORDS(RESULT_WORD)
#undef RESULT_WORD
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (opcode >= all[i].first && opcode <= all[i].last)
      return all[i].word;
  return 2;
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

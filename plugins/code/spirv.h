/*
 * A bounded reader of SPIR-V modules: checks the header and walks the instructions. It
 * knows nothing but their framing, so whatever the bytes are it never reads past the end
 * and allocates nothing.
 */
#ifndef PI_CODE_SPIRV_H
#define PI_CODE_SPIRV_H

#include <pi/pi.h>

/* Numbers of the SPIR-V specification: its enumerants, as far as they are used here. */
enum {
  PI_SPIRV_MAGIC = 0x07230203,
  PI_SPIRV_HEADER_WORDS = 5,

  PI_SPIRV_OP_ENTRY_POINT = 15,
  PI_SPIRV_OP_TYPE_BOOL = 20,
  PI_SPIRV_OP_TYPE_INT = 21,
  PI_SPIRV_OP_TYPE_FLOAT = 22,
  PI_SPIRV_OP_SPEC_CONSTANT_TRUE = 48,
  PI_SPIRV_OP_SPEC_CONSTANT_FALSE = 49,
  PI_SPIRV_OP_SPEC_CONSTANT = 50,
  PI_SPIRV_OP_DECORATE = 71,
  PI_SPIRV_OP_GROUP_DECORATE = 74,

  PI_SPIRV_DECORATION_SPEC_ID = 1,
};

/* A place in a module. Made by pi_spirv_open, moved by pi_spirv_next. */
typedef struct pi_spirv {
  const unsigned char *bytes; /* the module's; need not be aligned */
  size_t words;               /* of the module */
  size_t next;                /* index of the word where the next instruction begins */
} pi_spirv;

/* One instruction; valid as long as the module's bytes are. */
typedef struct pi_spirv_instruction {
  pi_uint32 opcode;
  pi_uint32 words;            /* at least 1: the first holds the opcode and this number */
  size_t position;            /* index of its first word in the module */
  const unsigned char *bytes; /* of its first word; need not be aligned */
} pi_spirv_instruction;

/*
 * Checks length and header and places *ret on the first instruction. The bytes are not
 * copied. The header's version, generator and bound are not looked at.
 *
 * PI_ERROR_INVALID_VALUE: il is NULL, length is not a multiple of 4 or too small for a
 * header, the magic number is wrong, or the module has the other byte order.
 */
pi_result pi_spirv_open(const void *il, size_t length, pi_spirv *ret);

/* Whether there is another instruction. */
static inline bool pi_spirv_more(const pi_spirv *module) {
  return module->next < module->words;
}

/*
 * Reads the instruction at the place, which must not be the end, and moves behind it.
 * PI_ERROR_INVALID_VALUE, without a move, when it has no words or runs past the end.
 */
pi_result pi_spirv_next(pi_spirv *module, pi_spirv_instruction *ret);

/* The word in four bytes of a module. */
static inline pi_uint32 pi_spirv_load(const unsigned char *bytes) {
  return (pi_uint32)bytes[0] | (pi_uint32)bytes[1] << 8 | (pi_uint32)bytes[2] << 16 |
         (pi_uint32)bytes[3] << 24;
}

/* The word at index of an instruction; index must be less than its number of words. */
static inline pi_uint32 pi_spirv_word(const pi_spirv_instruction *instruction, pi_uint32 index) {
  return pi_spirv_load(instruction->bytes + (size_t)index * 4);
}

#endif

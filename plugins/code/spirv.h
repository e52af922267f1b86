/*
 * A bounded reader of SPIR-V modules: checks the header and walks the instructions. It knows only
 * their framing, so it never reads past the end, whatever the bytes are, and allocates nothing.
 */
#ifndef CODE_SPIRV_H
#define CODE_SPIRV_H

#include <pi/pi.h>

/* Numbers of the SPIR-V specification: its enumerants, as far as they are used here. */
enum {
  SPIRV_MAGIC = 0x07230203,
  SPIRV_HEADER_WORDS = 5,

  SPIRV_OP_ENTRY_POINT = 15,
  SPIRV_OP_TYPE_BOOL = 20,
  SPIRV_OP_TYPE_INT = 21,
  SPIRV_OP_TYPE_FLOAT = 22,
  SPIRV_OP_SPEC_CONSTANT_TRUE = 48,
  SPIRV_OP_SPEC_CONSTANT_FALSE = 49,
  SPIRV_OP_SPEC_CONSTANT = 50,
  SPIRV_OP_DECORATE = 71,
  SPIRV_OP_GROUP_DECORATE = 74,

  SPIRV_DECORATION_SPEC_ID = 1,
};

/* A place in a module. Made by spirv_open, moved by spirv_next. */
typedef struct spirv_words {
  const unsigned char *bytes; /* the module's; need not be aligned */
  size_t words;               /* of the module */
  size_t next;                /* index of the word where the next instruction begins */
} spirv_words;

/* One instruction; valid as long as the module's bytes are. */
typedef struct spirv_instruction {
  pi_uint32 opcode;
  pi_uint32 words;            /* at least 1: the first holds the opcode and this number */
  size_t position;            /* index of its first word in the module */
  const unsigned char *bytes; /* of its first word; need not be aligned */
} spirv_instruction;

/*
 * Checks length and header and places *ret on the first instruction. The bytes are not
 * copied. The header's version, generator and bound are not looked at.
 *
 * PI_ERROR_INVALID_VALUE: il is NULL, length is not a multiple of 4 or too small for a
 * header, the magic number is wrong, or the module has the other byte order.
 */
pi_result spirv_open(const void *il, size_t length, spirv_words *ret);

/* Returns whether there is another instruction. */
static inline bool spirv_more(const spirv_words *module) {
  return module->next < module->words;
}

/*
 * Reads the instruction at the place, which must not be the end, and moves past it.
 * PI_ERROR_INVALID_VALUE, without a move, when it has no words or runs past the end.
 */
pi_result spirv_next(spirv_words *module, spirv_instruction *ret);

/* The word in four bytes of a module. */
static inline pi_uint32 spirv_load(const unsigned char *bytes) {
  return (pi_uint32)bytes[0] | (pi_uint32)bytes[1] << 8 | (pi_uint32)bytes[2] << 16 |
         (pi_uint32)bytes[3] << 24;
}

/* Stores a word as spirv_load reads it. */
static inline void spirv_store(unsigned char *bytes, pi_uint32 word) {
  for (unsigned i = 0; i < 4; i++)
    bytes[i] = (unsigned char)(word >> 8 * i);
}

/* The word at index of an instruction; index must be less than its number of words. */
static inline pi_uint32 spirv_word(const spirv_instruction *instruction, pi_uint32 index) {
  return spirv_load(instruction->bytes + (size_t)index * 4);
}

/* The text at a word of an instruction; NULL when it has no end there. */
const char *spirv_text(const spirv_instruction *instruction, pi_uint32 word);

/*
 * The word with the id of an instruction's result; 0: it has none that anybody asks for. If an
 * instruction without a result is taken for one with it, it defines another's id: the first
 * definition counts.
 */
pi_uint32 spirv_result_word(pi_uint32 opcode);

/* X(opcode of the type, width in bits, name): scalar types, as the tools name them. */
#define SPIRV_SCALARS(X)                                                                           \
  X(SPIRV_OP_TYPE_BOOL, 0, "bool")                                                                 \
  X(SPIRV_OP_TYPE_INT, 8, "i8")                                                                    \
  X(SPIRV_OP_TYPE_INT, 16, "i16")                                                                  \
  X(SPIRV_OP_TYPE_INT, 32, "i32")                                                                  \
  X(SPIRV_OP_TYPE_INT, 64, "i64")                                                                  \
  X(SPIRV_OP_TYPE_FLOAT, 16, "f16")                                                                \
  X(SPIRV_OP_TYPE_FLOAT, 32, "f32")                                                                \
  X(SPIRV_OP_TYPE_FLOAT, 64, "f64")

/* The index in SPIRV_SCALARS of the type that an instruction defines; -1 for another one. */
int spirv_scalar_find(const spirv_instruction *type);

/* The name at an index from spirv_scalar_find. */
const char *spirv_scalar_name(int index);

#endif

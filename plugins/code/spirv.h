/*
 * Reads SPIR-V modules: checks the header and walks the instructions. Never reads past the end,
 * whatever the bytes are, and allocates nothing.
 */
#ifndef CODE_SPIRV_H
#define CODE_SPIRV_H

#include <pi/pi.h>

/* Numbers of the SPIR-V specification. */
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

/* A position in a module. spirv_open makes it and spirv_next advances it. */
typedef struct spirv_words {
  const unsigned char *bytes; /* the module; need not be aligned */
  size_t words;               /* size of the module in words */
  size_t next;                /* index of the next instruction's first word */
} spirv_words;

/* One instruction; valid as long as the module's bytes are. */
typedef struct spirv_instruction {
  pi_uint32 opcode;
  pi_uint32 words;            /* size in words, including the first one with the opcode */
  size_t position;            /* index of its first word in the module */
  const unsigned char *bytes; /* start of its first word; need not be aligned */
} spirv_instruction;

/*
 * Checks a module's length and magic number, and sets *ret to the first instruction. Does not copy
 * the bytes, and ignores the version, generator and bound.
 *
 * PI_ERROR_INVALID_VALUE: il is NULL, length is not a multiple of 4 or too small for a header, the
 * magic number is wrong, or the module has the other byte order.
 */
pi_result spirv_open(const void *il, size_t length, spirv_words *ret);

/* Returns whether there is another instruction. */
static inline bool spirv_more(const spirv_words *module) {
  return module->next < module->words;
}

/*
 * Reads the next instruction and moves past it. The caller has checked spirv_more.
 * PI_ERROR_INVALID_VALUE: the instruction has no words or runs past the end; the position stays.
 */
pi_result spirv_next(spirv_words *module, spirv_instruction *ret);

/* Reads a word from four bytes of a module. */
static inline pi_uint32 spirv_load(const unsigned char *bytes) {
  return (pi_uint32)bytes[0] | (pi_uint32)bytes[1] << 8 | (pi_uint32)bytes[2] << 16 |
         (pi_uint32)bytes[3] << 24;
}

/* Writes a word to four bytes of a module. */
static inline void spirv_store(unsigned char *bytes, pi_uint32 word) {
  for (unsigned i = 0; i < 4; i++)
    bytes[i] = (unsigned char)(word >> 8 * i);
}

/* Returns a word of an instruction; index must be less than instruction->words. */
static inline pi_uint32 spirv_word(const spirv_instruction *instruction, pi_uint32 index) {
  return spirv_load(instruction->bytes + (size_t)index * 4);
}

/* Returns the string that starts at a word of an instruction; NULL if no NUL ends it there. */
const char *spirv_text(const spirv_instruction *instruction, pi_uint32 word);

/*
 * Returns the index of the word with an instruction's result id; 0 if it has no result. An opcode
 * that is not in the table is assumed to have its result id in word 2. That may be wrong, so if
 * several instructions seem to define an id, callers should believe the first.
 */
pi_uint32 spirv_result_word(pi_uint32 opcode);

/* X(opcode, width in bits, name): scalar types, and their names in the output of tools. */
#define SPIRV_SCALARS(X)                                                                           \
  X(SPIRV_OP_TYPE_BOOL, 0, "bool")                                                                 \
  X(SPIRV_OP_TYPE_INT, 8, "i8")                                                                    \
  X(SPIRV_OP_TYPE_INT, 16, "i16")                                                                  \
  X(SPIRV_OP_TYPE_INT, 32, "i32")                                                                  \
  X(SPIRV_OP_TYPE_INT, 64, "i64")                                                                  \
  X(SPIRV_OP_TYPE_FLOAT, 16, "f16")                                                                \
  X(SPIRV_OP_TYPE_FLOAT, 32, "f32")                                                                \
  X(SPIRV_OP_TYPE_FLOAT, 64, "f64")

/* Returns the index in SPIRV_SCALARS of the type that an instruction defines; -1 for others. */
int spirv_scalar_find(const spirv_instruction *type);

/* Returns the name at an index from spirv_scalar_find. */
const char *spirv_scalar_name(int index);

#endif

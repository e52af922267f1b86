#include "rewrite.h"

#include "instructions.h"
#include "rewrite_values.h"
#include "spec_ops.h"

#include <string.h>

enum {
  OP_NAME = 5,
  OP_EXT_INST_IMPORT = 11,
  OP_EXT_INST = 12,
  OP_ENTRY_POINT = 15,
  OP_EXECUTION_MODE = 16,
  OP_CAPABILITY = 17,
  OP_COPY_MEMORY = 63,
  OP_COPY_MEMORY_SIZED = 64,
  OP_VECTOR_SHUFFLE = 79,
  OP_COMPOSITE_CONSTRUCT = 80,
  OP_COMPOSITE_EXTRACT = 81,
  OP_COMPOSITE_INSERT = 82,
  OP_COPY_OBJECT = 83,
  OP_U_CONVERT = 113,
  OP_S_CONVERT = 114,
  OP_BITCAST = 124,
  OP_I_ADD_CARRY = 149,
  OP_I_SUB_BORROW = 150,
  OP_U_MUL_EXTENDED = 151,
  OP_S_MUL_EXTENDED = 152,
  OP_CONTROL_BARRIER = 224,
  OP_MEMORY_BARRIER = 225,
  OP_SIZE_OF = 321,
  OP_EXECUTION_MODE_ID = 331,
  OP_DECORATE_ID = 332,
  OP_COPY_LOGICAL = 400,
  OP_PTR_EQUAL = 401,
  OP_PTR_NOT_EQUAL = 402,
  OP_PTR_DIFF = 403,
  OP_CONTROL_BARRIER_ARRIVE = 6142,
  OP_CONTROL_BARRIER_WAIT = 6143,
  CAPABILITY_SPLIT_BARRIER = 6141,
  DECORATION_ALIGNMENT = 44,
  DECORATION_ALIGNMENT_ID = 46,
  MODE_INITIALIZER = 33,
};

word_output *rewrite_output(rewriting *r) {
  return r->in_functions ? &r->functions : &r->globals;
}

/* ---- Supported instructions ---- */

static bool is_read(uint32_t opcode) {
#define READ(first, last) || opcode - (first) <= (uint32_t)((last) - (first))
  return false CODEGEN_READ_INSTRUCTIONS(READ);
#undef READ
}

/* Returns whether an instruction is a note about the source or the compiler (CODEGEN_NOTES). */
static bool is_note(uint32_t opcode) {
#define NOTE(number, name) || opcode == (number)
  return false CODEGEN_NOTES(NOTE);
#undef NOTE
}

/* Refuses scalar and vector types so large that LLVM would need gigabytes for them. */
static specpi_compiler_result check_size(const spirv_instruction *at) {
  const uint32_t size =
      at->words > 2 ? spirv_word(at, at->opcode == OP_TYPE_VECTOR ? at->words - 1u : 2) : 0;
  const bool is_number = at->opcode == OP_TYPE_INT || at->opcode == OP_TYPE_FLOAT;
  COMPILER_REQUIRE(!is_number || (size >= 1 && size <= 64), SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "the SPIR-V module has numbers of %u bits, there are 8 to 64", (unsigned)size);
  COMPILER_REQUIRE(at->opcode != OP_TYPE_VECTOR || (size >= 1 && size <= COMPONENTS_MAX),
                   SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "the SPIR-V module has vectors of %u components, there are 2 to %d",
                   (unsigned)size, COMPONENTS_MAX);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result rewrite_check(const spirv_instruction *at) {
  switch (at->opcode) {
#define UNREAD(number, name)                                                                       \
  case number:                                                                                     \
    return compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE,                                    \
                          "there is no PTX for SPIR-V's instruction Op" #name);
    CODEGEN_UNREAD_INSTRUCTIONS(UNREAD)
#undef UNREAD
  default:
    break;
  }
  COMPILER_REQUIRE(is_read(at->opcode) || is_note(at->opcode), SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "there is no PTX for SPIR-V's instruction %u, which is none of kernels",
                   (unsigned)at->opcode);
  COMPILER_TRY(check_size(at));
  const bool starts =
      at->opcode == OP_EXECUTION_MODE && at->words >= 3 && spirv_word(at, 2) == MODE_INITIALIZER;
  COMPILER_REQUIRE(!starts, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "kernel %%%u computes initial values of the module's variables (Initializer), "
                   "and on CUDA nothing runs it: give the variables constants",
                   (unsigned)spirv_word(at, 1));
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Instructions without effect on code ---- */

/* Returns whether an instruction set is for debugging only. */
static bool is_debug_set(const definition *set) {
  static const char *const names[] = {"OpenCL.DebugInfo.", "DebugInfo", "SPIRV.debug",
                                      "NonSemantic."};
  const char *name =
      set != NULL && set->at.opcode == OP_EXT_INST_IMPORT ? spirv_text(&set->at, 2) : NULL;
  for (size_t i = 0; name != NULL && i < sizeof names / sizeof names[0]; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

static bool is_debug(const rewriting *r, const spirv_instruction *at) {
  if (at->opcode == OP_EXT_INST_IMPORT)
    return at->words > 2 && is_debug_set(definitions_find(r->all, spirv_word(at, 1)));
  return at->opcode == OP_EXT_INST && at->words > 4 &&
         is_debug_set(definitions_find(r->all, spirv_word(at, 3)));
}

/* Returns whether an id has no definition, or one that is left out. */
static bool is_left_out(const rewriting *r, uint32_t id) {
  const definition *of = definitions_find(r->all, id);
  return of == NULL || is_note(of->at.opcode) || is_debug(r, &of->at);
}

static bool is_kept_decoration(uint32_t number) {
#define KEPT(value, name) || number == (value)
  return false CODEGEN_DECORATIONS(KEPT);
}

static bool is_kept_mode(uint32_t number) {
  return false CODEGEN_EXECUTION_MODES(KEPT);
#undef KEPT
}

static bool is_nothing(const rewriting *r, const spirv_instruction *at) {
  if (is_note(at->opcode) || is_debug(r, at))
    return true;
  switch (at->opcode) {
  case OP_NAME:
    return at->words < 3 || is_left_out(r, spirv_word(at, 1));
  case SPIRV_OP_DECORATE:
  case OP_DECORATE_ID:
    return at->words < 3 ||
           (spirv_word(at, 2) != DECORATION_ALIGNMENT_ID &&
            !is_kept_decoration(spirv_word(at, 2))) ||
           is_left_out(r, spirv_word(at, 1));
  case OP_EXECUTION_MODE:
  case OP_EXECUTION_MODE_ID:
    return at->words < 3 || !is_kept_mode(spirv_word(at, 2));
  case OP_CAPABILITY:
    return at->words == 2 && spirv_word(at, 1) == CAPABILITY_SPLIT_BARRIER;
  default:
    return false;
  }
}

/* ---- Instructions that become others ---- */

/*
 * Writes a barrier, or one half of a split barrier, which the translator does not know. The first
 * half (arrive) becomes a memory barrier, and the second half (wait) a whole control barrier.
 */
static specpi_compiler_result put_barrier(rewriting *r, const spirv_instruction *at) {
  const uint32_t first = at->opcode == OP_MEMORY_BARRIER ? 0 : 1;
  COMPILER_REQUIRE(at->words == 3 + first, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "a barrier has %u words, expected %u", (unsigned)at->words,
                   (unsigned)(3 + first));
  const uint32_t operands[] = {spirv_word(at, 1), spirv_word(at, first + 1),
                               spirv_word(at, first + 2)};
  const bool waits = at->opcode == OP_CONTROL_BARRIER || at->opcode == OP_CONTROL_BARRIER_WAIT;
  return rewrite_barrier(r, waits, operands);
}

/* Writes an alignment given by a constant as one with a number. */
static specpi_compiler_result put_alignment(rewriting *r, const spirv_instruction *at) {
  const constant_value value = definitions_value(r->all, spirv_word(at, 3));
  COMPILER_REQUIRE(value.count == 1, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "the alignment of %%%u is %%%u, which is no constant",
                   (unsigned)spirv_word(at, 1), (unsigned)spirv_word(at, 3));
  const uint32_t operands[] = {spirv_word(at, 1), DECORATION_ALIGNMENT, (uint32_t)value.bits[0]};
  word_output_instruction(rewrite_output(r), SPIRV_OP_DECORATE, operands, 3);
  return SPECPI_COMPILER_SUCCESS;
}

/* Writes the older sub-group instructions as OpGroupNonUniform instructions. */
static bool put_sub_group(rewriting *r, const spirv_instruction *at) {
  static const struct {
    uint32_t from, to, words;
  } rows[] = {{4421, 339, 4},  /* Ballot */
              {4422, 338, 4},  /* FirstInvocation: BroadcastFirst */
              {4428, 334, 4},  /* All */
              {4429, 335, 4},  /* Any */
              {4430, 336, 4},  /* AllEqual */
              {4432, 345, 5}}; /* ReadInvocation: Shuffle */
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (rows[i].from != at->opcode || rows[i].words != at->words)
      continue;
    uint32_t operands[] = {spirv_word(at, 1), spirv_word(at, 2), rewrite_sub_group(r),
                           spirv_word(at, 3), at->words > 4 ? spirv_word(at, 4) : 0};
    word_output_instruction(rewrite_output(r), rows[i].to, operands, at->words);
    return true;
  }
  return false;
}

/* ---- The whole ---- */

/* Writes an instruction's replacement. *done is false if it has none, or has too few words. */
static specpi_compiler_result put_replacement(rewriting *r, const spirv_instruction *at,
                                              bool *done) {
  const uint32_t words = at->words;
  *done = true;
  switch (at->opcode) {
  case OP_CONTROL_BARRIER:
  case OP_MEMORY_BARRIER:
  case OP_CONTROL_BARRIER_ARRIVE:
  case OP_CONTROL_BARRIER_WAIT:
    return put_barrier(r, at);
  case OP_DECORATE_ID:
    if (words == 4 && spirv_word(at, 2) == DECORATION_ALIGNMENT_ID)
      return put_alignment(r, at);
    break;
  case OP_CONSTANT_NULL:
  case OP_SPEC_CONSTANT_OP:
    if (words >= 3 && rewrite_constant(r, at))
      return SPECPI_COMPILER_SUCCESS;
    break;
  case OP_COPY_MEMORY:
  case OP_COPY_MEMORY_SIZED:
    return rewrite_copy_memory(r, at);
  case OP_VECTOR_SHUFFLE:
  case OP_COMPOSITE_CONSTRUCT:
    return rewrite_composite(r, at);
  case OP_COMPOSITE_EXTRACT:
  case OP_COMPOSITE_INSERT:
    if (rewrite_part(r, at))
      return SPECPI_COMPILER_SUCCESS;
    break;
  case OP_COPY_LOGICAL:
    return rewrite_copy_logical(r, at);
  case OP_COPY_OBJECT:
  case OP_U_CONVERT:
  case OP_S_CONVERT:
  case OP_BITCAST:
    if (words == 4 && rewrite_cast(r, at))
      return SPECPI_COMPILER_SUCCESS;
    break;
  case OP_I_ADD_CARRY:
  case OP_I_SUB_BORROW:
  case OP_U_MUL_EXTENDED:
  case OP_S_MUL_EXTENDED:
    return rewrite_extended(r, at);
  case OP_SIZE_OF:
  case OP_PTR_EQUAL:
  case OP_PTR_NOT_EQUAL:
  case OP_PTR_DIFF:
    return rewrite_pointers(r, at);
  default:
    if (put_sub_group(r, at))
      return SPECPI_COMPILER_SUCCESS;
    break;
  }
  *done = false;
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result rewrite_put(rewriting *r, const spirv_instruction *at) {
  bool done;
  if (is_nothing(r, at))
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(put_replacement(r, at, &done));
  if (!done)
    word_output_copy(rewrite_output(r), at);
  return SPECPI_COMPILER_SUCCESS;
}

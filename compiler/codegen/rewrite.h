/*
 * SPIR-V instructions that the translator reads wrongly or not at all, as others that mean the
 * same, and without those that mean nothing for code.
 */
#ifndef CODEGEN_REWRITE_H
#define CODEGEN_REWRITE_H

#include "../spirv/definitions.h"
#include "../spirv/word_output.h"

/* A module while it is written. */
typedef struct rewriting {
  const definitions *all; /* of the module that is read */
  word_output globals;    /* what comes before the functions */
  word_output functions;
  bool in_functions;
  uint32_t bound;     /* the first id that nobody has */
  uint32_t numbers;   /* id of OpenCL.std, or 0 */
  uint32_t addresses; /* id of the type of 64-bit integers, or 0 */
  uint32_t words;     /* id of the type of 32-bit integers, or 0 */
  bool is_sub_group_known;
  uint32_t sub_group; /* id of the constant that is the scope of a sub-group */
} rewriting;

/* Returns the output of the part of the module that is written now. */
word_output *rewrite_output(rewriting *r);

/*
 * Checks that there is code for an instruction. INVALID_MODULE: there is none; the message has its
 * name, or its number where it needs a capability that capability_check refuses.
 */
specpi_compiler_result rewrite_check(const spirv_instruction *at);

/* Writes an instruction, or what takes its place. INVALID_MODULE: it is damaged. */
specpi_compiler_result rewrite_put(rewriting *r, const spirv_instruction *at);

#endif

/*
 * Replaces SPIR-V instructions that the translator misreads or cannot read by equivalent ones, and
 * leaves out instructions that do not affect code.
 */
#ifndef CODEGEN_REWRITE_H
#define CODEGEN_REWRITE_H

#include "../spirv/definitions.h"
#include "../spirv/word_output.h"

/* A module while it is written. */
typedef struct rewriting {
  const definitions *all; /* definitions of the module that is read */
  word_output globals;    /* everything before the functions */
  word_output functions;
  bool in_functions;
  uint32_t bound;     /* the first unused id */
  uint32_t numbers;   /* id of OpenCL.std, or 0 */
  uint32_t addresses; /* id of the type of 64-bit integers, or 0 */
  uint32_t words;     /* id of the type of 32-bit integers, or 0 */
  bool is_sub_group_known;
  uint32_t sub_group; /* id of the constant with the scope Subgroup, or 0 */
} rewriting;

/* Returns the output for the current part of the module: globals or functions. */
word_output *rewrite_output(rewriting *r);

/*
 * Checks that an instruction is supported. INVALID_MODULE: it is not; the message has its name, or
 * its number if it is no instruction of kernels.
 */
specpi_compiler_result rewrite_check(const spirv_instruction *at);

/* Writes an instruction or its replacement. INVALID_MODULE: it is damaged. */
specpi_compiler_result rewrite_put(rewriting *r, const spirv_instruction *at);

#endif

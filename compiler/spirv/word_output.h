/* Output of a SPIR-V module's words. */
#ifndef SPIRV_WORD_OUTPUT_H
#define SPIRV_WORD_OUTPUT_H

#include "../../plugins/code/spirv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed structure is an empty output. After memory was exhausted (has_failed), writing stops. */
typedef struct word_output {
  unsigned char *bytes;
  size_t size; /* in bytes */
  size_t capacity;
  bool has_failed;
} word_output;

/* Makes space for more bytes; false when memory is exhausted. */
bool word_output_reserve(word_output *to, size_t bytes);

void word_output_put(word_output *to, uint32_t word);
void word_output_bytes(word_output *to, const void *bytes, size_t size);
void word_output_copy(word_output *to, const spirv_instruction *at);

/* Writes an instruction. */
void word_output_instruction(word_output *to, uint32_t opcode, const uint32_t *operands,
                             size_t count);

#endif

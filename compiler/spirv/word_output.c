#include "word_output.h"

#include "../../plugins/base/vector.h"

#include <stdlib.h>
#include <string.h>

bool word_output_reserve(word_output *to, size_t bytes) {
  to->has_failed = to->has_failed || !vector_extend(&to->bytes, &to->capacity, to->size, bytes, 1);
  return !to->has_failed;
}

void word_output_bytes(word_output *to, const void *bytes, size_t size) {
  if (size == 0 || !word_output_reserve(to, size))
    return;
  memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
}

void word_output_put(word_output *to, uint32_t word) {
  unsigned char bytes[4];
  spirv_store(bytes, word);
  word_output_bytes(to, bytes, sizeof bytes);
}

void word_output_copy(word_output *to, const spirv_instruction *at) {
  word_output_bytes(to, at->bytes, (size_t)at->words * 4);
}

void word_output_instruction(word_output *to, uint32_t opcode, const uint32_t *operands,
                             size_t count) {
  word_output_put(to, (uint32_t)(count + 1) << 16 | opcode);
  for (size_t i = 0; i < count; i++)
    word_output_put(to, operands[i]);
}

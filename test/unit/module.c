#include "module.h"

#include <stdlib.h>
#include <string.h>

void module_word(module *module, uint32_t word) {
  if (module->count == module->capacity) {
    module->capacity = module->capacity ? module->capacity * 2 : 64;
    uint32_t *words = realloc(module->words, module->capacity * sizeof *words);
    if (!words)
      abort();
    module->words = words;
  }
  module->words[module->count++] = word;
}

void module_emit(module *module, uint32_t opcode, const uint32_t *operands, size_t count) {
  module_word(module, (uint32_t)(count + 1) << 16 | opcode);
  for (size_t i = 0; i < count; i++)
    module_word(module, operands[i]);
}

void module_begin(module *module) {
  *module = (struct module){0};
  module_word(module, 0x07230203);
  module_word(module, 0x00010200);
  module_word(module, 0);
  module_word(module, 1000);
  module_word(module, 0);
}

void module_types(module *module) {
  module_op(module, OP_TYPE_BOOL, TYPE_BOOL);
  module_op(module, OP_TYPE_INT, TYPE_U8, 8, 0);
  module_op(module, OP_TYPE_INT, TYPE_U16, 16, 0);
  module_op(module, OP_TYPE_INT, TYPE_U32, 32, 0);
  module_op(module, OP_TYPE_INT, TYPE_U64, 64, 0);
  module_op(module, OP_TYPE_FLOAT, TYPE_F16, 16);
  module_op(module, OP_TYPE_FLOAT, TYPE_F32, 32);
  module_op(module, OP_TYPE_FLOAT, TYPE_F64, 64);
  module_op(module, OP_TYPE_INT, TYPE_U24, 24, 0);
}

void module_constant(module *module, uint32_t spec_id, uint32_t type, uint32_t value) {
  module_op(module, OP_DECORATE, ID_FREE + spec_id, SPEC_ID, spec_id);
  if (type == TYPE_BOOL)
    module_op(module, value ? OP_SPEC_CONSTANT_TRUE : OP_SPEC_CONSTANT_FALSE, type,
              ID_FREE + spec_id);
  else
    module_op(module, OP_SPEC_CONSTANT, type, ID_FREE + spec_id, value);
}

void module_many(module *module, uint32_t count, uint32_t first, uint32_t step) {
  module_begin(module);
  for (uint32_t i = 0; i < count; i++)
    module_op(module, OP_DECORATE, ID_FREE + i, SPEC_ID, first + i * step);
  module_types(module);
  for (uint32_t i = 0; i < count; i++)
    module_op(module, OP_SPEC_CONSTANT, TYPE_U32, ID_FREE + i, i);
}

size_t module_bytes(const module *module) {
  return module->count * sizeof *module->words;
}

void module_free(module *module) {
  free(module->words);
  *module = (struct module){0};
}

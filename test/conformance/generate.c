#include "generate.h"

#include "check.h"

#include <stdlib.h>

/* Opcodes of the SPIR-V specification. */
enum {
  OP_ENTRY_POINT = 15,
  OP_CAPABILITY = 17,
  OP_MEMORY_MODEL = 14,
  OP_TYPE_VOID = 19,
  OP_TYPE_INT = 21,
  OP_TYPE_POINTER = 32,
  OP_TYPE_FUNCTION = 33,
  OP_CONSTANT = 43,
  OP_SPEC_CONSTANT = 50,
  OP_FUNCTION = 54,
  OP_FUNCTION_PARAMETER = 55,
  OP_FUNCTION_END = 56,
  OP_STORE = 62,
  OP_DECORATE = 71,
  OP_I_ADD = 128,
  OP_I_MUL = 132,
  OP_LABEL = 248,
  OP_RETURN = 253,
};

/* Ids of the module. Constant i is CONSTANTS + i; the computed values follow the constants. */
enum { MAIN = 1, VOID, UINT, POINTER, FUNCTION, OUT, ENTRY, FACTOR, CONSTANTS };

typedef struct words {
  uint32_t *data;
  size_t count;
  size_t room;
} words;

static void add(words *w, uint32_t word) {
  if (w->count == w->room) {
    w->room = w->room ? 2 * w->room : 1024;
    w->data = realloc(w->data, w->room * sizeof *w->data);
    expect(w->data, "no memory");
  }
  w->data[w->count++] = word;
}

static void instruction(words *w, uint32_t opcode, const uint32_t *operands, uint32_t count) {
  add(w, (count + 1) << 16 | opcode);
  for (uint32_t i = 0; i < count; i++)
    add(w, operands[i]);
}

#define INSTRUCTION(w, opcode, ...)                                                                \
  instruction(w, opcode, (const uint32_t[]){__VA_ARGS__},                                          \
              (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))

module generate_constants(uint32_t count) {
  if (code_is_ptx())
    return generate_ptx(count);
  words w = {NULL, 0, 0};
  const uint32_t bound = CONSTANTS + 3 * count + 1;
  add(&w, 0x07230203);
  add(&w, 0x00010000);
  add(&w, 0);
  add(&w, bound);
  add(&w, 0);
  INSTRUCTION(&w, OP_CAPABILITY, 4);      /* Addresses */
  INSTRUCTION(&w, OP_CAPABILITY, 6);      /* Kernel */
  INSTRUCTION(&w, OP_MEMORY_MODEL, 2, 2); /* Physical64 OpenCL */
  INSTRUCTION(&w, OP_ENTRY_POINT, 6, MAIN, 0x756c6176, 0x65 /* "value" */);
  for (uint32_t i = 0; i < count; i++)
    INSTRUCTION(&w, OP_DECORATE, CONSTANTS + i, 1 /* SpecId */, i);
  INSTRUCTION(&w, OP_TYPE_VOID, VOID);
  INSTRUCTION(&w, OP_TYPE_INT, UINT, 32, 0);
  INSTRUCTION(&w, OP_TYPE_POINTER, POINTER, 5 /* CrossWorkgroup */, UINT);
  INSTRUCTION(&w, OP_TYPE_FUNCTION, FUNCTION, VOID, POINTER);
  INSTRUCTION(&w, OP_CONSTANT, UINT, FACTOR, 31);
  for (uint32_t i = 0; i < count; i++)
    INSTRUCTION(&w, OP_SPEC_CONSTANT, UINT, CONSTANTS + i, i);
  INSTRUCTION(&w, OP_FUNCTION, VOID, MAIN, 0, FUNCTION);
  INSTRUCTION(&w, OP_FUNCTION_PARAMETER, POINTER, OUT);
  INSTRUCTION(&w, OP_LABEL, ENTRY);
  uint32_t result = CONSTANTS;
  for (uint32_t i = generated_step(count); i < count; i += generated_step(count)) {
    const uint32_t product = CONSTANTS + count + 2 * (i - 1);
    INSTRUCTION(&w, OP_I_MUL, UINT, product, result, FACTOR);
    INSTRUCTION(&w, OP_I_ADD, UINT, product + 1, product, CONSTANTS + i);
    result = product + 1;
  }
  INSTRUCTION(&w, OP_STORE, OUT, result, 2 /* Aligned */, 4);
  instruction(&w, OP_RETURN, NULL, 0);
  instruction(&w, OP_FUNCTION_END, NULL, 0);
  return (module){(const unsigned char *)w.data, w.count * sizeof *w.data};
}

uint32_t generated_step(uint32_t count) {
  return (code_is_ptx() || builds_only) && count > 4096 ? 64 : 1;
}

uint32_t generated_result(const uint32_t *values, uint32_t count) {
  uint32_t result = values[0];
  for (uint32_t i = generated_step(count); i < count; i += generated_step(count))
    result = 31 * result + values[i];
  return result;
}

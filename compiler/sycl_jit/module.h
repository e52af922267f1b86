/* A SPIR-V module while it is rewritten: its definitions and types. */
#ifndef SYCL_JIT_MODULE_H
#define SYCL_JIT_MODULE_H

#include "../../plugins/code/spirv_types.h"
#include "../spirv/definitions.h"

/* Points to the module's bytes. */
typedef struct jit_module {
  spirv_words words;
  definitions all;
  spirv_types types;
} jit_module;

/* Limit of following nested structures and casts of casts. */
enum { MODULE_DEPTH_MAX = 64 };

/* Reads a module. The caller calls jit_module_close, also after an error. INVALID_MODULE: the
 * module is damaged; OUT_OF_MEMORY. */
specpi_compiler_result jit_module_open(const void *il, size_t size, jit_module *ret);
void jit_module_close(jit_module *module);

/* Returns the name of an id as an entry point, or its OpName; NULL if it has none. */
const char *jit_module_name(const jit_module *module, uint32_t id);

/*
 * Follows casts, and addresses of first members, to a variable, which another module may define.
 * Returns NULL if the id leads to anything else.
 */
const definition *jit_module_variable(const jit_module *module, uint32_t id);

/* Returns the id of a variable's initial value; 0 if another module has it. */
uint32_t jit_module_initial(const definition *variable);

/*
 * Returns the type of the part with an index of a structure, an array or a vector; 0 if there is no
 * such part, or its size is unknown. *offset is the end of the previous part, and becomes the
 * offset of this one.
 */
uint32_t jit_module_part(jit_module *module, uint32_t type, uint32_t index, uint32_t *offset);

/*
 * Writes the bytes of a constant, at most size; padding in ret stays as it is. Returns false if the
 * constant has parts that are not numbers.
 */
bool jit_module_bytes(jit_module *module, uint32_t constant, unsigned char *ret, size_t size);

#endif

/* A module of SPIR-V as it is rewritten: what it defines, and what is known of its types. */
#ifndef SYCL_JIT_MODULE_H
#define SYCL_JIT_MODULE_H

#include "../../plugins/code/spirv_types.h"
#include "../spirv/definitions.h"

/* Read once; the bytes must stay. */
typedef struct jit_module {
  spirv_words words;
  definitions all;
  spirv_types types;
} jit_module;

/* Structures in structures, and casts of casts, to be followed. */
enum { MODULE_DEPTH_MAX = 64 };

/* INVALID_MODULE: it is damaged; OUT_OF_MEMORY. jit_module_close is needed in any case. */
specpi_compiler_result jit_module_open(const void *il, size_t size, jit_module *ret);
void jit_module_close(jit_module *module);

/* The text of an id's string, or of its decoration; NULL: it has none. */
const char *jit_module_name(const jit_module *module, uint32_t id);

/*
 * Follows casts, and addresses of first members, to a variable that is defined here or elsewhere;
 * NULL: the id is something else.
 */
const definition *jit_module_variable(const jit_module *module, uint32_t id);

/* The id of a variable's initial value; 0: another module has it. */
uint32_t jit_module_initial(const definition *variable);

/*
 * Returns the type of part index of a structure, an array or a vector, and where it begins in that;
 * 0: there is none, or no size is known. *offset is the end of the part before, aligned.
 */
uint32_t jit_module_part(jit_module *module, uint32_t type, uint32_t index, uint32_t *offset);

/*
 * Writes the bytes of a constant, cut at size; bytes that none has stay as they are. false: it is
 * no constant of numbers.
 */
bool jit_module_bytes(jit_module *module, uint32_t constant, unsigned char *ret, size_t size);

#endif

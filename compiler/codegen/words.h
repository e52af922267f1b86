/* Prepares SPIR-V for the translator. */
#ifndef CODEGEN_WORDS_H
#define CODEGEN_WORDS_H

#include "../../plugins/code/codegen.h"
#include "../error.h"

/* Prefix of the names of former built-in variables; SPIR-V's number of the built-in follows. */
#define WORDS_BUILT_IN "__specpi_built_in_"

/*
 * Copies a module; the caller frees the copy. The values become the defaults of its specialisation
 * constants. Built-in variables become imported variables with the names above, because most
 * instructions that read a built-in variable make the translator end the process.
 *
 * INVALID_MODULE: this is no SPIR-V module, it is damaged, or it needs an unsupported capability or
 * instruction. INVALID_ARGUMENT: a value does not fit its constant. OUT_OF_MEMORY.
 */
specpi_compiler_result words_prepare(const void *module, size_t size, const codegen_value *values,
                                     size_t value_count, unsigned char **ret, size_t *ret_size);

#endif

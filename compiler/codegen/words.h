/* SPIR-V in the form in which the translator reads it. */
#ifndef CODEGEN_WORDS_H
#define CODEGEN_WORDS_H

#include "../../plugins/code/codegen.h"
#include "../error.h"

/* Prefix of the names of variables that were built-in ones; SPIR-V's number follows. */
#define WORDS_BUILT_IN "__specpi_built_in_"

/*
 * Copies a module, freed by the caller, with the values as the defaults of its constants, and with
 * built-in variables as variables that another module defines, by the names above: on most of what
 * reads them the translator ends the process.
 *
 * INVALID_MODULE: no SPIR-V module, a damaged one, or one with a capability for which there is no
 * code. INVALID_ARGUMENT: a value that its module does not take. OUT_OF_MEMORY.
 */
specpi_compiler_result words_prepare(const void *module, size_t size, const codegen_value *values,
                                     size_t value_count, unsigned char **ret, size_t *ret_size);

#endif

/* Work-group sizes given by constants, rewritten as numbers, which the translator can read. */
#ifndef CODEGEN_LOCAL_SIZES_H
#define CODEGEN_LOCAL_SIZES_H

#include "../error.h"

/*
 * Replaces each OpExecutionModeId LocalSizeId of a module by an OpExecutionMode LocalSize of the
 * same length, with the constants' numbers. The module's instructions have to be intact.
 *
 * INVALID_MODULE: a size is not a 32-bit constant; the message has its id. OUT_OF_MEMORY.
 */
specpi_compiler_result local_sizes_settle(unsigned char *module, size_t size);

#endif

/* Work-group sizes that constants decide, as the numbers that the translator reads. */
#ifndef CODEGEN_LOCAL_SIZES_H
#define CODEGEN_LOCAL_SIZES_H

#include "../error.h"

/*
 * Writes each OpExecutionModeId LocalSizeId of a module, which a reader of the plugins has found
 * whole, as an OpExecutionMode LocalSize of the same length, with the constants' numbers.
 *
 * INVALID_MODULE: a size is none of the module's constants of 32 bits; the message has its id.
 * OUT_OF_MEMORY.
 */
specpi_compiler_result local_sizes_settle(unsigned char *module, size_t size);

#endif

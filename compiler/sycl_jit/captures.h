/*
 * The members of kernels' function objects on devices: for hosts whose compiler, GCC, captures in
 * another order. include/specpi/host reads it.
 */
#ifndef SYCL_JIT_CAPTURES_H
#define SYCL_JIT_CAPTURES_H

#include "library.h"

/*
 * Writes a header with the names that lambdas may capture, SPECPI_CAPTURED_NAMES, and a text for
 * each kernel, as docs/internals/compiler.md has it ("specpi/function objects"), from the debug
 * information of the images; has_tables: whether the integration header has tables of kernels.
 * FILE: it cannot be written. INVALID_MODULE, OUT_OF_MEMORY.
 */
specpi_compiler_result jit_captures_write(const jit_result *made, bool has_tables,
                                          const char *path);

#endif

/*
 * The members of kernels' function objects on devices, for GCC as host compiler, which captures in
 * another order. include/specpi/host reads the header that is written here.
 */
#ifndef SYCL_JIT_CAPTURES_H
#define SYCL_JIT_CAPTURES_H

#include "library.h"

/*
 * Writes a header from the images' debug information: SPECPI_CAPTURED_NAMES, the names that lambdas
 * may capture, and a text for each kernel (docs/internals/compiler.md, "specpi/function objects").
 * has_tables is whether the integration header has tables of kernels, suffix is that of names.h.
 * FILE: the header cannot be written. INVALID_MODULE, OUT_OF_MEMORY.
 */
specpi_compiler_result jit_captures_write(const jit_result *made, bool has_tables,
                                          const char *suffix, const char *path);

#endif

/*
 * The names of kernels in images. Two units may have different kernels of one name if a type or a
 * function of internal linkage is part of it, and libsycl would launch either for both. So the
 * unit's own text follows such a name, in images and in the integration header.
 */
#ifndef SYCL_JIT_NAMES_H
#define SYCL_JIT_NAMES_H

#include "../spirv/word_output.h"
#include "library.h"

/* Returns what follows the name of a kernel: the suffix, or "" if every unit may have the name. */
const char *jit_names_end(const char *kernel, const char *suffix);

/* Gives the entry points of a module their names in images. INVALID_MODULE, OUT_OF_MEMORY. */
specpi_compiler_result jit_names_lower(const word_output *module, const char *suffix,
                                       word_output *ret);

/*
 * Writes an integration header, whose text this is, with the names that its kernels have in images.
 * FILE, OUT_OF_MEMORY.
 */
specpi_compiler_result jit_names_write_header(const char *text, const char *suffix,
                                              const char *path);

#endif

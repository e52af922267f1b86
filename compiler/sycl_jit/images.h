/* Compiled images as files, in the form of DPC++'s sycl-post-link. */
#ifndef SYCL_JIT_IMAGES_H
#define SYCL_JIT_IMAGES_H

#include "library.h"

/*
 * Writes for each image OUT_<index>.spv (the module with its constants), .prop (the property sets)
 * and .sym (the names of the kernels), and OUT.table, which lists them. suffix: as in
 * names.h. FILE: a file cannot be written. Other errors are those of jit_constants_lower.
 */
specpi_compiler_result jit_images_write(const jit_result *made, const char *suffix,
                                        const char *out);

#endif

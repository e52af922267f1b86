/* Compiled images as files, in the form of DPC++'s sycl-post-link. */
#ifndef SYCL_JIT_IMAGES_H
#define SYCL_JIT_IMAGES_H

#include "library.h"

/*
 * Writes OUT_0.spv, .prop and .sym of each image, the module with its constants, its property sets
 * and the names of its kernels, and OUT.table, which lists them. FILE: one cannot be written; and
 * the errors of jit_constants_lower.
 */
specpi_compiler_result jit_images_write(const jit_result *made, const char *out);

#endif

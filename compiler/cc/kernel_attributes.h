/*
 * SYCL's attributes of kernels, which clang does not know and drops: in preprocessed text they
 * become calls in the body of the function, which the compiler library reads
 * (docs/internals/compiler.md).
 */
#ifndef SPECPI_CC_KERNEL_ATTRIBUTES_H
#define SPECPI_CC_KERNEL_ATTRIBUTES_H

#include <stdbool.h>

/*
 * Writes the text of from to made with such calls, if there are attributes, which *any says, and
 * nothing otherwise. false after an error, which names the place of an attribute that no
 * definition of a function has.
 */
bool cc_kernel_attributes_rewrite(const char *from, const char *made, bool *any);

#endif

/* LLVM assembly as clang writes it, where it is not what LLVM or the translator to SPIR-V takes. */
#ifndef SPECPI_CC_ASSEMBLY_H
#define SPECPI_CC_ASSEMBLY_H

#include <stdbool.h>

/* Each function rewrites the assembly in the file path; false after an error. */

/*
 * Makes casts between address spaces of those that clang writes as bitcasts where the object of an
 * exception is thrown or caught, which LLVM does not read.
 */
bool assembly_mend_casts(const char *path);

/*
 * Gives structures integers of 32 and 64 bits in place of those of 24, 40, 48 and 56, in which
 * clang keeps bit-fields. The layout stays.
 */
bool assembly_widen_fields(const char *path);

/*
 * Leaves nothing of the bodies of functions that neither a kernel of a C++ unit nor a function for
 * other images reaches.
 */
bool assembly_empty_host_code(const char *path);

#endif

/* LLVM assembly as clang writes it, where it is not what LLVM or the translator to SPIR-V takes. */
#ifndef SPECPI_CC_ASSEMBLY_H
#define SPECPI_CC_ASSEMBLY_H

#include <stdbool.h>

/*
 * Rewrites assembly, which was made from file. Adds to the data layout which integers there are:
 * clang's for SPIR does not say it, and LLVM then makes ones of any width, which SPIR-V does not
 * have. false after an error.
 */
bool assembly_add_integers(const char *file, const char *path);

/*
 * Makes casts between address spaces of those that clang writes as bitcasts where the object of an
 * exception is thrown or caught, which LLVM does not read. false after an error.
 */
bool assembly_mend_casts(const char *path);

/*
 * Gives structures integers of 32 and 64 bits in place of those of 24, 40, 48 and 56, in which
 * clang keeps bit-fields. The layout stays. false after an error.
 */
bool assembly_widen_fields(const char *path);

/*
 * Leaves nothing of the bodies of functions that neither a kernel of a C++ unit nor a function for
 * other images reaches. false after an error.
 */
bool assembly_empty_host_code(const char *path);

#endif

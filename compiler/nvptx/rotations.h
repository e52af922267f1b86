/*
 * Rotations of 64 bits: LLVM writes two shifts, which are right for 0 to 64 places only, and takes
 * the mask away that makes them so (LLVM 15 to 19: ROTL64reg_sw).
 */
#ifndef COMPILER_ROTATIONS_H
#define COMPILER_ROTATIONS_H

#include <stddef.h>

/* A copy of PTX, whose rotations are right for all numbers of places, freed by the caller. NULL:
 * memory. */
char *rotations_mend(const char *text, size_t size, size_t *ret_size);

#endif

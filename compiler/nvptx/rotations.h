/*
 * Works around an LLVM bug in 64-bit rotations. LLVM 15 to 19 writes two shifts, which are right
 * only for amounts from 0 to 64, but removes the mask that limits the amount (ROTL64reg_sw).
 */
#ifndef COMPILER_ROTATIONS_H
#define COMPILER_ROTATIONS_H

#include <stddef.h>

/* Copies PTX, and makes its rotations right for all amounts. The caller frees the copy. Returns
 * NULL when memory is exhausted. */
char *rotations_mend(const char *text, size_t size, size_t *ret_size);

#endif

/* Mends PTX that LLVM prints wrong. */
#ifndef COMPILER_MENDS_H
#define COMPILER_MENDS_H

#include <stddef.h>

/*
 * Copies PTX, and works around two bugs of LLVM 15 to 19 with 64-bit numbers. The caller frees the
 * copy. Returns NULL when memory is exhausted.
 *
 * For a rotation LLVM writes two shifts, which are right only for amounts from 0 to 64, but removes
 * the mask that limits the amount (ROTL64reg_sw). For (x >> 40) & 0xffffffff with a signed x it
 * writes a bfe.u64, which fills with zeros instead of the sign: tryBFE confuses the width of the
 * shift amount, 32, with the width of x. A shift and a mask replace a bfe.u64 whose field reaches
 * beyond bit 63.
 */
char *mends_apply(const char *text, size_t size, size_t *ret_size);

#endif

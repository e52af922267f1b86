/*
 * Works around an LLVM bug in bit fields of 64-bit numbers. For (x >> 40) & 0xffffffff with a
 * signed x, LLVM 15 to 19 writes a bfe.u64, which fills with zeros instead of the sign: tryBFE
 * confuses the width of the shift amount, 32, with the width of x.
 */
#ifndef COMPILER_BIT_FIELDS_H
#define COMPILER_BIT_FIELDS_H

#include <stddef.h>

/*
 * Copies PTX, and replaces each bfe.u64 whose field reaches beyond bit 63 by a shift and a mask.
 * The caller frees the copy. Returns NULL when memory is exhausted.
 */
char *bit_fields_mend(const char *text, size_t size, size_t *ret_size);

#endif

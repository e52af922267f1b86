/*
 * Bits of a number of 64 bits: for (x >> 40) & 0xffffffff with a signed x LLVM writes a bfe.u64
 * that has zeros in place of copies of the sign (LLVM 15 to 19: tryBFE takes the width of the
 * number of places, which is 32, for that of x).
 */
#ifndef COMPILER_BIT_FIELDS_H
#define COMPILER_BIT_FIELDS_H

#include <stddef.h>

/*
 * Copies PTX, with a shift and a mask in place of each such bfe.u64, which is one that reaches
 * beyond bit 63. The caller frees the copy. NULL: memory.
 */
char *bit_fields_mend(const char *text, size_t size, size_t *ret_size);

#endif

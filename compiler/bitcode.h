/*
 * Changes address spaces in bitcode. LLVM's C API can neither change a value's type nor rebuild
 * every instruction. But bitcode has all types of a module in one table, and the address spaces of
 * global variables in their records.
 */
#ifndef COMPILER_BITCODE_H
#define COMPILER_BITCODE_H

#include "error.h"

#include <stddef.h>

/* Returned for an address space that has no counterpart. */
#define BITCODE_NO_SPACE 0xFFFFFFFFu
typedef uint32_t (*bitcode_space_map)(uint64_t space);

/*
 * Replaces, in place, the address spaces of all pointer types and global variables of a module.
 * bytes is bitcode that this LLVM has just written. Casts between address spaces stay; LLVM cannot
 * read a module in which one becomes a cast within an address space.
 * INVALID_TARGET: an address space has no replacement. INTERNAL: the bytes are not as expected.
 */
specpi_compiler_result bitcode_map_spaces(unsigned char *bytes, size_t size, bitcode_space_map map);

#endif

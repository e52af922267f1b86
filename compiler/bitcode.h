/*
 * Address spaces in bitcode. LLVM's C API can neither change the type of a value nor build
 * every instruction again; but bitcode has all types of a module in one table, and the address
 * spaces of global variables beside it.
 */
#ifndef COMPILER_BITCODE_H
#define COMPILER_BITCODE_H

#include "error.h"

#include <stddef.h>

/* Returned for an address space that has no counterpart. */
#define BITCODE_NO_SPACE 0xFFFFFFFFu
typedef uint32_t (*bitcode_space_map)(uint64_t space);

/*
 * Replaces the address spaces of all pointer types and of the global variables of a module in
 * place. bytes are bitcode as LLVM has written it just now. Casts between address spaces are left,
 * also those that become casts to the same one, with which LLVM does not read the module.
 * INVALID_TARGET: an address space has no replacement. INTERNAL: the bytes are not as expected.
 */
specpi_compiler_result bitcode_map_spaces(unsigned char *bytes, size_t size, bitcode_space_map map);

#endif

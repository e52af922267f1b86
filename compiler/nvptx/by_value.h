/* Structures and arrays as values: as arguments of functions, and as operands of stores. */
#ifndef COMPILER_BY_VALUE_H
#define COMPILER_BY_VALUE_H

#include <llvm-c/Core.h>

/*
 * Makes calls pass the address of a copy instead of a structure by value (byval). LLVM 15 leaves
 * such a structure in the parameter state space, but outside of the function's first block reads it
 * through an address in a register. In PTX, the address of a function's parameter is in local
 * memory, so these loads would read something else (PTX ISA: "ld", ".param"). Kernel parameters can
 * be read through addresses, so kernels stay as they are. Functions whose address is taken stay,
 * too.
 */
void by_value_lower(LLVMModuleRef module);

/*
 * Replaces a store of a large constant by a fill or a copy of a constant variable, and a load of a
 * large value by a copy to a private variable, from which it is stored. LLVM would write an access
 * for each element, or for each byte if the memory is unaligned, and its code generator takes
 * minutes for thousands of them in a block. It would also read a value where it is stored instead
 * of where it is loaded.
 */
void whole_values_lower(LLVMModuleRef module);

#endif

/* Structures and arrays as values: those that functions take, and those that are stored whole. */
#ifndef COMPILER_BY_VALUE_H
#define COMPILER_BY_VALUE_H

#include <llvm-c/Core.h>

/*
 * Has each call of a function give it the address of a copy where LLVM would pass a structure by
 * value (byval). LLVM 15 leaves such a structure in the state space of parameters, and reads it
 * through an address in a register as soon as it is read in another block than the function's
 * first. In PTX the address of a function's parameter is one of local memory, so that what is read
 * is none of the structure ("ld", ".param"). Kernels' parameters can be read so and stay as they
 * are, as do functions that are not only called.
 */
void by_value_lower(LLVMModuleRef module);

/*
 * Makes a store of a large constant a copy of a variable that has it. LLVM makes stores of its
 * elements, of each byte if the place has no alignment, and for thousands of stores in a block its
 * code generator takes minutes.
 */
void whole_stores_lower(LLVMModuleRef module);

#endif

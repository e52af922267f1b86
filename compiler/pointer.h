/*
 * Finds the origin of a pointer argument: through casts, constant offsets, and the stack slots in
 * which unoptimised code keeps values.
 */
#ifndef COMPILER_POINTER_H
#define COMPILER_POINTER_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

/*
 * Returns the global variable to whose start a pointer points, or NULL if that is not certain. It
 * looks through casts and offsets of zero, and through one load from a stack slot. For the load,
 * the slot must have only one store and no other uses of its address; or the same block must store
 * to the slot before, with nothing in between that may change it.
 */
LLVMValueRef pointer_global(LLVMValueRef pointer, LLVMTargetDataRef data_layout);

/* Returns a pointer without casts and offsets of zero. */
LLVMValueRef pointer_strip(LLVMValueRef pointer);

/*
 * Adds the offset of a getelementptr in bytes to *offset; returns whether it is constant.
 */
bool pointer_constant_offset(LLVMValueRef gep, LLVMTargetDataRef data_layout,
                             unsigned long long *offset);

/*
 * Call this after a use of the pointer was removed. Erases the instructions that computed the
 * pointer and are unused now, including a load from a stack slot. Also erases the store to that
 * slot, unless something else may read it.
 */
void pointer_drop(LLVMValueRef pointer, LLVMTargetDataRef data_layout);

/* Returns whether a constant has uses other than by unused constants. */
bool pointer_is_live(LLVMValueRef constant);

/*
 * Returns whether a variable's initial value, or NULL, is a string. LLVM's own query accepts only
 * arrays of data, which zeros are not.
 */
bool pointer_is_text(LLVMValueRef initializer);

#endif

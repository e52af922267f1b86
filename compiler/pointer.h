/*
 * Where a pointer argument comes from: through casts, through constant offsets, and
 * through the stack slots that unoptimised code keeps its values in.
 */
#ifndef COMPILER_POINTER_H
#define COMPILER_POINTER_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

/*
 * The global variable that a pointer points to the beginning of, or NULL when that is not
 * certain. Casts and offsets of zero are looked through. So is one load from a stack slot
 * when only one store writes to the slot and nobody else has its address; or when the same block
 * stores a value there before, and nothing between the two can have changed the slot.
 */
LLVMValueRef pointer_global(LLVMValueRef pointer, LLVMTargetDataRef data_layout);

/* Returns the value whose first byte a pointer points to: casts and offsets of zero are looked
 * through. */
LLVMValueRef pointer_strip(LLVMValueRef pointer);

/*
 * Adds the bytes that a getelementptr adds to its pointer to *offset; returns whether they are
 * constant.
 */
bool pointer_constant_offset(LLVMValueRef gep, LLVMTargetDataRef data_layout,
                             unsigned long long *offset);

/*
 * After a use of the pointer is gone: erases the instructions that made it and that nobody
 * else uses. A load from a stack slot goes too, and with it the store that filled the
 * slot, unless something else may read it.
 */
void pointer_drop(LLVMValueRef pointer, LLVMTargetDataRef data_layout);

/* Returns whether a constant is used, other than by constants which are not used themselves. */
bool pointer_is_live(LLVMValueRef constant);

/*
 * Returns whether a variable's initial value, or NULL for none, is a string, which LLVM itself asks
 * only of those that may be one: zeros are none.
 */
bool pointer_is_text(LLVMValueRef initializer);

#endif

/* The metadata that hangs on a function or a variable. */
#ifndef COMPILER_NOTE_H
#define COMPILER_NOTE_H

#include "error.h"

#include <llvm-c/Core.h>

/* The operands of one piece of metadata; those that are no value can be NULL. */
typedef struct note {
  LLVMValueRef *operands;
  unsigned count;
} note;

/* Reads what a function has of a kind, nothing if it has none. note_free frees it. OUT_OF_MEMORY.
 */
specpi_compiler_result note_read(LLVMValueRef function, const char *kind, note *ret);
void note_free(note *note);

/* Moves all of it to another function or variable: a description belongs to one. */
void note_move_all(LLVMValueRef from, LLVMValueRef to);

#endif

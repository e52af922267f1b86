/* Metadata of a function or a variable. */
#ifndef COMPILER_NOTE_H
#define COMPILER_NOTE_H

#include "error.h"

#include <llvm-c/Core.h>

/* The operands of a metadata node; an operand that is no value may be NULL. */
typedef struct note {
  LLVMValueRef *operands;
  unsigned count;
} note;

/* Reads a function's metadata of a kind; *ret is empty if it has none. The caller frees it with
 * note_free. OUT_OF_MEMORY. */
specpi_compiler_result note_read(LLVMValueRef function, const char *kind, note *ret);
void note_free(note *note);

/* Moves all metadata to another function or variable. It is not copied, because debug descriptions
 * belong to one value only. */
void note_move_all(LLVMValueRef from, LLVMValueRef to);

#endif

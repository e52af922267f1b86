/* Functions that copy or fill memory in a loop. */
#ifndef COMPILER_MOVE_FUNCTION_H
#define COMPILER_MOVE_FUNCTION_H

#include "../plugins/base/vector.h"
#include "error.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* Properties of a move that determine its function. */
typedef struct move_kind {
  LLVMTypeRef to;   /* to and from are i8 pointers */
  LLVMTypeRef from; /* i8: a value to fill the memory with */
  LLVMTypeRef length;
  unsigned unit; /* bytes that are copied at a time: 1, 2, 4, 8 or 16 */
  bool is_volatile;
  bool is_copy;   /* it need not go backwards */
  uint64_t bytes; /* the length of a copy, a multiple of the unit */
} move_kind;

typedef struct move_function {
  move_kind kind;
  LLVMValueRef function;
} move_function;

/* A module's functions. */
typedef struct move_functions {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  unsigned generic_space;
  unsigned align_kind;
  VECTOR(move_function) made;
} move_functions;

/* move_functions_free frees what is used for making functions, and leaves the functions. */
move_functions move_functions_of(LLVMModuleRef module, unsigned generic_space);
void move_functions_free(move_functions *functions);

/* Returns whether an instruction calls llvm.memcpy, llvm.memmove or llvm.memset, as name says. */
bool move_is(LLVMValueRef at, const char *name);

/* Returns the number of bytes of such a call, UINT64_MAX if it is not constant. */
uint64_t move_length(LLVMValueRef move);

/* Returns the alignment of a pointer argument of such a call, but at most this one. */
unsigned move_alignment(const move_functions *functions, LLVMValueRef move, unsigned index,
                        unsigned most);

/* Returns a pointer argument of such a call, cast to an i8 pointer before the call. */
LLVMValueRef move_pointer(const move_functions *functions, LLVMValueRef move, unsigned index);

/*
 * Builds a call of a function that does such a call's work, before the call. It moves units as
 * large as the alignment, but at most this one. For a copy or a fill the length must be constant,
 * and the memory of a copy must not overlap. If there are few units, all are read before they are
 * written; otherwise a copy does so with several at a time, and a move goes unit by unit, backwards
 * if the source is before the destination. OUT_OF_MEMORY.
 */
specpi_compiler_result move_function_call(move_functions *functions, LLVMValueRef move,
                                          unsigned most, bool is_copy);

#endif

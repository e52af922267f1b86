/* The id of a C++ unit, and the ids that its variables get from it on both sides. */
#ifndef COMPILER_UNIT_ID_H
#define COMPILER_UNIT_ID_H

#include "error.h"

#include <llvm-c/Core.h>

/* Refuses a NULL, and a text that cannot stand in the ids of constants. INVALID_ARGUMENT. */
specpi_compiler_result unit_id_check(const char *unit_id);

/*
 * Returns the id of a variable in new memory: its name in object files, after the unit's id if
 * other units cannot name it. NULL: memory is exhausted.
 */
char *unit_id_of(const char *unit_id, LLVMValueRef variable);

#endif

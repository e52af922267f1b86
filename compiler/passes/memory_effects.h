/*
 * Memory attributes of functions in which uses of constants become loads. The functions that return
 * constants may be declared as not reading memory, and optimisers rely on that.
 */
#ifndef COMPILER_PASSES_MEMORY_EFFECTS_H
#define COMPILER_PASSES_MEMORY_EFFECTS_H

#include "spec_constants.h"

/*
 * Removes attributes that forbid reading memory, directly or through arguments, from functions with
 * uses, from their callers, and from the calls. OUT_OF_MEMORY.
 */
specpi_compiler_result memory_effects_allow_reads(pass *p);

#endif

/*
 * Attributes about memory where a use of a constant becomes a load. The functions that return
 * constants may be declared without effects, and optimisers conclude from that.
 */
#ifndef COMPILER_PASSES_MEMORY_EFFECTS_H
#define COMPILER_PASSES_MEMORY_EFFECTS_H

#include "spec_constants.h"

/*
 * Takes away what forbids the functions with uses, those that call them, and the calls, to read
 * memory, and to read through their arguments. OUT_OF_MEMORY.
 */
specpi_compiler_result memory_effects_allow_reads(pass *p);

#endif

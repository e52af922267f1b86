/* Notes that sycl_unit.h's steps leave in a module for the pass that lowers constants. */
#ifndef COMPILER_PASSES_SYCL_NOTES_H
#define COMPILER_PASSES_SYCL_NOTES_H

#include "../output.h"

#define SYCL_UNIT_METADATA "specpi.unit"         /* the unit's id */
#define SYCL_REQUIRED_METADATA "specpi.required" /* ids of constants without a default */
#define SYCL_CALLS_METADATA                                                                        \
  "specpi.calls" /* names of other images' functions, how each is called */
#define SYCL_OBJECTS_METADATA "specpi.objects" /* kernels, and their function objects' members */

/* Adds a note of two texts, a name and what there is to say of it, to one of these lists. */
void sycl_notes_add(LLVMModuleRef module, const char *list, const char *name, const char *text);

/* Reads a module's notes to the output; a module that is no unit has none. OUT_OF_MEMORY. */
specpi_compiler_result sycl_notes_read(LLVMModuleRef module, specpi_compiler_output output);

#endif

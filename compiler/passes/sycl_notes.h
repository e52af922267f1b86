/* Metadata notes that the steps of sycl_unit.h write for the pass that lowers constants. */
#ifndef COMPILER_PASSES_SYCL_NOTES_H
#define COMPILER_PASSES_SYCL_NOTES_H

#include "../output.h"

#define SYCL_UNIT_METADATA "specpi.unit"         /* the unit's id */
#define SYCL_REQUIRED_METADATA "specpi.required" /* ids of constants without a default */
#define SYCL_CALLS_METADATA                                                                        \
  "specpi.calls" /* names of other images' functions, how each is called */
#define SYCL_OBJECTS_METADATA "specpi.objects" /* kernels, and their function objects' members */

/* Adds a note to one of these lists: a name, and a text about it. */
void sycl_notes_add(LLVMModuleRef module, const char *list, const char *name, const char *text);

/* Reads a module's notes into the output. Only modules of SYCL units have notes. OUT_OF_MEMORY. */
specpi_compiler_result sycl_notes_read(LLVMModuleRef module, specpi_compiler_output output);

#endif

/* The kernels of a module. */
#ifndef COMPILER_KERNELS_H
#define COMPILER_KERNELS_H

#include "names.h"
#include "output.h"

/* Metadata of modules for NVPTX that marks functions as kernels. */
#define KERNELS_ANNOTATIONS "nvvm.annotations"

/*
 * Adds the module's kernels to the output, without buffer arguments, and their names and indices to
 * names; the output owns the names. A kernel without a name gets one. OUT_OF_MEMORY.
 */
specpi_compiler_result kernels_list(LLVMModuleRef module, specpi_compiler_output output,
                                    name_map *names);

#endif

/* The kernels of a module. */
#ifndef COMPILER_KERNELS_H
#define COMPILER_KERNELS_H

#include "names.h"
#include "output.h"

/* The metadata in which modules for NVPTX say which functions are kernels. */
#define KERNELS_ANNOTATIONS "nvvm.annotations"

/*
 * Adds the module's kernels to the output, without a buffer argument, and their names and
 * indices to names, whose names are the output's. A kernel without a name gets one.
 * OUT_OF_MEMORY.
 */
specpi_compiler_result kernels_list(LLVMModuleRef module, specpi_compiler_output output,
                                    name_map *names);

#endif

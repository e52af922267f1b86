/* The linear ids of OpenCL 2.0, which libclc does not have for NVPTX. */
#ifndef COMPILER_LINEAR_IDS_H
#define COMPILER_LINEAR_IDS_H

#include <llvm-c/Core.h>

/*
 * Defines get_global_linear_id and get_local_linear_id over the GPU's registers, where the module
 * declares them. Neither counts an offset of the launch.
 */
void linear_ids_write(LLVMModuleRef module);

#endif

/* OpenCL 2.0's linear ids, which libclc lacks for NVPTX. */
#ifndef COMPILER_LINEAR_IDS_H
#define COMPILER_LINEAR_IDS_H

#include <llvm-c/Core.h>

/*
 * Defines get_global_linear_id and get_local_linear_id with the GPU's registers, if the module
 * declares them. As OpenCL requires, the global id does not include the launch's offset.
 */
void linear_ids_write(LLVMModuleRef module);

#endif

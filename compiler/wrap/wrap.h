/*
 * The wrapper: device images as the data of a host module, and that module as an object file.
 */
#ifndef COMPILER_WRAP_WRAP_H
#define COMPILER_WRAP_WRAP_H

#include "../error.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

/*
 * Adds the images to a module whose data layout is the host's, as a constant
 * pi_device_binaries_struct, which goes to *ret, without a name. The arguments have been
 * checked. OUT_OF_MEMORY; INTERNAL: the host's structures are others.
 */
specpi_compiler_result wrap_data(LLVMModuleRef module, size_t count,
                                 const specpi_compiler_image *images, LLVMValueRef *ret);

/* Makes what generates the host's code, position-independent; the caller disposes of it. INTERNAL.
 */
specpi_compiler_result wrap_host(LLVMTargetMachineRef *ret);

/* Adds the constructor and the destructor that hand the data to libsycl. */
void wrap_registration(LLVMModuleRef module, LLVMValueRef binaries);

/* Generates the object file; the caller frees *ret. OUT_OF_MEMORY, INTERNAL. */
specpi_compiler_result wrap_object(LLVMTargetMachineRef host, LLVMModuleRef module, void **ret,
                                   size_t *size);

#endif

/*
 * The wrapper: device images as the data of a host module, and that module as an object file.
 */
#ifndef COMPILER_WRAP_WRAP_H
#define COMPILER_WRAP_WRAP_H

#include "../error.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/*
 * The images as libraries take them: a pi_device_binaries_struct, with images of version 2; and the
 * same with those of version 3, which lack the two pointers to a manifest, for libsycl.so.9.
 */
typedef struct wrapped_images {
  LLVMValueRef version_2;
  LLVMValueRef version_3; /* NULL: not asked for */
} wrapped_images;

/*
 * Adds the images to a module whose data layout is the host's, as constants without a name.
 * The arguments have been checked. OUT_OF_MEMORY; INTERNAL: the host's structures are others.
 */
specpi_compiler_result wrap_data(LLVMModuleRef module, size_t count,
                                 const specpi_compiler_image *images, bool with_version_3,
                                 wrapped_images *ret);

/* Makes what generates the host's code, position-independent; the caller disposes of it. INTERNAL.
 */
specpi_compiler_result wrap_host(LLVMTargetMachineRef *ret);

/*
 * Adds the constructor and the destructor that hand the data to libsycl, or to libspecpi: in the
 * form that this one takes, which is found out then.
 */
void wrap_registration(LLVMModuleRef module, const wrapped_images *images);

/* Generates the object file; the caller frees *ret. OUT_OF_MEMORY, INTERNAL. */
specpi_compiler_result wrap_object(LLVMTargetMachineRef host, LLVMModuleRef module, void **ret,
                                   size_t *size);

#endif

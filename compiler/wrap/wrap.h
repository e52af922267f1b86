/*
 * The wrapper: puts device images into the data of a host module, and writes that as an object
 * file.
 */
#ifndef COMPILER_WRAP_WRAP_H
#define COMPILER_WRAP_WRAP_H

#include "../error.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/*
 * The images in the forms that libraries accept: pi_device_binaries_struct with images of version
 * 2, and with images of version 3 for libsycl.so.9, which lack the two pointers to a manifest.
 */
typedef struct wrapped_images {
  LLVMValueRef version_2;
  LLVMValueRef version_3; /* NULL if it was not requested */
} wrapped_images;

/*
 * Adds the images as unnamed constants to a module with the host's data layout. The arguments have
 * been checked. OUT_OF_MEMORY; INTERNAL: the host lays out the structures differently.
 */
specpi_compiler_result wrap_data(LLVMModuleRef module, size_t count,
                                 const specpi_compiler_image *images, bool with_version_3,
                                 wrapped_images *ret);

/* Creates the host's target machine for position-independent code; the caller disposes of it.
 * INTERNAL. */
specpi_compiler_result wrap_host(LLVMTargetMachineRef *ret);

/*
 * Adds the constructor and the destructor that register the images with libsycl or libspecpi. They
 * find out at run time which form of the images that library accepts.
 */
void wrap_registration(LLVMModuleRef module, const wrapped_images *images);

/* Generates the object file; the caller frees *ret. OUT_OF_MEMORY, INTERNAL. */
specpi_compiler_result wrap_object(LLVMTargetMachineRef host, LLVMModuleRef module, void **ret,
                                   size_t *size);

#endif

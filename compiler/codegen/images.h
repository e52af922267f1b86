/* Images and samplers as kernels get them. */
#ifndef CODEGEN_IMAGES_H
#define CODEGEN_IMAGES_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Gives kernels descriptions of images by value (plugins/code/image_argument.h), and samplers as
 * numbers of 32 bits, and makes the pointers of them that LLVM takes both for. Pointers have no
 * types. OUT_OF_MEMORY.
 */
specpi_compiler_result images_settle(LLVMModuleRef module);

#endif

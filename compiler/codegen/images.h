/* Images and samplers as kernel parameters. */
#ifndef CODEGEN_IMAGES_H
#define CODEGEN_IMAGES_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Makes kernels take images as descriptions by value (plugins/code/image_argument.h), and samplers
 * as 32-bit numbers. Inside the kernel it converts both to the pointers that LLVM's types demand.
 * Expects opaque pointers. Errors: OUT_OF_MEMORY.
 */
specpi_compiler_result images_settle(LLVMModuleRef module);

#endif

/* The form that a module needs so that the translator makes valid SPIR-V from it. */
#ifndef COMPILER_SPIRV_FORM_H
#define COMPILER_SPIRV_FORM_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Brings a module for SPIR into a form that SPIR-V supports. Freeze is replaced by its operand,
 * because SPIR-V has no poison. Memory moves become copies. Calls of work-item functions,
 * intrinsics and odd types are replaced. Loops are simplified, so that the translator inserts no
 * blocks of its own. Blocks and variables are ordered, and impossible loop hints are removed.
 * OUT_OF_MEMORY, INTERNAL, INVALID_MODULE.
 */
specpi_compiler_result spirv_form(LLVMModuleRef module);

#endif

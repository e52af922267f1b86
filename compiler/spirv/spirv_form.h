/* The form of a module of which the translator to SPIR-V makes a valid module. */
#ifndef COMPILER_SPIRV_FORM_H
#define COMPILER_SPIRV_FORM_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Brings a module for SPIR into a form that SPIR-V can have: freeze becomes its operand, which has
 * no poison in SPIR-V; moves of memory become copies; calls of work-item functions get dimensions
 * that SPIR-V has; loops get the blocks that the translator would put into places of its choice;
 * blocks and variables stand in order, and hints for loops are those that are possible.
 * OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result spirv_form(LLVMModuleRef module);

#endif

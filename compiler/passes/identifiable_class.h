/* The classes of host variables that have ids, as debug information describes them. */
#ifndef COMPILER_PASSES_IDENTIFIABLE_CLASS_H
#define COMPILER_PASSES_IDENTIFIABLE_CLASS_H

#include "../error.h"

#include <llvm-c/Core.h>

/*
 * Finds the kind of ids that a variable has by its class: one of include/sycl's in the namespace
 * sycl, or in a namespace inside. *ret: NULL if the class has no ids. The name of LLVM's type is
 * used only for variables without debug information: a value that fills only a part of its object,
 * such as a union's, has an unnamed type. INVALID_MODULE: such a variable has neither.
 * INVALID_NAME: a variable with ids is local to a function. OUT_OF_MEMORY.
 */
specpi_compiler_result identifiable_class_find_kind(LLVMValueRef global, const char **ret);

#endif

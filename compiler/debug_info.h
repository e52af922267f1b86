/* Debug information of a whole module. */
#ifndef COMPILER_DEBUG_INFO_H
#define COMPILER_DEBUG_INFO_H

#include "error.h"

#include <llvm-c/Core.h>

/* Drops the debug information that a unit's options name. INTERNAL: LLVM fails. */
specpi_compiler_result debug_info_drop(LLVMModuleRef module,
                                       const specpi_compiler_unit_options *options);

#endif

#include "debug_info.h"

#include "passes_run.h"

#include <llvm-c/DebugInfo.h>

specpi_compiler_result debug_info_drop(LLVMModuleRef module,
                                       const specpi_compiler_unit_options *options) {
  if (options->drop_lines)
    LLVMStripModuleDebugInfo(module);
  else if (options->drop_types)
    return passes_run(module, NULL, "strip-nonlinetable-debuginfo", "drop types");
  return SPECPI_COMPILER_SUCCESS;
}

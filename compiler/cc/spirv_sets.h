/* The property sets for constants of a SPIR-V module that came as it is. */
#ifndef SPECPI_CC_SPIRV_SETS_H
#define SPECPI_CC_SPIRV_SETS_H

#include "spirv.h"

#include <specpi/compiler.h>

/* The property sets, which specpiCompilerPropertiesRelease releases; false after an error. */
bool spirv_sets(const char *file, const spirv_module *module, specpi_compiler_properties *ret);

/* The JSON of docs/internals/compiler.md, a line; the caller frees it. */
char *spirv_json(const spirv_module *module);

#endif

/* One build: SPIR-V or bitcode to PTX, in this process, which LLVM may end. */
#ifndef CODEGEN_BUILD_H
#define CODEGEN_BUILD_H

#include "../../plugins/code/codegen.h"
#include "../error.h"

typedef struct build_request {
  codegen_request request;
  const char *const *libraries; /* files of bitcode, in the order in which they are looked into */
  size_t library_count;
} build_request;

/*
 * Makes PTX, as specpiCompilerOutputGenerate says; *ret is text of *size bytes, freed by the
 * caller, of none where a request for a check finds nothing (check.h). Errors as those of
 * words_prepare, specpiCompilerLower and specpiCompilerOutputGenerate.
 */
specpi_compiler_result build_ptx(const build_request *request, char **ret, size_t *size);

#endif

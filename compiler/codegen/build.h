/* One build of PTX from SPIR-V or bitcode. A fatal error in LLVM ends the calling process. */
#ifndef CODEGEN_BUILD_H
#define CODEGEN_BUILD_H

#include "../../plugins/code/codegen.h"
#include "../error.h"

typedef struct build_request {
  codegen_request request;
  const char *const *libraries; /* paths of bitcode files, in search order */
  size_t library_count;
} build_request;

/*
 * Generates PTX like specpiCompilerOutputGenerate. *ret is text of *size bytes, which the caller
 * frees. It is NULL if the request is for a check, and check_module could decide it. Errors are
 * those of words_prepare, specpiCompilerLower and specpiCompilerOutputGenerate.
 */
specpi_compiler_result build_ptx(const build_request *request, char **ret, size_t *size);

#endif

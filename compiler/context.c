#include "context.h"

#include <llvm-c/ErrorHandling.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

/* Target of this thread's longjmp on a fatal error in LLVM; NULL outside of context_run. */
static _Thread_local jmp_buf *way_out;
static _Thread_local char reason[512];

/* Leaves LLVM by longjmp, because LLVM ends the process if this handler returns. */
static void on_fatal_error(const char *text) {
  if (way_out == NULL)
    return;
  snprintf(reason, sizeof reason, "%s", text);
  longjmp(*way_out, 1);
}

static void install(void) {
  LLVMInstallFatalErrorHandler(on_fatal_error);
}

specpi_compiler_result context_run(specpi_compiler compiler,
                                   specpi_compiler_result (*body)(void *data), void *data) {
  COMPILER_REQUIRE(!compiler->broken, SPECPI_COMPILER_ERROR_INTERNAL,
                   "the compiler cannot be used after a fatal error inside LLVM");
  jmp_buf here;
  if (setjmp(here) != 0) {
    way_out = NULL;
    compiler->broken = true;
    return compiler_error(SPECPI_COMPILER_ERROR_INTERNAL, "LLVM: %s", reason);
  }
  way_out = &here;
  compiler->diagnostic[0] = '\0';
  const specpi_compiler_result result = body(data);
  way_out = NULL;
  return result;
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
  specpi_compiler compiler = data;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  snprintf(compiler->diagnostic, sizeof compiler->diagnostic, "%s", text);
  LLVMDisposeMessage(text);
}

LLVMContextRef context_new_llvm(specpi_compiler compiler) {
  LLVMContextRef made = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(made, on_diagnostic, compiler);
  return made;
}

specpi_compiler_result specpiCompilerCreate(specpi_compiler *ret) {
  COMPILER_REQUIRE(ret != NULL, SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "ret is NULL");
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  specpi_compiler compiler = calloc(1, sizeof *compiler);
  if (compiler == NULL)
    return compiler_error_memory();
  compiler->llvm = context_new_llvm(compiler);
  *ret = compiler;
  return SPECPI_COMPILER_SUCCESS;
}

void specpiCompilerRelease(specpi_compiler compiler) {
  if (compiler == NULL)
    return;
  if (!compiler->broken)
    LLVMContextDispose(compiler->llvm);
  free(compiler);
}

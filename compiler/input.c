#include "input.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <stdlib.h>

typedef struct input {
  specpi_compiler compiler;
  const char *name;
  LLVMMemoryBufferRef buffer; /* NULL once LLVM has taken it */
  LLVMModuleRef module;
} input;

static specpi_compiler_result refuse(input *in, char *message) {
  const char *text = message != NULL && message[0] != '\0' ? message : in->compiler->diagnostic;
  compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE, "%s: %s", in->name,
                 text[0] != '\0' ? text : "LLVM cannot read it");
  if (message != NULL)
    LLVMDisposeMessage(message);
  return SPECPI_COMPILER_ERROR_INVALID_MODULE;
}

static specpi_compiler_result parse(void *data) {
  input *in = data;
  char *message = NULL;
  LLVMMemoryBufferRef buffer = in->buffer;
  in->buffer = NULL;
  if (LLVMParseIRInContext(in->compiler->llvm, buffer, &in->module, &message)) {
    in->module = NULL;
    return refuse(in, message);
  }
  message = NULL;
  if (LLVMVerifyModule(in->module, LLVMReturnStatusAction, &message)) {
    LLVMDisposeModule(in->module);
    return refuse(in, message);
  }
  LLVMDisposeMessage(message);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result specpiCompilerModuleRead(specpi_compiler compiler, const char *name,
                                                const void *data, size_t size,
                                                specpi_compiler_module *ret) {
  COMPILER_REQUIRE(compiler != NULL && name != NULL && data != NULL && ret != NULL,
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "%s is NULL",
                   compiler == NULL ? "compiler"
                   : name == NULL   ? "name"
                   : data == NULL   ? "data"
                                    : "ret");
  specpi_compiler_module module = calloc(1, sizeof *module);
  if (module == NULL)
    return compiler_error_memory();
  input in = {.compiler = compiler, .name = name};
  in.buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(data, size, name);
  const specpi_compiler_result result = context_run(compiler, parse, &in);
  if (in.buffer != NULL)
    LLVMDisposeMemoryBuffer(in.buffer);
  if (result != SPECPI_COMPILER_SUCCESS) {
    free(module);
    return result;
  }
  module->compiler = compiler;
  module->llvm = in.module;
  *ret = module;
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result specpiCompilerModuleReadFile(specpi_compiler compiler, const char *path,
                                                    specpi_compiler_module *ret) {
  COMPILER_REQUIRE(path != NULL, SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "path is NULL");
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    compiler_error(SPECPI_COMPILER_ERROR_FILE, "%s: %s", path, message);
    LLVMDisposeMessage(message);
    return SPECPI_COMPILER_ERROR_FILE;
  }
  const specpi_compiler_result result = specpiCompilerModuleRead(
      compiler, path, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), ret);
  LLVMDisposeMemoryBuffer(buffer);
  return result;
}

void specpiCompilerModuleRelease(specpi_compiler_module module) {
  if (module == NULL)
    return;
  if (!module->compiler->broken)
    LLVMDisposeModule(module->llvm);
  free(module);
}

#define _GNU_SOURCE /* asprintf */
#include "input.h"

#include "passes_run.h"
#include "simplify.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ---- */

static const struct {
  LLVMValueRef (*first)(LLVMModuleRef);
  LLVMValueRef (*next)(LLVMValueRef);
} symbol_lists[] = {{LLVMGetFirstFunction, LLVMGetNextFunction},
                    {LLVMGetFirstGlobal, LLVMGetNextGlobal},
                    {LLVMGetFirstGlobalAlias, LLVMGetNextGlobalAlias}};

specpi_compiler_result input_check_names(LLVMModuleRef module, const char *where) {
  for (size_t i = 0; i < sizeof symbol_lists / sizeof symbol_lists[0]; i++)
    for (LLVMValueRef value = symbol_lists[i].first(module); value != NULL;
         value = symbol_lists[i].next(value)) {
      size_t length;
      const char *name = LLVMGetValueName2(value, &length);
      COMPILER_REQUIRE(memchr(name, '\0', length) == NULL, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                       "%s: a symbol's name has %zu bytes and a NUL among them, after '%s'", where,
                       length, name);
    }
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Reading ---- */

typedef struct input {
  specpi_compiler compiler;
  const char *name;
  LLVMMemoryBufferRef buffer; /* NULL once LLVM owns it */
  LLVMModuleRef module;
} input;

static specpi_compiler_result refuse_input(input *in, char *message) {
  const char *text = message != NULL && message[0] != '\0' ? message : in->compiler->diagnostic;
  compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE, "%s: %s", in->name,
                 text[0] != '\0' ? text : "LLVM cannot read it");
  if (message != NULL)
    LLVMDisposeMessage(message);
  return SPECPI_COMPILER_ERROR_INVALID_MODULE;
}

static specpi_compiler_result parse_input(void *data) {
  input *in = data;
  char *message = NULL;
  LLVMMemoryBufferRef buffer = in->buffer;
  in->buffer = NULL;
  if (LLVMParseIRInContext(in->compiler->llvm, buffer, &in->module, &message)) {
    in->module = NULL;
    return refuse_input(in, message);
  }
  message = NULL;
  if (LLVMVerifyModule(in->module, LLVMReturnStatusAction, &message)) {
    LLVMDisposeModule(in->module);
    return refuse_input(in, message);
  }
  LLVMDisposeMessage(message);
  const specpi_compiler_result result = input_check_names(in->module, in->name);
  if (result != SPECPI_COMPILER_SUCCESS)
    LLVMDisposeModule(in->module);
  return result;
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
  const specpi_compiler_result result = context_run(compiler, parse_input, &in);
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

/* ---- Optimising ---- */

/*
 * LLVM's passes at -O2 that SPIR-V can express and whoever builds it need not do again. Loops keep
 * their form: how often they run may depend on a constant, and vectors and the integers of odd
 * widths that LLVM makes of them end the translator.
 */
static const char spir_passes[] = SIMPLIFY_MODULE(SIMPLIFY_FUNCTION(
    "", "simple-loop-unswitch", "loop-deletion")) ",deadargelim,globalopt,globaldce,constmerge";

/* Without a list of native integers LLVM makes some of any width, e.g. 33 bits, of loops. */
static specpi_compiler_result optimise_module(void *data) {
  static const char native[] = "-n8:16:32:64";
  LLVMModuleRef module = ((specpi_compiler_module)data)->llvm;
  char *layout = strdup(LLVMGetDataLayoutStr(module));
  char *with = NULL;
  if (layout == NULL || asprintf(&with, "%s%s", layout, native) < 0) {
    free(layout);
    return compiler_error_memory();
  }
  if (layout[0] != '\0' && strstr(layout, "-n") == NULL)
    LLVMSetDataLayout(module, with);
  const specpi_compiler_result result = passes_run(module, NULL, spir_passes, "optimise");
  LLVMSetDataLayout(module, layout);
  free(with);
  free(layout);
  return result;
}

specpi_compiler_result specpiCompilerModuleOptimize(specpi_compiler_module module,
                                                    specpi_compiler_optimization level) {
  const specpi_compiler_result invalid = SPECPI_COMPILER_ERROR_INVALID_ARGUMENT;
  COMPILER_REQUIRE(module != NULL, invalid, "module is NULL");
  COMPILER_REQUIRE(
      level >= SPECPI_COMPILER_OPTIMIZATION_O0 && level <= SPECPI_COMPILER_OPTIMIZATION_O3, invalid,
      "a module cannot be optimised at level %d, only at O0 to O3", (int)level);
  return level == SPECPI_COMPILER_OPTIMIZATION_O0
             ? SPECPI_COMPILER_SUCCESS
             : context_run(module->compiler, optimise_module, module);
}

/* ---- Writing ---- */

typedef struct writing {
  LLVMModuleRef module;
  specpi_compiler_form form;
  char *bytes;
  size_t size;
} writing;

static specpi_compiler_result keep_bytes(writing *writing, const char *bytes, size_t size) {
  writing->bytes = malloc(size + 1);
  if (writing->bytes == NULL)
    return compiler_error_memory();
  memcpy(writing->bytes, bytes, size);
  writing->bytes[size] = '\0';
  writing->size = size;
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result write_module(void *data) {
  writing *writing = data;
  specpi_compiler_result result;
  if (writing->form == SPECPI_COMPILER_FORM_LL) {
    char *text = LLVMPrintModuleToString(writing->module);
    result = keep_bytes(writing, text, strlen(text));
    LLVMDisposeMessage(text);
  } else {
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(writing->module);
    result = keep_bytes(writing, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
  }
  return result;
}

specpi_compiler_result specpiCompilerModuleWrite(specpi_compiler_module module,
                                                 specpi_compiler_form form, void **data,
                                                 size_t *size) {
  const specpi_compiler_result invalid = SPECPI_COMPILER_ERROR_INVALID_ARGUMENT;
  COMPILER_REQUIRE(module != NULL && data != NULL && size != NULL, invalid, "%s is NULL",
                   module == NULL ? "module"
                   : data == NULL ? "data"
                                  : "size");
  COMPILER_REQUIRE(form == SPECPI_COMPILER_FORM_LL || form == SPECPI_COMPILER_FORM_BC, invalid,
                   "a module cannot be had in form %d, only as ll and bc", (int)form);
  writing writing = {.module = module->llvm, .form = form};
  COMPILER_TRY(context_run(module->compiler, write_module, &writing));
  *data = writing.bytes;
  *size = writing.size;
  return SPECPI_COMPILER_SUCCESS;
}

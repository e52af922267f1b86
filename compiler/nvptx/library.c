#include "library.h"

#include "../input.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdbool.h>
#include <string.h>

/* Returns whether a definition can be left out when nobody uses it, once its linkage says so. */
static bool is_optional(LLVMValueRef global) {
  switch (LLVMGetLinkage(global)) {
  case LLVMExternalLinkage:
  case LLVMWeakAnyLinkage:
  case LLVMWeakODRLinkage:
  case LLVMLinkOnceAnyLinkage:
  case LLVMLinkOnceODRLinkage:
  case LLVMCommonLinkage:
    return !LLVMIsDeclaration(global);
  default:
    return false;
  }
}

/*
 * Makes the linker take only what is used: a function's body is not even read otherwise. The
 * library is made for some GPU in general, which LLVM would not inline into code for one.
 */
static void prepare_library(LLVMModuleRef library, LLVMModuleRef module) {
  static const char *const attributes[] = {"target-cpu", "target-features"};
  LLVMSetTarget(library, LLVMGetTarget(module));
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
  for (LLVMValueRef value = LLVMGetFirstFunction(library); value != NULL;
       value = LLVMGetNextFunction(value)) {
    if (is_optional(value))
      LLVMSetLinkage(value, LLVMLinkOnceODRLinkage);
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
      LLVMRemoveStringAttributeAtIndex(value, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       attributes[i], (unsigned)strlen(attributes[i]));
  }
  for (LLVMValueRef value = LLVMGetFirstGlobal(library); value != NULL;
       value = LLVMGetNextGlobal(value))
    if (is_optional(value))
      LLVMSetLinkage(value, LLVMLinkOnceODRLinkage);
}

bool library_may_define(LLVMValueRef function) {
  /* A CUDA driver's, LLVM's, which replaces it, and sub_group_sizes.c's, which defines it later. */
  static const char *const provided[] = {
      "vprintf", "malloc", "free", "__assertfail", "__nvvm_reflect", "__specpi_sub_group_size"};
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  for (size_t i = 0; i < sizeof provided / sizeof provided[0]; i++)
    if (strcmp(name, provided[i]) == 0)
      return false;
  return LLVMGetIntrinsicID(function) == 0;
}

/* Returns whether the module uses a function that it does not define, and a library may. */
static bool is_incomplete(LLVMModuleRef module) {
  for (LLVMValueRef value = LLVMGetFirstFunction(module); value != NULL;
       value = LLVMGetNextFunction(value))
    if (LLVMIsDeclaration(value) && LLVMGetFirstUse(value) != NULL && library_may_define(value))
      return true;
  return false;
}

specpi_compiler_result library_link(LLVMModuleRef module, const char *path,
                                    const char *diagnostic) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef library;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    compiler_error(SPECPI_COMPILER_ERROR_FILE, "library '%s': %s", path, message);
    LLVMDisposeMessage(message);
    return SPECPI_COMPILER_ERROR_FILE;
  }
  if (!is_incomplete(module)) {
    /* Reading what is in a library is most of the time of a small kernel. */
    LLVMDisposeMemoryBuffer(buffer);
    return SPECPI_COMPILER_SUCCESS;
  }
  if (LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(module), buffer, &library)) {
    LLVMDisposeMemoryBuffer(buffer); /* LLVM leaves it to the caller when it fails */
    return compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE, "library '%s': %s", path,
                          diagnostic[0] != '\0' ? diagnostic : "LLVM cannot read it");
  }
  const specpi_compiler_result result = input_check_names(library, path);
  if (result != SPECPI_COMPILER_SUCCESS) {
    LLVMDisposeModule(library);
    return result;
  }
  prepare_library(library, module);
  COMPILER_REQUIRE(!LLVMLinkModules2(module, library) && diagnostic[0] == '\0',
                   SPECPI_COMPILER_ERROR_INVALID_MODULE, "library '%s': %s", path,
                   diagnostic[0] != '\0' ? diagnostic : "LLVM cannot link it");
  return SPECPI_COMPILER_SUCCESS;
}

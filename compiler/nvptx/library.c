#include "library.h"

#include "../input.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdbool.h>
#include <string.h>

/* Returns whether a definition may become linkonce, so that the linker drops it if unused. */
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
 * Prepares a library so that the linker takes only definitions that are used; it does not even read
 * the bodies of others. Removes the functions' target attributes, because LLVM does not inline
 * functions of another GPU.
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
  /* Functions of CUDA's driver; one that LLVM replaces; and one that sub_group_sizes.c defines. */
  static const char *const provided[] = {
      "vprintf", "malloc", "free", "__assertfail", "__nvvm_reflect", "__specpi_sub_group_size"};
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  for (size_t i = 0; i < sizeof provided / sizeof provided[0]; i++)
    if (strcmp(name, provided[i]) == 0)
      return false;
  return LLVMGetIntrinsicID(function) == 0;
}

/* Returns whether the module uses a function with this prefix that a library has to define. */
static bool is_incomplete(LLVMModuleRef module, const char *prefix) {
  const size_t size = strlen(prefix);
  size_t length;
  for (LLVMValueRef value = LLVMGetFirstFunction(module); value != NULL;
       value = LLVMGetNextFunction(value))
    if (LLVMIsDeclaration(value) && strncmp(LLVMGetValueName2(value, &length), prefix, size) == 0 &&
        LLVMGetFirstUse(value) != NULL && library_may_define(value))
      return true;
  return false;
}

specpi_compiler_result library_link(LLVMModuleRef module, const char *path, const char *prefix,
                                    const char *diagnostic) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef library;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    compiler_error(SPECPI_COMPILER_ERROR_FILE, "library '%s': %s", path, message);
    LLVMDisposeMessage(message);
    return SPECPI_COMPILER_ERROR_FILE;
  }
  if (!is_incomplete(module, prefix)) {
    /* Does not parse the library, which would take most of the time of a small kernel's build. */
    LLVMDisposeMemoryBuffer(buffer);
    return SPECPI_COMPILER_SUCCESS;
  }
  if (LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(module), buffer, &library)) {
    LLVMDisposeMemoryBuffer(buffer); /* on failure the caller still owns it */
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

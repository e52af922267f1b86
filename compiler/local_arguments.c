#include "local_arguments.h"

#include "attributes.h"
#include "target.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_NAME "__specpi_dynamic_local_memory"
/* What the largest type of OpenCL needs, 16 numbers of 64 bits. */
#define MEMORY_ALIGNMENT 128

static bool is_local(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
         LLVMGetPointerAddressSpace(type) == TARGET_LOCAL_SPACE;
}

/* The dynamic shared memory: a declaration without a size. */
static LLVMValueRef dynamic_memory(LLVMModuleRef module) {
  LLVMValueRef memory = LLVMGetNamedGlobal(module, MEMORY_NAME);
  if (memory != NULL)
    return memory;
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
  memory =
      LLVMAddGlobalInAddressSpace(module, LLVMArrayType(byte, 0), MEMORY_NAME, TARGET_LOCAL_SPACE);
  LLVMSetLinkage(memory, LLVMExternalLinkage);
  LLVMSetAlignment(memory, MEMORY_ALIGNMENT);
  return memory;
}

static void copy_notes(LLVMValueRef from, LLVMValueRef to) {
  size_t count;
  LLVMValueMetadataEntry *notes = LLVMGlobalCopyAllMetadata(from, &count);
  for (unsigned i = 0; i < count; i++)
    LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(notes, i),
                          LLVMValueMetadataEntriesGetMetadata(notes, i));
  LLVMDisposeValueMetadataEntries(notes);
  /* A function's description belongs to one function. */
  LLVMGlobalClearMetadata(from);
}

/* Makes the pointer of an offset, at the beginning of the kernel. */
static LLVMValueRef pointer_of(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef offset) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
  LLVMTypeRef index = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef wide = LLVMBuildZExt(builder, offset, index, "");
  return LLVMBuildGEP2(builder, byte, dynamic_memory(module), &wide, 1, "");
}

static specpi_compiler_result move_body(LLVMModuleRef module, LLVMValueRef from, LLVMValueRef to) {
  LLVMBasicBlockRef block;
  while ((block = LLVMGetFirstBasicBlock(from)) != NULL) {
    LLVMRemoveBasicBlockFromParent(block);
    LLVMAppendExistingBasicBlock(to, block);
  }
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(to);
  LLVMPositionBuilder(builder, entry, LLVMGetFirstInstruction(entry));
  specpi_compiler_result result =
      attributes_copy(from, to, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, false);
  for (unsigned i = 0; i < LLVMCountParams(to) && result == SPECPI_COMPILER_SUCCESS; i++) {
    LLVMValueRef old = LLVMGetParam(from, i);
    LLVMValueRef made = LLVMGetParam(to, i);
    size_t length;
    const char *name = LLVMGetValueName2(old, &length);
    LLVMSetValueName2(made, name, length);
    if (is_local(LLVMTypeOf(old))) {
      LLVMReplaceAllUsesWith(old, pointer_of(module, builder, made));
    } else {
      LLVMReplaceAllUsesWith(old, made);
      result = attributes_copy(from, to, i + 1, false);
    }
  }
  LLVMDisposeBuilder(builder);
  return result;
}

specpi_compiler_result local_arguments_replace(LLVMModuleRef module, LLVMValueRef kernel,
                                               LLVMValueRef *ret) {
  *ret = kernel;
  const unsigned count = LLVMCountParams(kernel);
  bool any = false;
  LLVMTypeRef *types = malloc((count + 1u) * sizeof(LLVMTypeRef));
  if (types == NULL)
    return compiler_error_memory();
  for (unsigned i = 0; i < count; i++) {
    types[i] = LLVMTypeOf(LLVMGetParam(kernel, i));
    if (!is_local(types[i]))
      continue;
    types[i] = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    any = true;
  }
  LLVMTypeRef type =
      LLVMFunctionType(LLVMGetReturnType(LLVMGlobalGetValueType(kernel)), types, count, 0);
  free(types);
  if (!any)
    return SPECPI_COMPILER_SUCCESS;
  LLVMValueRef made = LLVMAddFunction(module, "", type);
  LLVMSetFunctionCallConv(made, LLVMGetFunctionCallConv(kernel));
  COMPILER_TRY(move_body(module, kernel, made));
  copy_notes(kernel, made);
  size_t length;
  const char *name = LLVMGetValueName2(kernel, &length);
  char *copy = strndup(name, length);
  if (copy == NULL)
    return compiler_error_memory();
  LLVMReplaceAllUsesWith(kernel, made); /* notes of the module name it, too */
  LLVMDeleteFunction(kernel);
  LLVMSetValueName2(made, copy, length);
  free(copy);
  *ret = made;
  return SPECPI_COMPILER_SUCCESS;
}

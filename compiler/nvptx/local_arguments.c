#include "local_arguments.h"

#include "../target.h"
#include "kernel_arguments.h"

#include <stdbool.h>

#define MEMORY_NAME "__specpi_dynamic_local_memory"

static bool is_local(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
         LLVMGetPointerAddressSpace(type) == TARGET_LOCAL_SPACE;
}

LLVMValueRef local_arguments_memory(LLVMModuleRef module) {
  LLVMValueRef memory = LLVMGetNamedGlobal(module, MEMORY_NAME);
  if (memory != NULL)
    return memory;
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
  memory =
      LLVMAddGlobalInAddressSpace(module, LLVMArrayType(byte, 0), MEMORY_NAME, TARGET_LOCAL_SPACE);
  LLVMSetLinkage(memory, LLVMExternalLinkage);
  LLVMSetAlignment(memory, LOCAL_ARGUMENTS_ALIGNMENT);
  return memory;
}

static LLVMTypeRef offset_type(LLVMValueRef parameter, unsigned index, void *data) {
  (void)index;
  LLVMModuleRef module = data;
  return is_local(LLVMTypeOf(parameter)) ? LLVMInt32TypeInContext(LLVMGetModuleContext(module))
                                         : NULL;
}

/* Converts an offset to a pointer. */
static LLVMValueRef pointer_of(LLVMBuilderRef builder, LLVMValueRef offset, LLVMTypeRef old,
                               void *data) {
  (void)old;
  LLVMModuleRef module = data;
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
  LLVMTypeRef index = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef wide = LLVMBuildZExt(builder, offset, index, "");
  return LLVMBuildGEP2(builder, byte, local_arguments_memory(module), &wide, 1, "");
}

specpi_compiler_result local_arguments_replace(LLVMModuleRef module, LLVMValueRef kernel,
                                               LLVMValueRef *ret) {
  const argument_change change = {.type_of = offset_type, .value_of = pointer_of, .data = module};
  return kernel_arguments_change(module, kernel, &change, ret);
}

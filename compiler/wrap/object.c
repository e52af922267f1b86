/* The host's side of an object file: what registers the data, and the generation of code. */
#include "wrap.h"

#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * Registered first and unregistered last: other constructors and destructors may use kernels. The
 * sections are named here, because what LLVM itself makes of llvm.global_ctors, .ctors, is unknown
 * to some linkers.
 */
#define CONSTRUCTORS ".init_array.00001"
#define DESTRUCTORS ".fini_array.00001"

static void initialize(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
}

specpi_compiler_result wrap_host(LLVMTargetMachineRef *ret) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
  char *triple = LLVMGetDefaultTargetTriple();
  char *message = NULL;
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    compiler_error(SPECPI_COMPILER_ERROR_INTERNAL, "LLVM generates no code for the host, '%s': %s",
                   triple, message);
    LLVMDisposeMessage(message);
    LLVMDisposeMessage(triple);
    return SPECPI_COMPILER_ERROR_INTERNAL;
  }
  *ret = LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                 LLVMCodeModelDefault);
  LLVMDisposeMessage(triple);
  COMPILER_REQUIRE(*ret != NULL, SPECPI_COMPILER_ERROR_INTERNAL,
                   "LLVM cannot make code generation for the host");
  return SPECPI_COMPILER_SUCCESS;
}

/* A function that calls another one, of this name, with the data. */
static LLVMValueRef add_caller(LLVMModuleRef module, const char *name, const char *callee_name,
                               LLVMValueRef binaries) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef nothing = LLVMVoidTypeInContext(context);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef callee_type = LLVMFunctionType(nothing, &pointer, 1, 0);
  LLVMValueRef callee = LLVMAddFunction(module, callee_name, callee_type);
  LLVMValueRef function = LLVMAddFunction(module, name, LLVMFunctionType(nothing, NULL, 0, 0));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
  LLVMBuildCall2(builder, callee_type, callee, &binaries, 1, "");
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  return function;
}

/* A pointer to a function in a section. */
static void add_pointer(LLVMModuleRef module, const char *section, LLVMValueRef function) {
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(function), "");
  LLVMSetInitializer(global, function);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetSection(global, section);
}

void wrap_registration(LLVMModuleRef module, LLVMValueRef binaries) {
  add_pointer(module, CONSTRUCTORS,
              add_caller(module, "specpi.register", "__sycl_register_lib", binaries));
  add_pointer(module, DESTRUCTORS,
              add_caller(module, "specpi.unregister", "__sycl_unregister_lib", binaries));
}

specpi_compiler_result wrap_object(LLVMTargetMachineRef host, LLVMModuleRef module, void **ret,
                                   size_t *size) {
  char *message = NULL;
  LLVMMemoryBufferRef buffer;
  if (LLVMTargetMachineEmitToMemoryBuffer(host, module, LLVMObjectFile, &message, &buffer)) {
    compiler_error(SPECPI_COMPILER_ERROR_INTERNAL, "LLVM cannot make the object file: %s", message);
    LLVMDisposeMessage(message);
    return SPECPI_COMPILER_ERROR_INTERNAL;
  }
  const size_t length = LLVMGetBufferSize(buffer);
  void *copy = malloc(length);
  if (copy != NULL) {
    memcpy(copy, LLVMGetBufferStart(buffer), length);
    *ret = copy;
    *size = length;
  }
  LLVMDisposeMemoryBuffer(buffer);
  return copy != NULL ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
}

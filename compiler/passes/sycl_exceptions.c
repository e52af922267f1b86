#include "sycl_unit.h"

#include "../attributes.h"

#include <llvm/Config/llvm-config.h>

/* LLVM's name of the pass that turns invokes into calls. */
#if LLVM_VERSION_MAJOR < 17
#define LOWER_INVOKE "lowerinvoke"
#else
#define LOWER_INVOKE "lower-invoke"
#endif

static bool has_invoke(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    if (LLVMGetBasicBlockTerminator(block) != NULL &&
        LLVMIsAInvokeInst(LLVMGetBasicBlockTerminator(block)) != NULL)
      return true;
  return false;
}

/*
 * Devices have no exceptions, so landing pads are never reached: the pass leaves them without
 * predecessors, and removes them. A throw stays a call of the C++ runtime, which is refused if a
 * kernel reaches it.
 */
specpi_compiler_result sycl_exceptions_remove(sycl_unit *unit) {
  bool any = false;
  for (LLVMValueRef at = LLVMGetFirstFunction(unit->module); at != NULL && !any;
       at = LLVMGetNextFunction(at))
    any = has_invoke(at);
  for (LLVMValueRef at = LLVMGetFirstFunction(unit->module); at != NULL && any;
       at = LLVMGetNextFunction(at))
    attributes_remove(at, "optnone"); /* passes skip functions with optnone */
  if (any)
    COMPILER_TRY(sycl_run_passes(unit, "function(" LOWER_INVOKE ",simplifycfg)"));
  for (LLVMValueRef at = LLVMGetFirstFunction(unit->module); at != NULL;
       at = LLVMGetNextFunction(at))
    if (LLVMHasPersonalityFn(at) && !has_invoke(at))
      LLVMSetPersonalityFn(at, NULL);
  return SPECPI_COMPILER_SUCCESS;
}

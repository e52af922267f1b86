/*
 * Kernels of parallel_for_work_group. A single work-item runs the code of the whole work-group, so
 * the code that they reach must not wait for other work-items.
 */
#include "sycl_unit.h"

#include <string.h>

static bool is_barrier(LLVMValueRef function) {
  static const char *const names[] = {"_Z7barrierj", "_Z18work_group_barrierj",
                                      "_Z22__spirv_ControlBarrier", "__spirv_ControlBarrier"};
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

static specpi_compiler_result refuse_barrier(const sycl_unit *unit, LLVMValueRef barrier,
                                             const value_set *reached) {
  for (LLVMUseRef use = LLVMGetFirstUse(barrier); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMIsACallInst(LLVMGetUser(use));
    LLVMValueRef caller =
        call != NULL ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) : NULL;
    if (caller != NULL && value_set_has(reached, caller))
      return sycl_refuse(&(sycl_place){unit, caller, call}, SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                         ", which a kernel of parallel_for_work_group cannot do",
                         " waits at a barrier");
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result check_kernel(const sycl_unit *unit, LLVMValueRef kernel) {
  value_set reached = {0};
  specpi_compiler_result result = sycl_reach(kernel, &reached);
  for (LLVMValueRef at = LLVMGetFirstFunction(unit->module);
       at != NULL && result == SPECPI_COMPILER_SUCCESS; at = LLVMGetNextFunction(at))
    if (is_barrier(at) && value_set_has(&reached, at))
      result = refuse_barrier(unit, at, &reached);
  value_set_free(&reached);
  return result;
}

specpi_compiler_result sycl_groups_check(sycl_unit *unit) {
  LLVMValueRef mark = LLVMGetNamedFunction(unit->module, SYCL_UNIT_TWO_LEVELS);
  LLVMUseRef use;
  while (mark != NULL && (use = LLVMGetFirstUse(mark)) != NULL) {
    LLVMValueRef call = LLVMGetUser(use);
    COMPILER_REQUIRE(LLVMIsACallInst(call) != NULL && LLVMGetCalledValue(call) == mark,
                     SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                     SYCL_UNIT_TWO_LEVELS " is used otherwise than by calls");
    COMPILER_TRY(check_kernel(unit, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))));
    LLVMInstructionEraseFromParent(call);
  }
  if (mark != NULL)
    LLVMDeleteFunction(mark);
  return SPECPI_COMPILER_SUCCESS;
}

/* What would end the process inside LLVM comes back to the caller. */
#include "../../compiler/context.h"

#include <llvm-c/Target.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* LLVM has no way to refuse this but its fatal error. */
static specpi_compiler_result fail_in_llvm(void *data) {
  (void)data;
  LLVMCreateTargetData("no layout");
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result succeed(void *data) {
  *(int *)data += 1;
  return SPECPI_COMPILER_SUCCESS;
}

static void test_fatal(void **state) {
  (void)state;
  specpi_compiler broken;
  specpi_compiler other;
  int calls = 0;
  assert_int_equal(specpiCompilerCreate(&broken), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(specpiCompilerCreate(&other), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(context_run(broken, fail_in_llvm, NULL), SPECPI_COMPILER_ERROR_INTERNAL);
  assert_memory_equal(specpiCompilerGetLastError(), "LLVM: ", strlen("LLVM: "));
  assert_int_equal(context_run(broken, succeed, &calls), SPECPI_COMPILER_ERROR_INTERNAL);
  assert_string_equal(specpiCompilerGetLastError(),
                      "the compiler cannot be used after a fatal error inside LLVM");
  assert_int_equal(calls, 0);
  assert_int_equal(context_run(other, succeed, &calls), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(calls, 1);
  specpiCompilerRelease(broken);
  specpiCompilerRelease(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fatal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

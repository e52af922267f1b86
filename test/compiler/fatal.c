/* The caller gets an error where LLVM alone would end the process. */
#include "../../compiler/context.h"
#include "../support/tests.h"

#include <llvm-c/Target.h>
#include <string.h>

/* Causes a fatal error inside LLVM. */
static specpi_compiler_result fail_in_llvm(void *data) {
  (void)data;
  LLVMCreateTargetData("no layout");
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result succeed(void *data) {
  *(int *)data += 1;
  return SPECPI_COMPILER_SUCCESS;
}

TEST(a_fatal_error_ends_only_its_compiler) {
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

/* LLVM cannot generate code for pow and raises a fatal error. */
TEST(code_that_llvm_cannot_generate_is_an_error) {
  static const char text[] = "target triple = \"nvptx64-nvidia-cuda\"\n"
                             "declare double @llvm.pow.f64(double, double)\n"
                             "define ptx_kernel void @k(ptr addrspace(1) %p, double %x) {\n"
                             "  %v = call double @llvm.pow.f64(double %x, double %x)\n"
                             "  store double %v, ptr addrspace(1) %p\n"
                             "  ret void\n"
                             "}\n";
  specpi_compiler compiler;
  specpi_compiler_module module;
  specpi_compiler_output output;
  assert_int_equal(specpiCompilerCreate(&compiler), SPECPI_COMPILER_SUCCESS);
  assert_int_equal(specpiCompilerModuleRead(compiler, "text", text, sizeof text - 1, &module),
                   SPECPI_COMPILER_SUCCESS);
  const specpi_compiler_options options = {.mode = SPECPI_COMPILER_MODE_DEFAULT};
  assert_int_equal(specpiCompilerLower(module, &options, &output), SPECPI_COMPILER_SUCCESS);
  const specpi_compiler_code_options code = {.optimization = 2};
  const void *data = &code;
  size_t size = 77;
  assert_int_equal(specpiCompilerOutputGenerate(output, &code, &data, &size),
                   SPECPI_COMPILER_ERROR_INTERNAL);
  assert_memory_equal(specpiCompilerGetLastError(), "LLVM: ", strlen("LLVM: "));
  assert_int_equal(specpiCompilerOutputGenerate(output, &code, &data, &size),
                   SPECPI_COMPILER_ERROR_INTERNAL);
  assert_string_equal(specpiCompilerGetLastError(),
                      "the compiler cannot be used after a fatal error inside LLVM");
  assert_ptr_equal(data, &code);
  assert_int_equal(size, 77);
  specpiCompilerOutputRelease(output);
  specpiCompilerModuleRelease(module);
  specpiCompilerRelease(compiler);
}

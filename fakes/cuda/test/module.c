/* Modules and the linker: images, logs, options, symbols. */
#include "code.h"

#include <elf.h>
#include <stdlib.h>

CONTEXT_TEST(functions_and_variables_are_found_by_name) {
  CUmodule module;
  CUfunction count = load(&module, add_text, "count");
  CUfunction none = NULL;
  CUdeviceptr counter = 0;
  size_t size = 0;
  uint32_t value = 0;
  ok(cuModuleGetGlobal(&counter, &size, module, "counter"));
  assert_int_equal(size, 4);
  ok(cuLaunchKernel(count, 2, 1, 1, 8, 1, 1, 0, NULL, NULL, NULL));
  ok(cuMemcpyDtoH(&value, counter, 4));
  assert_int_equal(value, 5 + 16);
  expect(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&none, module, "counter"));
  assert_null(none);
  expect(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&counter, &size, module, "add"));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(counter));
  assert_int_equal(fake_cuda_live(FAKE_MODULE), 1);
  assert_int_equal(fake_cuda_live(FAKE_MEMORY), 0);
  ok(cuModuleUnload(module));
  expect(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
  expect(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&none, module, "add"));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&value, counter, 4));
}

CONTEXT_TEST(wrong_images_are_refused) {
  CUmodule module = (CUmodule)1;
  expect(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&module, NULL));
  expect(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, ""));
  expect(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, "no code at all"));
  expect(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, HEAD ".entry f() { no.such; }"));
  expect(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
         cuModuleLoadData(&module, ".version 99.9\n.target sm_80\n"));
  expect(CUDA_ERROR_NO_BINARY_FOR_GPU,
         cuModuleLoadData(&module, ".version 8.0\n.target sm_90\n.entry f() { ret; }"));
  /* ELF headers with wrong values. */
  Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64}};
  expect(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, &head));
  assert_ptr_equal(module, (CUmodule)1);
}

CONTEXT_TEST(build_logs_are_cut_to_their_buffers) {
  char error[512] = "old";
  char info[512] = "old";
  CUmodule module;
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_INFO_LOG_BUFFER,   CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_LOG_VERBOSE,       CU_JIT_WALL_TIME,
                            CU_JIT_OPTIMIZATION_LEVEL};
  void *values[] = {error,    (void *)sizeof error, info, (void *)sizeof info, (void *)1, NULL,
                    (void *)3};
  expect(CUDA_ERROR_INVALID_PTX,
         cuModuleLoadDataEx(&module, HEAD ".entry f() { no.such; }", 7, options, values));
  assert_non_null(strstr(error, "no"));
  assert_int_equal((uintptr_t)values[1], strlen(error) + 1);
  values[1] = (void *)sizeof error;
  values[3] = (void *)sizeof info;
  ok(cuModuleLoadDataEx(&module, add_text, 7, options, values));
  assert_string_equal(error, "");
  float time;
  memcpy(&time, &values[5], sizeof time);
  assert_true(time >= 0);
  ok(cuModuleUnload(module));
  /* A log is cut to its buffer's few bytes. */
  values[1] = (void *)4;
  expect(CUDA_ERROR_INVALID_PTX,
         cuModuleLoadDataEx(&module, HEAD ".entry f() { no.such; }", 7, options, values));
  assert_int_equal(strlen(error), 3);
  options[0] = (CUjit_option)1234;
  expect(CUDA_ERROR_INVALID_VALUE, cuModuleLoadDataEx(&module, add_text, 1, options, values));
}

static const char caller[] = HEAD ".extern .func (.param .b32 r) twice(.param .b32 a);\n"
                                  ".visible .entry f(.param .u64 out)\n"
                                  "{ .reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
                                  "  ld.param.u64 %rd1, [out]; ld.global.u32 %r1, [%rd1];\n"
                                  "  { .param .b32 a; .param .b32 r; st.param.b32 [a], %r1;\n"
                                  "    call.uni (r), twice, (a); ld.param.b32 %r2, [r]; }\n"
                                  "  st.global.u32 [%rd1], %r2; ret; }\n";
static const char callee[] = HEAD ".visible .func (.param .b32 r) twice(.param .b32 a)\n"
                                  "{ .reg .b32 %r<2>; ld.param.b32 %r1, [a];\n"
                                  "  add.u32 %r1, %r1, %r1; st.param.b32 [r], %r1; ret; }\n";

static CUresult link_both(const char *first, const char *second, void **cubin, size_t *size,
                          CUlinkState *link, char *log, size_t room) {
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)room};
  /* Static, because the driver writes to the values as long as the link lives. */
  static void *kept[2];
  memcpy(kept, values, sizeof kept);
  ok(cuLinkCreate(2, options, kept, link));
  ok(cuLinkAddData(*link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)first, strlen(first) + 1, "first", 0,
                   NULL, NULL));
  if (second)
    ok(cuLinkAddData(*link, CU_JIT_INPUT_PTX, (void *)(uintptr_t)second, strlen(second) + 1,
                     "second", 0, NULL, NULL));
  return cuLinkComplete(*link, cubin, size);
}

CONTEXT_TEST(a_link_resolves_calls_between_modules) {
  CUlinkState link;
  char log[512];
  void *cubin = NULL;
  size_t size = 0;
  ok(link_both(caller, callee, &cubin, &size, &link, log, sizeof log));
  Elf64_Ehdr head;
  memcpy(&head, cubin, sizeof head);
  assert_memory_equal(head.e_ident, ELFMAG, SELFMAG);
  assert_int_equal(head.e_machine, 190);
  assert_int_equal(head.e_flags & 0xff, 80);
  /* Copies the cubin, because the link owns it. */
  void *copy = malloc(size);
  memcpy(copy, cubin, size);
  expect(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(link, &cubin, &size));
  ok(cuLinkDestroy(link));
  expect(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(link));
  CUmodule module;
  CUfunction function = load(&module, copy, "f");
  CUdeviceptr out;
  uint32_t value = 0;
  ok(cuMemAlloc(&out, 4));
  ok(cuMemsetD32(out, 21, 1));
  void *parameters[] = {&out};
  ok(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  ok(cuMemcpyDtoH(&value, out, 4));
  assert_int_equal(value, 42);
  ok(cuMemFree(out));
  ok(cuModuleUnload(module));
  /* A cubin for another architecture, and a damaged one. */
  head.e_flags = 90 << 16 | 5 << 8 | 90;
  memcpy(copy, &head, sizeof head);
  expect(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&module, copy));
  head.e_flags = 80 << 16 | 5 << 8 | 80;
  head.e_shstrndx = 1000;
  memcpy(copy, &head, sizeof head);
  expect(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, copy));
  free(copy);
}

CONTEXT_TEST(unresolved_and_double_symbols_are_refused) {
  CUlinkState link;
  CUmodule module;
  char log[512];
  void *cubin = NULL;
  size_t size = 0;
  expect(CUDA_ERROR_INVALID_PTX, link_both(caller, NULL, &cubin, &size, &link, log, sizeof log));
  assert_non_null(strstr(log, "twice"));
  ok(cuLinkDestroy(link));
  expect(CUDA_ERROR_INVALID_PTX, link_both(callee, callee, &cubin, &size, &link, log, sizeof log));
  assert_non_null(strstr(log, "twice"));
  ok(cuLinkDestroy(link));
  expect(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&module, caller));
  ok(cuLinkCreate(0, NULL, NULL, &link));
  expect(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(link, &cubin, &size));
  expect(CUDA_ERROR_INVALID_PTX, cuLinkAddData(link, CU_JIT_INPUT_PTX, (char[]){HEAD "nonsense"},
                                               sizeof HEAD + 8, NULL, 0, NULL, NULL));
  expect(CUDA_ERROR_INVALID_VALUE,
         cuLinkAddData(link, CU_JIT_INPUT_PTX, NULL, 1, NULL, 0, NULL, NULL));
  ok(cuLinkDestroy(link));
}

CONTEXT_TEST(ptxas_runs_once_for_a_text) {
  CUmodule first;
  CUmodule second;
  ok(cuModuleLoadData(&first, add_text));
  const unsigned long runs = fake_cuda_ptxas_runs();
  ok(cuModuleLoadData(&second, add_text));
  assert_int_equal(fake_cuda_ptxas_runs(), runs);
  ok(cuModuleUnload(first));
  ok(cuModuleUnload(second));
}

/* Launches: results, refusals, and contexts after a kernel's failure. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "code.h"

#include <stdlib.h>

CONTEXT_TEST(parameters_arrive_as_pointers_and_in_a_buffer) {
  CUmodule module;
  CUfunction add = load(&module, add_text, "add");
  CUdeviceptr out;
  uint32_t n = 3;
  uint32_t words[128];
  ok(cuMemAlloc(&out, sizeof words));
  ok(cuMemsetD32(out, 1, 128));
  void *parameters[] = {&out, &n};
  ok(cuLaunchKernel(add, 4, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL));
  struct {
    CUdeviceptr out;
    uint32_t n;
  } block = {out, 10};
  size_t size = 12;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  ok(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
  ok(cuMemcpyDtoH(words, out, sizeof words));
  assert_int_equal(words[0], 14);
  assert_int_equal(words[1], 4);
  assert_int_equal(words[127], 4);
  size = 8;
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
  expect(CUDA_ERROR_INVALID_VALUE,
         cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, extra));
  ok(cuMemFree(out));
  ok(cuModuleUnload(module));
}

CONTEXT_TEST(wrong_launches_are_refused) {
  CUmodule module;
  CUfunction add = load(&module, add_text, "add");
  CUdeviceptr out = 0;
  uint32_t n = 0;
  void *parameters[] = {&out, &n};
  const struct {
    unsigned grid[3], block[3], shared;
  } wrong[] = {
      {{0, 1, 1}, {1, 1, 1}, 0},     {{1, 65536, 1}, {1, 1, 1}, 0}, {{1, 1, 1}, {0, 1, 1}, 0},
      {{1, 1, 1}, {1025, 1, 1}, 0},  {{1, 1, 1}, {1, 1, 65}, 0},    {{1, 1, 1}, {64, 32, 1}, 0},
      {{1, 1, 1}, {1, 1, 1}, 49153},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    expect(CUDA_ERROR_INVALID_VALUE,
           cuLaunchKernel(add, wrong[i].grid[0], wrong[i].grid[1], wrong[i].grid[2],
                          wrong[i].block[0], wrong[i].block[1], wrong[i].block[2], wrong[i].shared,
                          NULL, parameters, NULL));
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  parameters[1] = NULL;
  refused(CUDA_ERROR_INVALID_VALUE, "parameter 1 of 'add' is NULL",
          cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  expect(CUDA_ERROR_INVALID_HANDLE,
         cuLaunchKernel((CUfunction)&out, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  /* A function and a stream of another context. */
  CUcontext other;
  CUstream stream;
  ok(cuCtxCreate_v2(&other, 0, 0));
  ok(cuStreamCreate(&stream, 0));
  parameters[1] = &n;
  expect(CUDA_ERROR_INVALID_HANDLE,
         cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
  expect(CUDA_ERROR_INVALID_CONTEXT, cuModuleUnload(module));
  ok(cuCtxDestroy(other));
  ok(cuModuleUnload(module));
  expect(CUDA_ERROR_INVALID_HANDLE,
         cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
}

/* Attributes of functions; also dynamic shared memory above 48 KiB, which must be requested. */
CONTEXT_TEST(functions_report_and_enforce_their_limits) {
  CUmodule module;
  int value = 0;
  static const char text[] = HEAD ".extern .shared .align 16 .b8 dynamic[];\n"
                                  ".visible .entry small(.param .u64 out) .maxntid 64, 2, 1\n"
                                  "{ .reg .b32 %r<3>; .reg .b64 %rd<2>; .shared .b32 a[100];\n"
                                  "  ld.param.u64 %rd1, [out]; mov.u32 %r1, a;\n"
                                  "  st.shared.u32 [%r1], 4; ld.shared.u32 %r2, [%r1+4];\n"
                                  "  st.global.u32 [%rd1], %r2; ret; }\n"
                                  ".visible .entry exact() .reqntid 8, 4, 2 { ret; }\n";
  CUfunction small = load(&module, text, "small");
  CUfunction exact;
  ok(cuModuleGetFunction(&exact, module, "exact"));
  ok(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, small));
  assert_int_equal(value, 128);
  ok(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, small));
  assert_int_equal(value, 400);
  ok(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, small));
  assert_true(value > 0 && value < 256);
  ok(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_BINARY_VERSION, small));
  assert_int_equal(value, 80);
  size_t offset = 9;
  size_t size = 9;
  ok(cuFuncGetParamInfo(small, 0, &offset, &size));
  assert_int_equal(offset, 0);
  assert_int_equal(size, 8);
  expect(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(small, 1, &offset, &size));
  ok(cuFuncSetAttribute(exact, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
  expect(CUDA_ERROR_INVALID_VALUE,
         cuFuncSetAttribute(exact, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 200000));
  expect(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(exact, CU_FUNC_ATTRIBUTE_NUM_REGS, 1));
  ok(cuLaunchKernel(exact, 1, 1, 1, 8, 4, 2, 100000, NULL, NULL, NULL));
  expect(CUDA_ERROR_INVALID_VALUE,
         cuLaunchKernel(exact, 1, 1, 1, 8, 4, 2, 100001, NULL, NULL, NULL));
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(exact, 1, 1, 1, 16, 4, 1, 0, NULL, NULL, NULL));
  CUdeviceptr out;
  ok(cuMemAlloc(&out, 4));
  void *parameters[] = {&out};
  expect(CUDA_ERROR_INVALID_VALUE,
         cuLaunchKernel(small, 1, 1, 1, 129, 1, 1, 0, NULL, parameters, NULL));
  ok(cuLaunchKernel(small, 1, 1, 1, 128, 1, 1, 0, NULL, parameters, NULL));
  ok(cuCtxSynchronize());
  ok(cuMemFree(out));
  ok(cuModuleUnload(module));
}

CONTEXT_TEST(occupancy_limits_cooperative_launches) {
  CUmodule module;
  CUfunction add = load(&module, add_text, "add");
  int blocks = 0;
  int grid = 0;
  int block = 0;
  ok(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0));
  assert_int_equal(blocks, 8);
  ok(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, 0));
  assert_int_equal(blocks, 32);
  ok(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, 40 << 10));
  assert_int_equal(blocks, 4);
  ok(cuOccupancyMaxPotentialBlockSize(&grid, &block, add, NULL, 0, 0));
  assert_int_equal(block, 1024);
  assert_int_equal(grid, 8);
  ok(cuOccupancyMaxPotentialBlockSize(&grid, &block, add, NULL, 0, 100));
  assert_true(block <= 100 && block % 32 == 0);
  expect(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 0, 0));
  CUdeviceptr out;
  uint32_t n = 1;
  ok(cuMemAlloc(&out, 4 << 20));
  void *parameters[] = {&out, &n};
  ok(cuLaunchCooperativeKernel(add, 8, 1, 1, 1024, 1, 1, 0, NULL, parameters));
  expect(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
         cuLaunchCooperativeKernel(add, 9, 1, 1, 1024, 1, 1, 0, NULL, parameters));
  ok(cuMemFree(out));
  ok(cuModuleUnload(module));
}

/* Checks a kernel's failure, after which its context is unusable. */
static void failure_of(const char *text, CUresult code, const char *words) {
  CUcontext context;
  CUmodule module;
  ok(cuCtxCreate_v2(&context, 0, 0));
  CUdeviceptr out;
  ok(cuMemAlloc(&out, 16));
  CUfunction function = load(&module, text, "f");
  void *parameters[] = {&out};
  ok(cuLaunchKernel(function, 1, 1, 1, 2, 1, 1, 0, NULL, parameters, NULL));
  expect(code, cuCtxSynchronize());
  expect(code, cuMemAlloc(&out, 4));
  expect(code, cuStreamSynchronize(NULL));
  expect(code, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  char fault[512];
  fake_cuda_fault(fault, sizeof fault);
  if (!strstr(fault, words)) {
    print_error("no '%s' in '%s'\n", words, fault);
    fail();
  }
  ok(cuCtxDestroy(context));
  ok(cuCtxCreate_v2(&context, 0, 0));
  ok(cuMemAlloc(&out, 16));
  ok(cuCtxDestroy(context));
}

#define F(body)                                                                                    \
  HEAD ".visible .entry f(.param .u64 out) { .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;\n"  \
       " ld.param.u64 %rd1, [out];\n" body "\n ret; }\n"

/* A kernel that reaches a barrier at two places, and then accesses memory out of bounds. */
#define TWO_WAYS(barrier)                                                                          \
  F("mov.u32 %r1, %tid.x; setp.eq.u32 %p, %r1, 0; @%p bra A; " barrier " bra.uni B; A: " barrier   \
    " B: st.global.u32 [%rd1+16], 1;")

CONTEXT_TEST(a_failed_kernel_makes_its_context_unusable) {
  failure_of(F("st.global.u32 [%rd1+16], 1;"), CUDA_ERROR_ILLEGAL_ADDRESS, "f");
  failure_of(F("st.global.u32 [%rd1+1], 1;"), CUDA_ERROR_MISALIGNED_ADDRESS, "f");
  failure_of(F("trap;"), CUDA_ERROR_ILLEGAL_INSTRUCTION, "f");
  failure_of(F("mov.u32 %r1, 1; LOOP: ld.volatile.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, 1;\n"
               "st.volatile.global.u32 [%rd1], %r2; bra LOOP;"),
             CUDA_ERROR_LAUNCH_TIMEOUT, "f");
  failure_of(TWO_WAYS("bar.sync 0;"), CUDA_ERROR_ILLEGAL_INSTRUCTION, "aligned barrier");
  failure_of(TWO_WAYS("barrier.sync.aligned 0;"), CUDA_ERROR_ILLEGAL_INSTRUCTION,
             "aligned barrier");
  failure_of(TWO_WAYS("barrier.sync 0;"), CUDA_ERROR_ILLEGAL_ADDRESS, "0x");
}

int main(void) {
  /* A low limit of steps, so that hung kernels end soon. */
  setenv("FAKE_CUDA_STEPS", "100000", 1);
  return tests_run(NULL, NULL);
}

/* Contexts, primary contexts, stacks, limits, and the end of objects with their context. */
#include "check.h"

#include <pthread.h>

static int init(void **state) {
  (void)state;
  ok(cuInit(0));
  return 0;
}

TEST(calls_that_need_a_context_fail_without_one) {
  CUdeviceptr pointer = 0;
  CUcontext context = (CUcontext)1;
  refused(CUDA_ERROR_INVALID_CONTEXT, "no context", cuMemAlloc(&pointer, 4));
  ok(cuCtxGetCurrent(&context));
  assert_null(context);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&context));
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent((CUcontext)&context));
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy((CUcontext)&context));
}

TEST(the_last_pushed_context_is_current) {
  CUcontext first;
  CUcontext second;
  CUcontext current;
  ok(cuCtxCreate_v2(&first, CU_CTX_SCHED_BLOCKING_SYNC, 0));
  ok(cuCtxCreate_v2(&second, 0, 0));
  ok(cuCtxGetCurrent(&current));
  assert_ptr_equal(current, second);
  ok(cuCtxPopCurrent(&current));
  assert_ptr_equal(current, second);
  ok(cuCtxGetCurrent(&current));
  assert_ptr_equal(current, first);
  ok(cuCtxPushCurrent(second));
  ok(cuCtxDestroy(second));
  ok(cuCtxGetCurrent(&current));
  assert_ptr_equal(current, first);
  unsigned flags;
  ok(cuCtxGetFlags(&flags));
  assert_int_equal(flags & CU_CTX_SCHED_MASK, CU_CTX_SCHED_BLOCKING_SYNC);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent(second));
  expect(CUDA_ERROR_INVALID_VALUE, cuCtxCreate_v2(&second, 3, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuCtxCreate_v2(&second, 1 << 20, 0));
  expect(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate_v2(&second, 0, 1));
  ok(cuCtxDestroy(first));
  ok(cuCtxGetCurrent(&current));
  assert_null(current);
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), 0);
}

TEST(a_primary_context_ends_with_its_last_release) {
  CUcontext first;
  CUcontext second;
  unsigned flags;
  int active = -1;
  ok(cuDevicePrimaryCtxGetState(0, &flags, &active));
  assert_int_equal(active, 0);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
  ok(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
  ok(cuDevicePrimaryCtxRetain(&first, 0));
  ok(cuDevicePrimaryCtxRetain(&second, 0));
  assert_ptr_equal(first, second);
  ok(cuCtxSetCurrent(first));
  ok(cuCtxGetFlags(&flags));
  assert_int_equal(flags & CU_CTX_SCHED_MASK, CU_CTX_SCHED_YIELD);
  expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(first));
  CUdeviceptr pointer;
  ok(cuMemAlloc(&pointer, 16));
  ok(cuDevicePrimaryCtxRelease(0));
  ok(cuCtxSynchronize());
  ok(cuDevicePrimaryCtxRelease(0));
  assert_int_equal(fake_cuda_live_all(), 0);
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
  ok(cuCtxSetCurrent(NULL));
}

static void *of_thread(void *argument) {
  CUcontext current = (CUcontext)argument;
  ok(cuCtxGetCurrent(&current));
  return current;
}

CONTEXT_TEST(a_new_thread_has_no_current_context) {
  pthread_t thread;
  void *current;
  assert_int_equal(pthread_create(&thread, NULL, of_thread, *state), 0);
  assert_int_equal(pthread_join(thread, &current), 0);
  assert_null(current);
}

CONTEXT_TEST(a_set_limit_can_be_read_back) {
  size_t value = 0;
  ok(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  ok(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  assert_int_equal(value, 4096);
  expect(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit((CUlimit)99, 1));
  expect(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 1));
  int least = 1;
  int greatest = 1;
  ok(cuCtxGetStreamPriorityRange(&least, &greatest));
  assert_true(greatest < least);
  CUfunc_cache config;
  ok(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  ok(cuCtxGetCacheConfig(&config));
  assert_int_equal(config, CU_FUNC_CACHE_PREFER_L1);
}

CONTEXT_TEST(remaining_objects_end_with_their_context) {
  CUdeviceptr pointer;
  CUstream stream;
  CUevent event;
  void *host;
  ok(cuMemAlloc(&pointer, 4096));
  ok(cuMemHostAlloc(&host, 4096, 0));
  ok(cuStreamCreate(&stream, 0));
  ok(cuEventCreate(&event, 0));
  ok(cuMemsetD8Async(pointer, 1, 4096, stream));
  ok(cuEventRecord(event, stream));
  assert_int_equal(fake_cuda_live_all(), 5);
  assert_int_equal(fake_cuda_live(FAKE_MEMORY), 1);
}

int main(void) {
  return tests_run(init, NULL);
}

/* Several threads use one context at once. */
#include "code.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 12, WORDS = 64 };

/* Uses a stream, memory and a module of the thread's own. */
static void *work(void *argument) {
  CUstream stream;
  CUevent event;
  CUmodule module;
  CUdeviceptr out;
  uint32_t words[WORDS];
  ok(cuCtxSetCurrent(argument));
  ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  ok(cuEventCreate(&event, 0));
  CUfunction add = load(&module, add_text, "add");
  for (uint32_t round = 0; round < ROUNDS; round++) {
    ok(cuMemAlloc(&out, sizeof words));
    ok(cuMemsetD32Async(out, round, WORDS, stream));
    uint32_t n = 2;
    void *parameters[] = {&out, &n};
    for (int i = 0; i < 3; i++)
      ok(cuLaunchKernel(add, 2, 1, 1, WORDS / 2, 1, 1, 0, stream, parameters, NULL));
    ok(cuEventRecord(event, stream));
    ok(cuStreamWaitEvent(NULL, event, 0));
    ok(cuMemcpyDtoH(words, out, sizeof words));
    for (int i = 0; i < WORDS; i++)
      assert_int_equal(words[i], round + 6);
    ok(cuMemFree(out));
  }
  ok(cuModuleUnload(module));
  ok(cuEventDestroy(event));
  ok(cuStreamDestroy(stream));
  return argument;
}

CONTEXT_TEST(threads_share_one_context) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, work, *state), 0);
  for (int i = 0; i < THREADS; i++) {
    void *result = NULL;
    assert_int_equal(pthread_join(threads[i], &result), 0);
    assert_ptr_equal(result, *state);
  }
  assert_int_equal(fake_cuda_live_all(), 1);
}

/* Submits many commands, while another thread frees memory. */
static void *submit(void *argument) {
  CUstream stream;
  CUdeviceptr pointer;
  ok(cuCtxSetCurrent(argument));
  ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  ok(cuMemAlloc(&pointer, 1 << 20));
  for (int i = 0; i < 300; i++)
    ok(cuMemsetD8Async(pointer, (unsigned char)i, 1 << 20, stream));
  ok(cuStreamSynchronize(stream));
  ok(cuMemFree(pointer));
  ok(cuStreamDestroy(stream));
  return argument;
}

CONTEXT_TEST(memory_is_freed_while_another_thread_submits) {
  pthread_t thread;
  void *result = NULL;
  assert_int_equal(pthread_create(&thread, NULL, submit, *state), 0);
  for (int i = 0; i < 20; i++) {
    CUdeviceptr pointer;
    ok(cuMemAlloc(&pointer, 64));
    ok(cuMemFree(pointer));
  }
  assert_int_equal(pthread_join(thread, &result), 0);
  assert_ptr_equal(result, *state);
}

/* Streams and events: order, waits, times. */
#define _DEFAULT_SOURCE /* usleep */
#include "check.h"

#include <stdatomic.h>
#include <unistd.h>

/* Holds a stream up until a test opens it. */
typedef struct gate {
  CUstream stream;
  uint32_t *word;
  CUdeviceptr address;
} gate;

static gate close_gate(unsigned flags) {
  gate gate;
  void *host;
  ok(cuStreamCreate(&gate.stream, flags));
  ok(cuMemHostAlloc(&host, 4, 0));
  gate.word = host;
  __atomic_store_n(gate.word, 0, __ATOMIC_RELEASE);
  ok(cuMemHostGetDevicePointer(&gate.address, host, 0));
  ok(cuStreamWaitValue32(gate.stream, gate.address, 1, CU_STREAM_WAIT_VALUE_GEQ));
  return gate;
}

static void open_gate(const gate *gate) {
  __atomic_store_n(gate->word, 1, __ATOMIC_RELEASE);
}

static void end_gate(const gate *gate) {
  ok(cuStreamSynchronize(gate->stream));
  ok(cuStreamDestroy(gate->stream));
  ok(cuMemFreeHost(gate->word));
}

CONTEXT_TEST(a_nonblocking_stream_runs_by_itself) {
  CUdeviceptr pointer;
  ok(cuMemAlloc(&pointer, 4));
  ok(cuMemsetD32(pointer, 1, 1));
  gate gate = close_gate(CU_STREAM_NON_BLOCKING);
  ok(cuMemsetD32Async(pointer, 2, 1, gate.stream));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(gate.stream));
  /* The legacy stream does not wait for a non-blocking stream. */
  uint32_t word = 0;
  ok(cuMemcpyDtoH(&word, pointer, 4));
  assert_int_equal(word, 1);
  open_gate(&gate);
  ok(cuStreamSynchronize(gate.stream));
  ok(cuStreamQuery(gate.stream));
  ok(cuMemcpyDtoH(&word, pointer, 4));
  assert_int_equal(word, 2);
  end_gate(&gate);
  ok(cuMemFree(pointer));
}

/* The legacy stream waits for blocking ones, and they wait for it. */
CONTEXT_TEST(blocking_streams_and_the_legacy_one_keep_order) {
  CUdeviceptr pointer;
  CUstream other;
  ok(cuMemAlloc(&pointer, 4));
  ok(cuStreamCreate(&other, CU_STREAM_DEFAULT));
  gate gate = close_gate(CU_STREAM_DEFAULT);
  ok(cuMemsetD32Async(pointer, 2, 1, gate.stream));
  ok(cuMemsetD32Async(pointer, 3, 1, NULL));
  ok(cuMemsetD32Async(pointer, 4, 1, other));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(other));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(NULL));
  open_gate(&gate);
  ok(cuStreamSynchronize(other));
  uint32_t word = 0;
  ok(cuMemcpyDtoH(&word, pointer, 4));
  assert_int_equal(word, 4);
  ok(cuStreamQuery(NULL));
  end_gate(&gate);
  ok(cuStreamDestroy(other));
  ok(cuMemFree(pointer));
}

CONTEXT_TEST(a_stream_waits_for_the_event_as_recorded) {
  CUdeviceptr pointer;
  CUstream other;
  CUevent event;
  ok(cuMemAlloc(&pointer, 4));
  ok(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  ok(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  ok(cuEventQuery(event)); /* never recorded */
  ok(cuEventSynchronize(event));
  gate gate = close_gate(CU_STREAM_NON_BLOCKING);
  ok(cuMemsetD32Async(pointer, 2, 1, gate.stream));
  ok(cuEventRecord(event, gate.stream));
  expect(CUDA_ERROR_NOT_READY, cuEventQuery(event));
  ok(cuStreamWaitEvent(other, event, 0));
  /* Records the event again, which does not affect the earlier wait. */
  ok(cuEventRecord(event, NULL));
  ok(cuEventSynchronize(event));
  ok(cuMemsetD32Async(pointer, 3, 1, other));
  expect(CUDA_ERROR_NOT_READY, cuStreamQuery(other));
  open_gate(&gate);
  ok(cuStreamSynchronize(other));
  uint32_t word = 0;
  ok(cuMemcpyDtoH(&word, pointer, 4));
  assert_int_equal(word, 3);
  end_gate(&gate);
  ok(cuEventDestroy(event));
  expect(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy(event));
  expect(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, NULL));
  expect(CUDA_ERROR_INVALID_HANDLE, cuStreamWaitEvent(other, event, 0));
  ok(cuStreamDestroy(other));
  ok(cuMemFree(pointer));
}

static void CUDA_CB nap(void *user) {
  (void)user;
  usleep(20000);
}

CONTEXT_TEST(events_measure_the_time_between_them) {
  CUevent first;
  CUevent second;
  CUevent without;
  float time = -1;
  ok(cuEventCreate(&first, 0));
  ok(cuEventCreate(&second, CU_EVENT_BLOCKING_SYNC));
  ok(cuEventCreate(&without, CU_EVENT_DISABLE_TIMING));
  expect(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&time, first, second));
  ok(cuEventRecord(first, NULL));
  ok(cuLaunchHostFunc(NULL, nap, NULL));
  ok(cuEventRecord(second, NULL));
  ok(cuEventRecord(without, NULL));
  expect(CUDA_ERROR_NOT_READY, cuEventElapsedTime(&time, first, second));
  ok(cuEventSynchronize(second));
  ok(cuEventElapsedTime(&time, first, second));
  assert_true(time >= 20 && time < 5000);
  refused(CUDA_ERROR_INVALID_HANDLE, "without times", cuEventElapsedTime(&time, first, without));
  expect(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&first, 0x100));
  expect(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&first, CU_EVENT_INTERPROCESS));
  ok(cuEventDestroy(first));
  ok(cuEventDestroy(second));
  ok(cuEventDestroy(without));
}

static atomic_int called;

static void CUDA_CB call_back(CUstream stream, CUresult status, void *user) {
  int count = 0;
  (void)stream;
  if (status == CUDA_SUCCESS && cuDeviceGetCount(&count) == CUDA_ERROR_NOT_PERMITTED)
    atomic_fetch_add((atomic_int *)user, 1);
}

CONTEXT_TEST(a_callback_runs_once_and_may_not_call_cuda) {
  CUstream stream;
  ok(cuStreamCreate(&stream, 0));
  ok(cuStreamAddCallback(stream, call_back, &called, 0));
  ok(cuStreamSynchronize(stream));
  assert_int_equal(atomic_load(&called), 1);
  expect(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(stream, NULL, NULL, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchHostFunc(stream, NULL, NULL));
  ok(cuStreamDestroy(stream));
}

CONTEXT_TEST(a_stream_has_its_flags_priority_and_context) {
  CUstream stream;
  unsigned flags;
  int priority;
  CUcontext context;
  ok(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -100));
  ok(cuStreamGetFlags(stream, &flags));
  assert_int_equal(flags, CU_STREAM_NON_BLOCKING);
  ok(cuStreamGetPriority(stream, &priority));
  assert_int_equal(priority, -5);
  ok(cuStreamGetCtx(stream, &context));
  assert_ptr_equal(context, *state);
  expect(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(&stream, 8));
  ok(cuStreamDestroy(stream));
  expect(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(stream));
  expect(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
  expect(CUDA_ERROR_INVALID_HANDLE, cuStreamQuery((CUstream)&flags));
  expect(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(NULL));
  ok(cuMemHostAlloc((void **)&context, 8, 0));
  ok(cuMemFreeHost(context));
}

CONTEXT_TEST(a_destroyed_stream_completes_its_commands) {
  CUdeviceptr pointer;
  CUevent event;
  ok(cuMemAlloc(&pointer, 4));
  ok(cuEventCreate(&event, 0));
  gate gate = close_gate(CU_STREAM_NON_BLOCKING);
  ok(cuMemsetD32Async(pointer, 7, 1, gate.stream));
  ok(cuEventRecord(event, gate.stream));
  ok(cuStreamDestroy(gate.stream));
  expect(CUDA_ERROR_NOT_READY, cuEventQuery(event));
  open_gate(&gate);
  ok(cuEventSynchronize(event));
  uint32_t word = 0;
  ok(cuMemcpyDtoH(&word, pointer, 4));
  assert_int_equal(word, 7);
  ok(cuMemFreeHost(gate.word));
  ok(cuEventDestroy(event));
  ok(cuMemFree(pointer));
}

CONTEXT_TEST(streams_write_and_wait_for_values) {
  CUdeviceptr pointer;
  uint64_t values[2] = {0};
  ok(cuMemAlloc(&pointer, 16));
  ok(cuStreamWriteValue32(NULL, pointer, 1, 0));
  ok(cuStreamWriteValue32(NULL, pointer + 4, 2, 0));
  ok(cuStreamWriteValue64(NULL, pointer + 8, UINT64_MAX, 0));
  ok(cuStreamWaitValue64(NULL, pointer + 8, UINT64_MAX, CU_STREAM_WAIT_VALUE_EQ));
  ok(cuStreamWaitValue32(NULL, pointer, 1, CU_STREAM_WAIT_VALUE_AND));
  ok(cuStreamWaitValue32(NULL, pointer, 1, CU_STREAM_WAIT_VALUE_NOR));
  ok(cuMemcpyDtoH(values, pointer, 16));
  assert_int_equal(values[0], 0x200000001);
  assert_true(values[1] == UINT64_MAX);
  expect(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(NULL, pointer + 2, 1, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue64(NULL, pointer + 16, 1, 0));
  expect(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(NULL, pointer, 1, 77));
  ok(cuMemFree(pointer));
}

/* The stream waits for a value that nobody writes. The test's teardown destroys the context. */
CONTEXT_TEST(a_context_ends_while_its_stream_waits) {
  close_gate(CU_STREAM_DEFAULT);
}

/* CUDA queues: streams, the commands that barriers wait for, native streams. */
#define _DEFAULT_SOURCE /* usleep */
#include "../plugins/queue.h"
#include "world.h"

#include "../../plugins/cuda/queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int priority_of(pi_queue queue) {
  pi_native_handle native;
  int priority = 99;
  must(piextQueueGetNativeHandle(queue, &native, NULL));
  driver(cuStreamGetPriority((CUstream)native, &priority));
  return priority;
}

WORLD_TEST(priorities_reach_the_streams) {
  int least = 0, greatest = 0;
  driver(cu.CtxGetStreamPriorityRange(&least, &greatest));
  assert_true(greatest < least);
  static const pi_queue_properties orders[] = {IN_ORDER, OUT_OF_ORDER};
  for (int i = 0; i < 2; i++) {
    pi_queue low = new_queue(orders[i] | PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW);
    pi_queue high = new_queue(orders[i] | PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH);
    assert_int_equal(priority_of(low), least);
    assert_int_equal(priority_of(high), greatest);
    must(piQueueRelease(low));
    must(piQueueRelease(high));
  }
}

/* The plugin's streams must not wait for the default stream, which others may use. */
WORLD_TEST(streams_are_non_blocking) {
  pi_native_handle native;
  unsigned flags = 0;
  must(piextQueueGetNativeHandle(w.queue, &native, NULL));
  driver(cuStreamGetFlags((CUstream)native, &flags));
  assert_int_equal(flags, CU_STREAM_NON_BLOCKING);
}

/* Returns how many more streams there are than before. */
static size_t streams_since(size_t before) {
  return fake_cuda_live(FAKE_STREAM) - before;
}

WORLD_TEST(an_in_order_queue_has_one_stream) {
  const size_t before = fake_cuda_live(FAKE_STREAM);
  const pi_queue queue = new_queue(IN_ORDER);
  const pi_mem buffer = new_buffer(64, NULL);
  for (int i = 0; i < 100; i++)
    fill_buffer(queue, buffer, 1, NULL, NULL);
  assert_int_equal(streams_since(before), 1);
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

WORLD_TEST(the_pool_of_streams_is_lazy_and_bounded) {
  const size_t before = fake_cuda_live(FAKE_STREAM);
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  const pi_mem buffer = new_buffer(1000, NULL);
  const char byte = 1;
  assert_int_equal(streams_since(before), 0);
  for (size_t i = 0; i < 1000; i++) {
    must(piEnqueueMemBufferFill(queue, buffer, &byte, 1, i, 1, 0, NULL, NULL));
    assert_true(streams_since(before) <= i + 1);
  }
  assert_int_equal(streams_since(before), QUEUE_STREAMS);
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

/* Each command waits for the previous one, so another stream would not start it earlier. */
WORLD_TEST(a_chain_stays_in_its_stream) {
  const size_t before = fake_cuda_live(FAKE_STREAM);
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  const pi_mem buffer = new_buffer(64, NULL);
  pi_event last = NULL;
  const unsigned long waits = fake_cuda_calls("cuStreamWaitEvent");
  for (unsigned char i = 0; i < 100; i++) {
    pi_event event = NULL;
    fill_buffer(queue, buffer, i, last, &event);
    if (last)
      must(piEventRelease(last));
    last = event;
  }
  assert_int_equal(streams_since(before), 1);
  assert_int_equal(fake_cuda_calls("cuStreamWaitEvent"), waits);
  must(piEventsWait(1, &last));
  expect_filled(buffer, 99);
  must(piEventRelease(last));
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

/* Two commands that wait for the same one may run at once, so each gets a stream. */
WORLD_TEST(branches_get_streams_of_their_own) {
  const size_t before = fake_cuda_live(FAKE_STREAM);
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  const pi_mem buffers[2] = {new_buffer(64, NULL), new_buffer(64, NULL)};
  const pi_event gate = new_user_event();
  pi_event first = NULL;
  fill_buffer(queue, buffers[0], 1, gate, &first);
  for (int i = 0; i < 2; i++)
    fill_buffer(queue, buffers[i], 2, first, NULL);
  assert_int_equal(streams_since(before), 2);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piQueueFinish(queue));
  for (int i = 0; i < 2; i++) {
    expect_filled(buffers[i], 2);
    must(piMemRelease(buffers[i]));
  }
  must(piEventRelease(first));
  must(piEventRelease(gate));
  must(piQueueRelease(queue));
}

WORLD_TEST(a_marker_delays_no_later_command) {
  order o;
  begin_order(&o);
  must(piEnqueueEventsWait(o.queue, 0, NULL, &o.fence));
  end_order(&o);
  expect_done(o.after);
  assert_int_not_equal(status_of(o.fence), PI_EVENT_COMPLETE);
  open_gate(&o);
  close_order(&o);
}

static PFN_cuMemsetD8Async_v3020 set_bytes;
static pi_queue interrupted;

static atomic_bool is_let_go;

static void CUDA_CB block(void *unused) {
  (void)unused;
  while (!atomic_load(&is_let_go))
    usleep(100);
}

/* Enqueues a barrier, as another thread may do just before a command reaches the driver. */
static CUresult CUDAAPI barrier_first(CUdeviceptr to, unsigned char byte, size_t count,
                                      CUstream stream) {
  const pi_queue queue = interrupted;
  interrupted = NULL;
  if (queue) {
    must(piEnqueueEventsWaitWithBarrier(queue, 0, NULL, NULL));
    driver(cu.LaunchHostFunc(stream, block, NULL));
  }
  return set_bytes(to, byte, count, stream);
}

/* Commands that the application puts into the queue's native stream count as the queue's. */
WORLD_TEST(barriers_wait_for_the_native_stream) {
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  const pi_mem buffer = new_buffer(64, NULL);
  pi_native_handle native = 0;
  pi_event fences[2] = {NULL};
  must(piextQueueGetNativeHandle(queue, &native, NULL));
  fill_buffer(queue, buffer, 5, NULL, NULL);
  fill_buffer(queue, buffer, 5, NULL, NULL);
  must(piEnqueueEventsWaitWithBarrier(queue, 0, NULL, NULL));
  atomic_store(&is_let_go, false);
  driver(cu.LaunchHostFunc((CUstream)native, block, NULL));
  must(piEnqueueEventsWait(queue, 0, NULL, &fences[0]));
  must(piEnqueueEventsWaitWithBarrier(queue, 0, NULL, &fences[1]));
  usleep(20 * 1000);
  const pi_int32 before[2] = {status_of(fences[0]), status_of(fences[1])};
  atomic_store(&is_let_go, true);
  must(piEventsWait(2, fences));
  for (int i = 0; i < 2; i++) {
    assert_int_not_equal(before[i], PI_EVENT_COMPLETE);
    must(piEventRelease(fences[i]));
  }
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

/* The first barrier precedes the command, so the second one must wait for the command itself. */
WORLD_TEST(a_barrier_waits_despite_an_earlier_barrier) {
  const pi_queue queue = new_queue(OUT_OF_ORDER);
  const pi_mem buffer = new_buffer(64, NULL);
  pi_event fence = NULL;
  set_bytes = cu.MemsetD8Async;
  cu.MemsetD8Async = barrier_first;
  atomic_store(&is_let_go, false);
  interrupted = queue;
  fill_buffer(queue, buffer, 5, NULL, NULL);
  cu.MemsetD8Async = set_bytes;
  assert_null(interrupted);
  must(piEnqueueEventsWaitWithBarrier(queue, 0, NULL, &fence));
  usleep(20 * 1000);
  const pi_int32 before = status_of(fence);
  atomic_store(&is_let_go, true);
  assert_int_not_equal(before, PI_EVENT_COMPLETE);
  must(piEventsWait(1, &fence));
  expect_filled(buffer, 5);
  must(piEventRelease(fence));
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

/* No other command gets the waiting one's stream, although there are more commands than streams. */
WORLD_TEST(a_user_event_holds_only_its_waiters) {
  order o;
  begin_order(&o);
  for (int i = 0; i < 5 * QUEUE_STREAMS; i++) {
    pi_event event = NULL;
    fill_buffer(o.queue, o.free, 3, NULL, &event);
    expect_done(event);
    must(piEventRelease(event));
  }
  must(piEnqueueEventsWait(o.queue, 1, &o.before[1], &o.fence));
  end_order(&o);
  open_gate(&o);
  close_order(&o);
}

static pi_result from_native(CUstream stream, bool owned, pi_queue *queue) {
  pi_queue_properties list[] = {PI_QUEUE_FLAGS, PI_QUEUE_FLAG_PROFILING_ENABLE, 0};
  return piextQueueCreateWithNativeHandle((pi_native_handle)stream, 0, w.context, NULL, owned, list,
                                          queue);
}

WORLD_TEST(a_native_stream_is_used) {
  const pi_mem buffer = new_buffer(64, NULL);
  for (int owned = 0; owned < 2; owned++) {
    CUstream stream = NULL;
    pi_queue queue = NULL;
    pi_native_handle native = 0;
    int32_t desc = -1;
    driver(cu.StreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    const size_t before = fake_cuda_live(FAKE_STREAM);
    must(from_native(stream, owned, &queue));
    must(piextQueueGetNativeHandle(queue, &native, &desc));
    assert_ptr_equal((CUstream)native, stream);
    assert_int_equal(desc, 0);
    fill_buffer(queue, buffer, 3, NULL, NULL);
    driver(cu.StreamSynchronize(stream));
    expect_filled(buffer, 3);
    must(piQueueRelease(queue));
    assert_int_equal(fake_cuda_live(FAKE_STREAM), before - (size_t)owned);
    if (!owned)
      driver(cu.StreamDestroy(stream));
  }
  must(piMemRelease(buffer));
}

/* A plugin's stream stays with its queue, even if the application adopts it with ownership. */
WORLD_TEST(a_plugin_stream_stays_with_its_queue) {
  pi_native_handle native = 0;
  const size_t before = fake_cuda_live(FAKE_STREAM);
  must(piextQueueGetNativeHandle(w.queue, &native, NULL));
  for (int owned = 0; owned < 2; owned++) {
    pi_queue second = NULL;
    if (owned)
      must(piQueueRetain(w.queue));
    must(from_native((CUstream)native, owned, &second));
    assert_int_equal(references_of(w.queue), 2);
    must(piQueueRelease(second));
    assert_int_equal(references_of(w.queue), 1);
    assert_int_equal(fake_cuda_live(FAKE_STREAM), before);
  }
}

WORLD_TEST(streams_of_other_contexts_are_refused) {
  pi_queue queue = NULL;
  CUcontext other = NULL;
  CUstream foreign = NULL;
  fails(PI_ERROR_INVALID_QUEUE, from_native(NULL, false, &queue));
  driver(cuCtxCreate_v2(&other, 0, 0));
  driver(cu.StreamCreate(&foreign, CU_STREAM_NON_BLOCKING));
  fails(PI_ERROR_INVALID_CONTEXT, from_native(foreign, false, &queue));
  driver(cu.CtxDestroy(other));
  assert_null(queue);
}

static void *finish_queue(void *done) {
  must(piQueueFinish(w.queue));
  atomic_store((atomic_bool *)done, true);
  return NULL;
}

/* Neither thread's wait ends before the command that both wait for. */
WORLD_TEST(two_threads_wait_for_one_command) {
  const pi_mem buffer = new_buffer(64, NULL);
  const pi_event gate = new_user_event();
  pthread_t threads[2];
  atomic_bool done[2] = {false, false};
  fill_buffer(w.queue, buffer, 5, gate, NULL);
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, finish_queue, &done[i]), 0);
  usleep(30000);
  assert_false(atomic_load(&done[0]) || atomic_load(&done[1]));
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  expect_filled(buffer, 5);
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
}

WORLD_TEST(an_idle_queue_synchronizes_no_stream) {
  const pi_queue queues[] = {new_queue(OUT_OF_ORDER), new_queue(IN_ORDER)};
  pi_mem buffers[2 * QUEUE_STREAMS];
  for (int k = 0; k < 2 * QUEUE_STREAMS; k++)
    buffers[k] = new_buffer(64, NULL);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2 * QUEUE_STREAMS; k++)
      fill_buffer(queues[i], buffers[k], 1, NULL, NULL);
    must(piQueueFinish(queues[i]));
    const unsigned long before = fake_cuda_calls("cuStreamSynchronize");
    must(piQueueFinish(queues[i]));
    assert_int_equal(fake_cuda_calls("cuStreamSynchronize"), before);
    fill_buffer(queues[i], buffers[0], 1, NULL, NULL);
    must(piQueueFinish(queues[i]));
    assert_int_equal(fake_cuda_calls("cuStreamSynchronize"), before + 1);
    must(piQueueRelease(queues[i]));
  }
  for (int k = 0; k < 2 * QUEUE_STREAMS; k++)
    must(piMemRelease(buffers[k]));
}

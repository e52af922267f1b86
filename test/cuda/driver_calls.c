/*
 * Each call of the driver that a command makes fails once: the command says so, its output is
 * untouched, nothing is lost, and the next one works. The end of each test checks that nothing is
 * left in the driver.
 */
#include "world.h"

#include "../../plugins/common/error.h"

enum { SIZE = 4096 };

static unsigned char host[SIZE];
static unsigned char target[SIZE];

/* What a scenario works with; the queue is new, or has done the same before. */
typedef struct place {
  pi_queue queue;
  pi_mem buffer, other;
  pi_event gate; /* of those that wait for one; opened when the driver's calls work again */
  void *mapped;
  pi_queue made_queue;
  pi_mem made[2];
  pi_event made_event;
} place;

static pi_event const untouched = (pi_event)(void *)host;

/* Ends a command with an event, which is read after the command: both are arguments. */
static pi_result done(pi_result result, const pi_event *event) {
  if (result == PI_SUCCESS)
    must(piEventRelease(*event));
  else
    assert_ptr_equal(*event, untouched);
  return result;
}

static pi_result fill(place *p) {
  pi_event event = untouched;
  const pi_uint64 pattern = 0x0102030405060708;
  return done(piEnqueueMemBufferFill(p->queue, p->buffer, &pattern, sizeof pattern, 0, SIZE, 0,
                                     NULL, &event),
              &event);
}

static pi_result read_blocking(place *p) {
  return piEnqueueMemBufferRead(p->queue, p->buffer, PI_TRUE, 0, SIZE, target, 0, NULL, NULL);
}

static pi_result write_with_event(place *p) {
  pi_event event = untouched;
  return done(
      piEnqueueMemBufferWrite(p->queue, p->buffer, PI_FALSE, 0, SIZE, host, 0, NULL, &event),
      &event);
}

/* Slices whose distance CUDA does not know, so that it takes several calls. */
static pi_result read_rect(place *p) {
  struct pi_buff_rect_offset_struct corner = {0, 0, 0};
  struct pi_buff_rect_region_struct region = {8, 4, 4};
  pi_event event = untouched;
  return done(piEnqueueMemBufferReadRect(p->queue, p->buffer, PI_FALSE, &corner, &corner, &region,
                                         16, 65, 8, 32, target, 0, NULL, &event),
              &event);
}

static pi_result barrier(place *p) {
  pi_event event = untouched;
  for (int i = 0; i < 2; i++)
    PI_TRY(piEnqueueMemBufferFill(p->queue, i ? p->buffer : p->other, host, 1, 0, SIZE, 0, NULL,
                                  NULL));
  PI_TRY(done(piEnqueueEventsWaitWithBarrier(p->queue, 0, NULL, &event), &event));
  return piEnqueueMemBufferCopy(p->queue, p->buffer, p->other, 0, 0, SIZE, 0, NULL, NULL);
}

static pi_result marker(place *p) {
  pi_event event = untouched;
  for (int i = 0; i < 2; i++)
    PI_TRY(piEnqueueMemBufferFill(p->queue, i ? p->buffer : p->other, host, 1, 0, SIZE, 0, NULL,
                                  NULL));
  return done(piEnqueueEventsWait(p->queue, 0, NULL, &event), &event);
}

static pi_result map_and_unmap(place *p) {
  if (!p->mapped) {
    void *mapped = host;
    const pi_result result = piEnqueueMemBufferMap(p->queue, p->buffer, PI_TRUE, PI_MAP_WRITE, 0,
                                                   SIZE, 0, NULL, NULL, &mapped);
    if (result != PI_SUCCESS)
      assert_ptr_equal(mapped, host);
    PI_TRY(result);
    p->mapped = mapped;
  }
  PI_TRY(piEnqueueMemUnmap(p->queue, p->buffer, p->mapped, 0, NULL, NULL));
  p->mapped = NULL;
  return PI_SUCCESS;
}

/* Behind a user event: staged, because the host's memory is not pinned. */
static pi_result write_and_read_staged(place *p) {
  pi_event event = untouched;
  if (!p->gate)
    PI_TRY(piEventCreate(w.context, &p->gate));
  PI_TRY(piEnqueueMemBufferWrite(p->queue, p->buffer, PI_FALSE, 0, SIZE, host, 1, &p->gate, NULL));
  return done(
      piEnqueueMemBufferRead(p->queue, p->other, PI_FALSE, 0, SIZE, target, 1, &p->gate, &event),
      &event);
}

/* Released at the end, when the driver's calls work again: a release has nobody to fail for. */
static void release_made(place *p) {
  if (p->made_queue)
    must(piQueueRelease(p->made_queue));
  for (int i = 0; i < 2; i++)
    if (p->made[i])
      must(piMemRelease(p->made[i]));
  if (p->made_event)
    must(piEventRelease(p->made_event));
  p->made_event = NULL;
  p->made_queue = NULL;
  p->made[0] = p->made[1] = NULL;
}

static pi_result native_handles(place *p) {
  pi_native_handle native;
  PI_TRY(piextQueueGetNativeHandle(p->queue, &native, NULL));
  PI_TRY(piextMemGetNativeHandle(p->buffer, NULL, &native));
  if (!p->made_event)
    PI_TRY(piEventCreate(w.context, &p->made_event));
  return piextEventGetNativeHandle(p->made_event, &native);
}

static pi_result profiling(place *p) {
  pi_event event = untouched;
  pi_uint64 time = 77;
  PI_TRY(piEnqueueMemBufferFill(p->queue, p->buffer, host, 1, 0, SIZE, 0, NULL, &event));
  pi_result result = piEventsWait(1, &event);
  pi_bool has_profiling = PI_FALSE;
  pi_queue_properties flags = 0;
  must(piQueueGetInfo(p->queue, PI_QUEUE_INFO_PROPERTIES, sizeof flags, &flags, NULL));
  has_profiling = (flags & PI_QUEUE_FLAG_PROFILING_ENABLE) != 0;
  if (result == PI_SUCCESS && has_profiling) {
    result = piEventGetProfilingInfo(event, PI_PROFILING_INFO_COMMAND_END, 8, &time, NULL);
    assert_true((result == PI_SUCCESS) == (time != 77));
  }
  must(piEventRelease(event));
  return result;
}

static pi_result queue_is_empty(place *p) {
  pi_bool empty = 77;
  PI_TRY(piEnqueueMemBufferFill(p->queue, p->buffer, host, 1, 0, SIZE, 0, NULL, NULL));
  const pi_result result =
      piQueueGetInfo(p->queue, PI_EXT_ONEAPI_QUEUE_INFO_EMPTY, sizeof empty, &empty, NULL);
  assert_true((result == PI_SUCCESS) == (empty != 77));
  return result;
}

static pi_result new_objects(place *p) {
  static const pi_mem_flags flags[2] = {PI_MEM_FLAGS_HOST_PTR_USE,
                                        PI_MEM_FLAGS_HOST_PTR_ALLOC | PI_MEM_FLAGS_HOST_PTR_COPY};
  pi_queue_properties list[] = {PI_QUEUE_FLAGS,
                                OUT_OF_ORDER | PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH, 0};
  if (!p->made_queue)
    PI_TRY(piextQueueCreate(w.context, w.device, list, &p->made_queue));
  for (int i = 0; i < 2; i++)
    if (!p->made[i])
      PI_TRY(piMemBufferCreate(w.context, flags[i], SIZE, host, &p->made[i], NULL));
  return PI_SUCCESS;
}

static pi_result (*const scenarios[])(place *p) = {
    fill,          read_blocking,         write_with_event, read_rect, barrier,        marker,
    map_and_unmap, write_and_read_staged, native_handles,   profiling, queue_is_empty, new_objects,
};

static size_t index_of(pi_result (*scenario)(place *p)) {
  size_t index = 0;
  while (scenarios[index] != scenario)
    index++;
  return index;
}

/* Failures that the plugin can do without: it asks for what is best, and takes what there is. */
static bool is_harmless(const char *symbol, pi_result (*scenario)(place *p)) {
  return strcmp(symbol, "cuMemHostRegister_v2") == 0 ||
         strcmp(symbol, "cuPointerGetAttribute") == 0 ||
         (strcmp(symbol, "cuStreamQuery") == 0 && scenario == write_and_read_staged);
}

static void open_place(place *p, pi_queue_properties flags) {
  *p = (place){new_queue(flags),
               new_buffer(SIZE, host),
               new_buffer(SIZE, host),
               NULL,
               NULL,
               NULL,
               {NULL},
               NULL};
}

/* Before the next commands, which write the same bytes. */
static void finish(place *p) {
  if (p->gate) {
    must(piEventSetStatus(p->gate, PI_EVENT_COMPLETE));
    must(piEventRelease(p->gate));
  }
  p->gate = NULL;
  must(piQueueFinish(p->queue));
}

static void close_place(place *p) {
  release_made(p);
  must(piMemRelease(p->buffer));
  must(piMemRelease(p->other));
  must(piQueueRelease(p->queue));
}

/* Whether call n of the scenario was there to fail. */
static bool try_failure(pi_result (*scenario)(place *p), pi_queue_properties flags, bool warm,
                        unsigned long n) {
  place p;
  open_place(&p, flags);
  if (warm)
    must(scenario(&p));
  finish(&p);
  release_made(&p);
  fake_cuda_fail(NULL, n, CUDA_ERROR_OUT_OF_MEMORY);
  const pi_result result = scenario(&p);
  const char *symbol = fake_cuda_unfail();
  const char *message = "";
  pi_error_last(&message);
  if (symbol && !is_harmless(symbol, scenario)) {
    if (result == PI_SUCCESS || message[0] == '\0')
      fail_msg("call %lu of scenario %zu, %s, failed and nobody was told", n, index_of(scenario),
               symbol);
  } else {
    must(result);
  }
  finish(&p);
  must(scenario(&p));
  finish(&p);
  close_place(&p);
  return symbol != NULL;
}

static void run_all(pi_queue_properties flags) {
  for (size_t s = 0; s < sizeof scenarios / sizeof scenarios[0]; s++)
    for (int warm = 0; warm < 2; warm++) {
      unsigned long n = 1;
      while (try_failure(scenarios[s], flags, warm, n))
        n++;
      assert_true(n > 1);
    }
}

static void in_order(void **state) {
  (void)state;
  run_all(IN_ORDER);
}

static void out_of_order(void **state) {
  (void)state;
  run_all(OUT_OF_ORDER);
}

static void in_order_with_profiling(void **state) {
  (void)state;
  run_all(IN_ORDER | PROFILING);
}

static void out_of_order_with_profiling(void **state) {
  (void)state;
  run_all(OUT_OF_ORDER | PROFILING);
}

/* What happened in the device: every later wait and command tells of it, for ever. */
static void a_lost_context_is_told_of(void **state) {
  (void)state;
  place p;
  pi_event gate = new_user_event();
  pi_event event = NULL;
  open_place(&p, IN_ORDER);
  fill_buffer(p.queue, p.buffer, 1, gate, &event);
  fake_cuda_fail("cuEventQuery", 1, CUDA_ERROR_ILLEGAL_ADDRESS);
  assert_true(status_of(event) < 0);
  fake_cuda_unfail();
  for (int i = 0; i < 2; i++) {
    assert_true(status_of(event) < 0);
    fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, piEventsWait(1, &event));
    fails(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          piEnqueueEventsWait(p.queue, 1, &event, NULL));
  }
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventRelease(event));
  must(piEventRelease(gate));
  close_place(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WORLD_TEST(in_order),
      WORLD_TEST(out_of_order),
      WORLD_TEST(in_order_with_profiling),
      WORLD_TEST(out_of_order_with_profiling),
      WORLD_TEST(a_lost_context_is_told_of),
  };
  return cmocka_run_group_tests_name("cuda.driver-calls", tests, NULL, NULL);
}

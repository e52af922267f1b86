/* The fake Level Zero driver, used by many threads. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 50 };

typedef struct job {
  pthread_t thread;
  const check *test;
  ze_event_handle_t before, after; /* of this thread's turn */
  char *memory;
} job;

/* Creates and destroys its own objects, while other threads do the same. */
static void *work_alone(void *argument) {
  const job *mine = argument;
  for (int i = 0; i < ROUNDS; i++) {
    ze_command_list_handle_t list = new_immediate(mine->test, (uint32_t)i % 3);
    ze_event_pool_handle_t pool = new_pool(mine->test, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
    ze_event_handle_t event = new_event(pool, 0);
    int *memory = new_memory(mine->test, ZE_MEMORY_TYPE_DEVICE, 64);
    int back = 0;
    ok(zeCommandListAppendMemoryFill(list, memory, &i, sizeof i, 64, NULL, 0, NULL));
    ok(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    ok(zeCommandListAppendMemoryCopy(list, &back, memory, sizeof i, event, 0, NULL));
    ok(zeEventHostSynchronize(event, UINT64_MAX));
    assert_int_equal(back, i);
    ok(zeMemFree(mine->test->context, memory));
    ok(zeEventDestroy(event));
    ok(zeEventPoolDestroy(pool));
    ok(zeCommandListDestroy(list));
  }
  return NULL;
}

static void run_all(job jobs[THREADS], void *(*function)(void *argument)) {
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&jobs[i].thread, NULL, function, &jobs[i]), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(jobs[i].thread, NULL);
}

CONTEXT_TEST(threads_use_their_own_objects_at_once) {
  job jobs[THREADS] = {0};
  for (int i = 0; i < THREADS; i++)
    jobs[i].test = *state;
  run_all(jobs, work_alone);
}

static void *add_after(void *argument) {
  const job *mine = argument;
  ze_command_list_handle_t list = new_immediate(mine->test, 0);
  ok(zeCommandListAppendMemoryCopy(list, mine->memory + 1, mine->memory, 1, mine->after, 1,
                                   (ze_event_handle_t[]){mine->before}));
  ok(zeEventHostSynchronize(mine->after, UINT64_MAX));
  ok(zeCommandListDestroy(list));
  return NULL;
}

/* Events order a chain of commands through the queues of all threads. */
CONTEXT_TEST(events_order_commands_of_all_queues) {
  const check *test = *state;
  ze_event_pool_handle_t pool = new_pool(test, THREADS + 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  ze_event_handle_t events[THREADS + 1];
  char *memory = new_memory(test, ZE_MEMORY_TYPE_SHARED, THREADS + 1);
  memset(memory, 0, THREADS + 1);
  for (uint32_t i = 0; i <= THREADS; i++)
    events[i] = new_event(pool, i);
  job jobs[THREADS];
  /* Starts with the last thread of the chain. */
  for (int i = 0; i < THREADS; i++) {
    const int turn = THREADS - 1 - i;
    jobs[i] = (job){
        .test = test, .before = events[turn], .after = events[turn + 1], .memory = memory + turn};
    assert_int_equal(pthread_create(&jobs[i].thread, NULL, add_after, &jobs[i]), 0);
  }
  memory[0] = 'x';
  ok(zeEventHostSignal(events[0]));
  for (int i = 0; i < THREADS; i++)
    pthread_join(jobs[i].thread, NULL);
  assert_int_equal(memory[THREADS], 'x');
  for (uint32_t i = 0; i <= THREADS; i++)
    ok(zeEventDestroy(events[i]));
  ok(zeEventPoolDestroy(pool));
  ok(zeMemFree(test->context, memory));
}

typedef struct shared {
  ze_command_list_handle_t list;
  ze_event_handle_t event;
} shared;

static void *wait_in_list(void *argument) {
  shared *both = argument;
  ok(zeCommandListAppendBarrier(both->list, NULL, 1, &both->event));
  return NULL;
}

/* A thread waits in a synchronous list's function for an event; a second thread is refused there.
 */
CONTEXT_TEST(two_threads_in_one_list_are_refused) {
  const check *test = *state;
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                        .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  ze_event_pool_handle_t pool = new_pool(test, 1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  shared both = {.event = new_event(pool, 0)};
  ok(zeCommandListCreateImmediate(test->context, test->device, &desc, &both.list));
  fake_ze_reset();
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, wait_in_list, &both), 0);
  while (fake_ze_calls("zeCommandListAppendBarrier") == 0)
    ;
  refused(INVALID_ARGUMENT, "two threads", zeCommandListAppendBarrier(both.list, NULL, 0, NULL));
  ok(zeEventHostSignal(both.event));
  pthread_join(thread, NULL);
  ok(zeCommandListAppendBarrier(both.list, NULL, 0, NULL));
  ok(zeCommandListDestroy(both.list));
  ok(zeEventDestroy(both.event));
  ok(zeEventPoolDestroy(pool));
}

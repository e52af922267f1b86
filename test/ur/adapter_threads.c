/*
 * Several threads use the adapter at once. They fill the tables again, retain and release the
 * adapter, read their own last errors, and change the logger while others log.
 */
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 2000 };

static atomic_int heard;
static atomic_int wrong;

static void hear(ur_logger_level_t level, const char *message, void *data) {
  (void)message;
  if (data == &heard && level == UR_LOGGER_LEVEL_ERROR)
    atomic_fetch_add(&heard, 1);
  else
    atomic_fetch_add(&wrong, 1);
}

static void expect(bool is_so) {
  if (!is_so)
    atomic_fetch_add(&wrong, 1);
}

/* Asks a query that no other thread asks, and checks its message. */
static void fail_alone(uint32_t query) {
  uint32_t value = 0;
  char words[32];
  const char *message = NULL;
  int32_t number = 0;
  snprintf(words, sizeof words, "0x%x", query);
  expect(UR(urAdapterGetInfo)(world_adapter, (ur_adapter_info_t)query, sizeof value, &value,
                              NULL) == UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  expect(UR(urAdapterGetLastError)(world_adapter, &message, &number) == UR_RESULT_SUCCESS &&
         strstr(message, words));
}

static void *hammer(void *argument) {
  const uint32_t query = 0x1000 + *(const uint32_t *)argument;
  ur_adapter_handle_t adapter = NULL;
  for (int i = 0; i < ROUNDS; i++) {
    expect(UR(urAdapterGet)(1, &adapter, NULL) == UR_RESULT_SUCCESS && adapter == world_adapter);
    expect(UR(urAdapterRetain)(NULL) == UR_RESULT_ERROR_INVALID_NULL_HANDLE);
    fail_alone(query);
    if (HAS(urAdapterSetLoggerCallback) && i % 64 == 0)
      expect(UR(urAdapterSetLoggerCallback)(world_adapter, hear, &heard, UR_LOGGER_LEVEL_ERROR) ==
             UR_RESULT_SUCCESS);
    expect(UR(urAdapterRelease)(adapter) == UR_RESULT_SUCCESS);
    loader again;
    if (i % 256 == 0)
      expect(world_fill(world_library, &again) == UR_RESULT_SUCCESS &&
             again.record[0] == world.record[0]);
  }
  return NULL;
}

TEST(each_thread_has_its_own_latest_message) {
  pthread_t all[THREADS];
  uint32_t numbers[THREADS];
  for (uint32_t i = 0; i < THREADS; i++) {
    numbers[i] = i;
    assert_int_equal(pthread_create(&all[i], NULL, hammer, &numbers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(all[i], NULL), 0);
  assert_int_equal(wrong, 0);
  assert_int_equal(heard != 0, HAS(urAdapterSetLoggerCallback));
  assert_answer(urAdapterGetInfo, world_adapter, UR_ADAPTER_INFO_REFERENCE_COUNT, uint32_t, 1);
}

/* One store, many threads: no value is torn or lost, and ThreadSanitizer finds no race. */
#include "check.h"
#include "module.h"

#include "../../plugins/code/constants.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTERS = 4, READERS = 2, ROUNDS = 2000, SHARED_ID = SETTERS };

typedef struct shared {
  code_constants *constants;
  atomic_uint next; /* number of the next setter */
  atomic_uint wrong;
  atomic_uint setters_left;
} shared;

/* Makes an eight-byte value whose halves depend on each other, to detect torn values. */
static uint64_t whole(uint32_t half) {
  return (uint64_t)~half << 32 | half;
}

static bool is_whole(const unsigned char *value) {
  uint64_t bits;
  memcpy(&bits, value, sizeof bits);
  return bits == whole((uint32_t)bits);
}

/* Sets the thread's own constant and a shared one; sometimes tries a wrong size, which fails. */
static void *set(void *argument) {
  shared *shared = argument;
  const unsigned number = atomic_fetch_add(&shared->next, 1);
  for (uint32_t round = 1; round <= ROUNDS; round++) {
    const uint64_t value = whole(round);
    const uint64_t mine = whole(round * SETTERS + number);
    if (code_constants_set(shared->constants, number, sizeof value, &value) != PI_SUCCESS ||
        code_constants_set(shared->constants, SHARED_ID, sizeof mine, &mine) != PI_SUCCESS)
      atomic_fetch_add(&shared->wrong, 1);
    if (round % 16 != 0)
      continue;
    /* Other threads' failures do not replace this thread's message. */
    char expected[64];
    const char *sentence;
    snprintf(expected, sizeof expected, "constant %u takes 8 bytes, %u given", number, round);
    if (code_constants_set(shared->constants, number, round, &value) != PI_ERROR_INVALID_VALUE ||
        plugin_error_last(&sentence) != PI_ERROR_INVALID_VALUE || strcmp(sentence, expected) != 0)
      atomic_fetch_add(&shared->wrong, 1);
  }
  atomic_fetch_sub(&shared->setters_left, 1);
  return NULL;
}

/* Takes snapshots while other threads set values. A thread's own constant never decreases. */
static void *snapshot(void *argument) {
  shared *shared = argument;
  uint32_t latest[SETTERS] = {0};
  bool last = false;
  while (!last) {
    last = atomic_load(&shared->setters_left) == 0;
    code_constant *all;
    size_t count;
    if (code_constants_snapshot(shared->constants, &all, &count) != PI_SUCCESS) {
      atomic_fetch_add(&shared->wrong, 1);
      break;
    }
    for (size_t i = 0; i < count; i++) {
      if (!all[i].is_set)
        continue;
      uint32_t half;
      memcpy(&half, all[i].value, sizeof half);
      const bool back = i < SETTERS && half < latest[i];
      if (i < SETTERS)
        latest[i] = half;
      if (!is_whole(all[i].value) || back || (last && i < SETTERS && half != ROUNDS))
        atomic_fetch_add(&shared->wrong, 1);
    }
    free(all);
  }
  return NULL;
}

TEST(no_value_is_torn_or_lost) {
  module m;
  module_begin(&m);
  module_types(&m);
  for (uint32_t i = 0; i <= SHARED_ID; i++) {
    module_op(&m, OP_DECORATE, ID_FREE + i, SPEC_ID, i);
    module_op(&m, OP_SPEC_CONSTANT, TYPE_U64, ID_FREE + i, 0, 0);
  }
  shared shared = {.setters_left = SETTERS};
  assert_success(code_constants_read(m.words, module_bytes(&m), &shared.constants));
  module_free(&m);

  pthread_t threads[SETTERS + READERS];
  for (int i = 0; i < SETTERS + READERS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, i < SETTERS ? set : snapshot, &shared), 0);
  for (int i = 0; i < SETTERS + READERS; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  assert_int_equal(atomic_load(&shared.wrong), 0);
  code_constants_free(shared.constants);
}

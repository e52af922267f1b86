/* State that the libraries of a process share. The tests need no device. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include "support.h"

#include "../unit/memory.h"

#include <specpi/process.h>

#include <pthread.h>
#include <time.h>

static void copy_record(const specpi_record *record, void *to) {
  *(specpi_record *)to = *record;
}

static bool find(specpi_table table, uint64_t number, specpi_record *found) {
  return specpiRecordFind(table, number, copy_record, found);
}

static void add(specpi_table table, uint64_t first, uint64_t size, uint32_t kind) {
  const specpi_record record = {.first = first, .size = size, .kind = kind};
  must(specpiRecordAdd(table, &record));
}

TEST(a_record_is_found_by_each_number_of_its_range) {
  enum { COUNT = 300 };
  /* Adds the records in an order that is neither ascending nor descending. */
  for (uint64_t i = 0; i < COUNT; i++)
    add(SPECPI_TABLE_MEMORY, (i * 7 % COUNT) * 16 + 4, 8, (uint32_t)(i * 7 % COUNT));
  for (uint64_t number = 0; number < COUNT * 16; number++) {
    specpi_record found = {0};
    assert_int_equal(find(SPECPI_TABLE_MEMORY, number, &found),
                     number % 16 >= 4 && number % 16 < 12);
    if (found.size != 0)
      assert_int_equal(found.kind, number / 16);
  }
  specpi_record none;
  assert_false(find(SPECPI_TABLE_BUFFERS, 8, &none));
  for (uint64_t i = 0; i < COUNT; i++) {
    assert_false(specpiRecordTake(SPECPI_TABLE_MEMORY, i * 16 + 5, NULL));
    assert_true(specpiRecordTake(SPECPI_TABLE_MEMORY, i * 16 + 4, &none));
    assert_int_equal(none.kind, i);
    assert_false(specpiRecordTake(SPECPI_TABLE_MEMORY, i * 16 + 4, NULL));
  }
}

TEST(a_record_takes_the_place_of_those_it_overlaps) {
  add(SPECPI_TABLE_MEMORY, 100, 10, 1);
  add(SPECPI_TABLE_MEMORY, 110, 10, 2);
  add(SPECPI_TABLE_MEMORY, 120, 10, 3);
  add(SPECPI_TABLE_MEMORY, 109, 12, 4);
  specpi_record found;
  assert_false(find(SPECPI_TABLE_MEMORY, 108, &found));
  assert_true(find(SPECPI_TABLE_MEMORY, 120, &found));
  assert_int_equal(found.kind, 4);
  assert_false(find(SPECPI_TABLE_MEMORY, 121, &found));
  assert_true(specpiRecordTake(SPECPI_TABLE_MEMORY, 109, NULL));
}

TEST(the_last_numbers_have_records) {
  add(SPECPI_TABLE_MEMORY, UINT64_MAX - 1, 2, 1);
  add(SPECPI_TABLE_MEMORY, 0, 1, 2);
  specpi_record found;
  assert_true(find(SPECPI_TABLE_MEMORY, UINT64_MAX, &found));
  assert_int_equal(found.kind, 1);
  assert_true(find(SPECPI_TABLE_MEMORY, 0, &found));
  assert_int_equal(found.kind, 2);
  assert_true(specpiRecordTake(SPECPI_TABLE_MEMORY, UINT64_MAX - 1, NULL));
  assert_true(specpiRecordTake(SPECPI_TABLE_MEMORY, 0, NULL));
}

TEST(bad_records_are_refused) {
  const specpi_record empty = {.first = 1};
  const specpi_record long_one = {.first = UINT64_MAX, .size = 2};
  const specpi_record good = {.first = 1, .size = 1};
  const specpi_result argument = SPECPI_ERROR_INVALID_ARGUMENT;
  assert_error(specpiRecordAdd(SPECPI_TABLE_MEMORY, &empty), argument, "0 numbers from 1 on");
  assert_error(specpiRecordAdd(SPECPI_TABLE_MEMORY, &long_one), argument, "passes the last number");
  assert_error(specpiRecordAdd(SPECPI_TABLE_MEMORY, NULL), argument, "record is NULL");
  assert_error(specpiRecordAdd(SPECPI_TABLE_COUNT, &good), argument, "is not a table");
  specpi_record none;
  assert_false(find(SPECPI_TABLE_MEMORY, 1, &none));
}

TEST(a_record_that_gets_no_memory_changes_nothing) {
  add(SPECPI_TABLE_MEMORY, 100, 10, 1);
  const specpi_record other = {.first = 105, .size = 10, .kind = 2};
  memory_watch(0);
  const specpi_result result = specpiRecordAdd(SPECPI_TABLE_MEMORY, &other);
  const memory_use use = memory_unwatch();
  assert_true(use.failed && use.held == 0);
  assert_int_equal(result, SPECPI_ERROR_OUT_OF_MEMORY);
  specpi_record found;
  assert_true(find(SPECPI_TABLE_MEMORY, 105, &found));
  assert_int_equal(found.kind, 1);
  assert_true(specpiRecordTake(SPECPI_TABLE_MEMORY, 100, NULL));
}

static void sleep_milliseconds(long count) {
  nanosleep(&(struct timespec){.tv_nsec = count * 1000000}, NULL);
}

enum { THREADS = 8, ROUNDS = 2000 };

/* Runs a function in threads, and passes them their numbers. */
static void run_threads(void *(*function)(void *)) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, function, (void *)i), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static unsigned char taken[THREADS * ROUNDS];
static uint64_t before_threads;

static void *take_numbers(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++)
    taken[specpiNumbersTake(1) - before_threads]++;
  return NULL;
}

TEST(a_number_is_returned_once) {
  before_threads = specpiNumbersTake(0);
  assert_true(before_threads >= 1);
  run_threads(take_numbers);
  for (size_t i = 0; i < sizeof taken; i++)
    assert_int_equal(taken[i], 1);
  assert_int_equal(specpiNumbersTake(3), before_threads + sizeof taken);
  assert_int_equal(specpiNumbersTake(0), before_threads + sizeof taken + 3);
}

static specpi_wish wish(specpi_turn *turn, bool writes) {
  return (specpi_wish){.turn = turn, .writes = writes};
}

/* A turn that a thread takes, and whether the thread has it. */
typedef struct waiter {
  specpi_wish wish;
  bool is_command;
  int has_it;
} waiter;

static void *take_turn(void *of) {
  waiter *one = of;
  must(specpiTurnsTake(1, &one->wish, one->is_command));
  __atomic_store_n(&one->has_it, 1, __ATOMIC_SEQ_CST);
  specpiTurnsEnd(1, &one->wish);
  return NULL;
}

/* Returns whether another thread's wish has to wait until this thread's held wish ends. */
static bool waits_for(specpi_wish *held, specpi_turn *turn, bool writes) {
  waiter other = {wish(turn, writes), true, 0};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, take_turn, &other), 0);
  for (int i = 0; i < 50 && !__atomic_load_n(&other.has_it, __ATOMIC_SEQ_CST); i++)
    sleep_milliseconds(1);
  const bool waited = !__atomic_load_n(&other.has_it, __ATOMIC_SEQ_CST);
  specpiTurnsEnd(1, held);
  assert_int_equal(pthread_join(thread, NULL), 0);
  return waited;
}

TEST(readers_hold_a_turn_together_and_a_writer_alone) {
  for (int is_held_by_writer = 0; is_held_by_writer < 2; is_held_by_writer++)
    for (int writes = 0; writes < 2; writes++) {
      specpi_turn turn = {0};
      specpi_wish held = wish(&turn, is_held_by_writer);
      must(specpiTurnsTake(1, &held, false));
      specpiTurnsHold(1, &held);
      assert_int_equal(waits_for(&held, &turn, writes), is_held_by_writer || writes);
      assert_null(turn.holders);
    }
  specpi_turn turn = {0};
  specpi_wish mine = wish(&turn, false);
  must(specpiTurnsTake(1, &mine, false));
  assert_true(waits_for(&mine, &turn, false)); /* others wait until the turn is held or ended */
}

TEST(a_command_does_not_wait_for_its_own_thread) {
  specpi_turn turns[2] = {{0}};
  specpi_wish held = wish(&turns[1], true);
  must(specpiTurnsTake(1, &held, false));
  specpiTurnsHold(1, &held);
  specpi_wish both[] = {wish(&turns[0], true), wish(&turns[1], false)};
  assert_error(specpiTurnsTake(2, both, true), SPECPI_ERROR_INVALID_STATE, "its own thread holds");
  assert_false(turns[0].is_taken || turns[1].is_taken);
  must(specpiTurnsTake(2, both, false)); /* for an accessor, not a command, the call succeeds */
  specpiTurnsHold(2, both);
  specpiTurnsEnd(1, &held);
  specpiTurnsEnd(2, both);
  assert_true(!turns[0].holders && !turns[1].holders);
}

static specpi_turn common[2];
static long counters[2];

/* Takes the two turns in an order that depends on the thread, and holds them in some rounds. */
static void *count_in_turn(void *number) {
  const uintptr_t first = (uintptr_t)number % 2;
  for (int i = 0; i < ROUNDS; i++) {
    specpi_wish both[] = {wish(&common[first], true), wish(&common[1 - first], true)};
    must(specpiTurnsTake(2, both, i % 2));
    if (i % 3 == 0)
      specpiTurnsHold(2, both);
    counters[0]++;
    counters[1]++;
    specpiTurnsEnd(2, both);
  }
  return NULL;
}

TEST(threads_that_want_two_turns_do_not_wait_for_each_other) {
  run_threads(count_in_turn);
  assert_int_equal(counters[0], THREADS * ROUNDS);
  assert_int_equal(counters[1], THREADS * ROUNDS);
}

TEST(a_thread_that_is_cancelled_while_it_waits_leaves_no_lock) {
  specpi_turn turn = {0};
  specpi_wish held = wish(&turn, true);
  must(specpiTurnsTake(1, &held, false));
  waiter other = {wish(&turn, true), false, 0};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, take_turn, &other), 0);
  sleep_milliseconds(20);
  pthread_cancel(thread);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_false(other.has_it);
  specpiTurnsEnd(1, &held);
  must(specpiTurnsTake(1, &held, true));
  specpiTurnsEnd(1, &held);
}

static void *check_thread(void *number) {
  specpi_thread *const mine = specpiThreadGet();
  assert_int_equal(mine->command_groups, 0);
  assert_true(!mine->constants && !mine->group && !mine->worker && !mine->local_memory);
  mine->command_groups = (uintptr_t)number + 1;
  assert_ptr_equal(specpiThreadGet(), mine);
  return NULL;
}

TEST(each_thread_has_a_state_of_its_own) {
  specpiThreadGet()->command_groups = 99;
  run_threads(check_thread);
  assert_int_equal(specpiThreadGet()->command_groups, 99);
  specpiThreadGet()->command_groups = 0;
}

TEST(the_first_object_of_a_name_is_shared) {
  static const int objects[2];
  assert_ptr_equal(specpiObjectShare("a", &objects[0]), &objects[0]);
  assert_ptr_equal(specpiObjectShare("b", &objects[1]), &objects[1]);
  assert_ptr_equal(specpiObjectShare("a", &objects[1]), &objects[0]);
  memory_watch(0);
  const void *mine = specpiObjectShare("c", &objects[1]);
  assert_true(memory_unwatch().failed);
  assert_ptr_equal(mine, &objects[1]);
  assert_ptr_equal(specpiObjectShare("c", &objects[0]), &objects[0]);
}

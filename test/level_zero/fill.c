/* Fills with patterns of every size, at every place, also on engines with small limits. */
#include "world.h"

#include "../../plugins/level_zero/memory.h"

enum { ARENA = 1 << 14, PATTERN = 5000 };

static unsigned char want[ARENA];
static unsigned char got[ARENA];
static unsigned char pattern[PATTERN];

/* Makes a pattern without a repetition that a fill could use. */
static void make_pattern(void) {
  for (size_t i = 0; i < PATTERN; i++)
    pattern[i] = (unsigned char)(i * 7 + i / 256 * 3 + 1);
}

static void start(pi_mem buffer) {
  memset(want, 0x99, ARENA);
  must(piEnqueueMemBufferWrite(w.queue, buffer, PI_TRUE, 0, ARENA, want, 0, NULL, NULL));
}

static void check(pi_mem buffer) {
  must(piEnqueueMemBufferRead(w.queue, buffer, PI_TRUE, 0, ARENA, got, 0, NULL, NULL));
  assert_memory_equal(got, want, ARENA);
}

static void fill_and_check(pi_queue queue, pi_mem buffer, size_t size, size_t count) {
  unsigned char given[PATTERN];
  pi_event event = NULL;
  start(buffer);
  memcpy(given, pattern, size);
  must(piEnqueueMemBufferFill(queue, buffer, given, size, size, size * count, 0, NULL, &event));
  memset(given, 0, size); /* not needed any more */
  must(piEventsWait(1, &event));
  must(piEventRelease(event));
  for (size_t i = 0; i < count; i++)
    memcpy(want + (i + 1) * size, pattern, size);
  check(buffer);
}

WORLD_TEST(patterns_of_every_size_are_written) {
  make_pattern();
  static const pi_queue_properties orders[] = {IN_ORDER, OUT_OF_ORDER, OUT_OF_ORDER | PROFILING};
  static const size_t sizes[] = {1,  2,  3,   4,   5,   7,   8,   12,   16,   24,  32,
                                 48, 64, 100, 128, 129, 256, 512, 1000, 2047, 5000};
  const pi_mem buffer = new_buffer(ARENA, NULL);
  for (size_t o = 0; o < 3; o++) {
    const pi_queue queue = new_queue(orders[o]);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      for (size_t count = 0; count <= 5 && (count + 1) * sizes[i] <= ARENA; count++)
        fill_and_check(queue, buffer, sizes[i], count == 5 ? ARENA / sizes[i] - 1 : count);
    must(piQueueRelease(queue));
  }
  must(piMemRelease(buffer));
}

/* A pattern that repeats a part takes as few fills as that part. */
WORLD_TEST(repeated_patterns_are_one_fill) {
  unsigned char bytes[96];
  memset(bytes, 0x42, sizeof bytes);
  const pi_mem buffer = new_buffer(ARENA, NULL);
  const unsigned long fills = fake_ze_calls("zeCommandListAppendMemoryFill");
  const unsigned long copies = fake_ze_calls("zeCommandListAppendMemoryCopy");
  must(piEnqueueMemBufferFill(w.queue, buffer, bytes, 96, 0, 9600, 0, NULL, NULL));
  assert_int_equal(fake_ze_calls("zeCommandListAppendMemoryFill"), fills + 1);
  assert_int_equal(fake_ze_calls("zeCommandListAppendMemoryCopy"), copies);
  must(piMemRelease(buffer));
}

/* Large patterns come from memory of the host, which is freed after the fill. */
WORLD_TEST(stages_are_freed) {
  make_pattern();
  const pi_mem buffer = new_buffer(ARENA, NULL);
  const size_t before = fake_ze_live(FAKE_MEMORY);
  const pi_event gate = new_user_event();
  const size_t size = 4999; /* a prime */
  start(buffer);
  must(piEnqueueMemBufferFill(w.queue, buffer, pattern, size, 0, 3 * size, 1, &gate, NULL));
  assert_true(fake_ze_live(FAKE_MEMORY) <= before + 1);
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piQueueFinish(w.queue));
  assert_int_equal(fake_ze_live(FAKE_MEMORY), before);
  for (size_t i = 0; i < 3; i++)
    memcpy(want + i * size, pattern, size);
  check(buffer);
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
}

/* Rows with a pitch, as PI's entry points for shared memory have them. */
WORLD_TEST(rows_with_a_pitch_are_filled) {
  make_pattern();
  const pi_mem buffer = new_buffer(ARENA, NULL);
  static const size_t sizes[] = {1, 3, 4, 12, 16, 48};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    for (size_t height = 0; height < 9; height++) {
      start(buffer);
      must(piextUSMEnqueueFill2D(w.queue, (char *)buffer->pointer + 5, 300, sizes[i], pattern, 96,
                                 height, 0, NULL, NULL));
      for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < 96; x++)
          want[5 + y * 300 + x] = pattern[x % sizes[i]];
      check(buffer);
    }
  must(piMemRelease(buffer));
}

/* A call of a fill in steps fails: the command has failed, and nothing else is affected. */
WORLD_TEST(a_failed_step_fails_the_command_alone) {
  make_pattern();
  const pi_mem buffer = new_buffer(ARENA, NULL);
  unsigned failures = 0;
  for (unsigned long nth = 1; nth < 100; nth++) {
    pi_event event = NULL;
    fake_ze_fail(NULL, nth, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    const pi_result result =
        piEnqueueMemBufferFill(w.queue, buffer, pattern, 1003, 0, 8024, 0, NULL, &event);
    const bool is_reached = fake_ze_unfail() != NULL;
    if (result == PI_SUCCESS) {
      must(piEventRelease(event));
      if (!is_reached)
        break;
      continue;
    }
    assert_true(is_reached);
    assert_null(event);
    failures++;
  }
  assert_true(failures > 5);
  fill_and_check(w.queue, buffer, 1003, 8);
  must(piMemRelease(buffer));
}

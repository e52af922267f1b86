/*
 * Commands on no bytes, no work-items or no events. If one succeeds, it returns an event like any
 * other command; if it fails, it leaves the caller's variable unchanged.
 */
#include "fixture.h"

/* Enqueues the command with these last arguments. */
typedef pi_result enqueue_nothing(pi_uint32 count, const pi_event *list, pi_event *event);

/* Objects that the commands work on. */
static struct {
  pi_queue queue;
  pi_mem buffer, other;
  char *usm;
  char host[64];
} on;

static void open_memory(void) {
  on.queue = the_queue();
  on.buffer = new_buffer(sizeof on.host, on.host);
  on.other = new_buffer(sizeof on.host, on.host);
}

static void check_event(pi_event event) {
  pi_int32 status = PI_EVENT_QUEUED;
  expect_success(pi.piEventsWait(1, &event));
  expect_success(pi.piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, sizeof status,
                                   &status, NULL));
  expect_equal(PI_EVENT_COMPLETE, status);
  expect_success(pi.piEventRetain(event));
  expect_success(pi.piEventRelease(event));
  expect_success(pi.piEventRelease(event));
}

/* Enqueues the command with and without a wait list, and once without an event; returns whether it
 * succeeds. Repeats it, because a plugin that leaves the variable unset may by chance find a valid
 * event there. */
static bool check_nothing(enqueue_nothing *enqueue) {
  pi_event before = NULL;
  bool is_taken = true;
  expect_success(pi.piEnqueueEventsWait(on.queue, 0, NULL, &before));
  release_event_later(before);
  for (int i = 0; i < 6 && is_taken; i++) {
    pi_event event;
    memset(&event, UNTOUCHED_BYTE, sizeof event);
    is_taken = enqueue(i % 2 ? 1 : 0, i % 2 ? &before : NULL, &event) == PI_SUCCESS;
    if (is_taken)
      check_event(event);
    else
      check_untouched(&event, sizeof event, CHECK_PLACE("event"));
  }
  if (is_taken)
    expect_success(enqueue(0, NULL, NULL));
  expect_success(pi.piQueueFinish(on.queue));
  return is_taken;
}

static const struct pi_buff_rect_offset_struct corner = {0, 0, 0};
static const struct pi_buff_rect_region_struct flat[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
static size_t flat_at; /* index of the current one in flat */

/* X(name, the call): commands on buffers. */
#define BUFFER_COMMANDS(X)                                                                         \
  X(marker, pi.piEnqueueEventsWait(on.queue, LAST))                                                \
  X(barrier, pi.piEnqueueEventsWaitWithBarrier(on.queue, LAST))                                    \
  X(read, pi.piEnqueueMemBufferRead(on.queue, on.buffer, PI_FALSE, 0, 0, on.host, LAST))           \
  X(read_and_wait, pi.piEnqueueMemBufferRead(on.queue, on.buffer, PI_TRUE, 0, 0, on.host, LAST))   \
  X(read_at_the_end,                                                                               \
    pi.piEnqueueMemBufferRead(on.queue, on.buffer, PI_FALSE, sizeof on.host, 0, on.host, LAST))    \
  X(write, pi.piEnqueueMemBufferWrite(on.queue, on.buffer, PI_FALSE, 0, 0, on.host, LAST))         \
  X(copy, pi.piEnqueueMemBufferCopy(on.queue, on.buffer, on.other, 0, 0, 0, LAST))                 \
  X(fill, pi.piEnqueueMemBufferFill(on.queue, on.buffer, "abc", 1, 0, 0, LAST))                    \
  X(fill_of_3, pi.piEnqueueMemBufferFill(on.queue, on.buffer, "abc", 3, 0, 0, LAST))               \
  X(read_rect, pi.piEnqueueMemBufferReadRect(on.queue, on.buffer, PI_FALSE, CORNER, CORNER, FLAT,  \
                                             8, 32, 8, 32, on.host, LAST))                         \
  X(write_rect, pi.piEnqueueMemBufferWriteRect(on.queue, on.buffer, PI_FALSE, CORNER, CORNER,      \
                                               FLAT, 8, 32, 8, 32, on.host, LAST))                 \
  X(copy_rect, pi.piEnqueueMemBufferCopyRect(on.queue, on.buffer, on.other, CORNER, CORNER, FLAT,  \
                                             8, 32, 8, 32, LAST))
#define LAST count, list, event
#define CORNER ((pi_buff_rect_offset)(uintptr_t)&corner)
#define FLAT ((pi_buff_rect_region)(uintptr_t)&flat[flat_at])

#define NOTHING(name, call)                                                                        \
  static pi_result nothing_##name(pi_uint32 count, const pi_event *list, pi_event *event) {        \
    return call;                                                                                   \
  }
BUFFER_COMMANDS(NOTHING)

TEST(nothing, of_buffers_has_events) {
  open_memory();
#define CHECK_NOTHING(name, call) check_nothing(nothing_##name);
  for (flat_at = 0; flat_at < 3; flat_at++) {
    BUFFER_COMMANDS(CHECK_NOTHING)
  }
#undef CHECK_NOTHING
}

/* X(name, the call): commands on unified shared memory. */
#define USM_COMMANDS(X)                                                                            \
  X(memset, pi.piextUSMEnqueueMemset(on.queue, on.usm, 1, 0, LAST))                                \
  X(memset_at_the_end, pi.piextUSMEnqueueMemset(on.queue, on.usm + sizeof on.host, 1, 0, LAST))    \
  X(memcpy, pi.piextUSMEnqueueMemcpy(on.queue, PI_FALSE, on.usm, on.usm + 32, 0, LAST))            \
  X(memcpy_to_itself, pi.piextUSMEnqueueMemcpy(on.queue, PI_FALSE, on.usm, on.usm, 0, LAST))       \
  X(memcpy_and_wait, pi.piextUSMEnqueueMemcpy(on.queue, PI_TRUE, on.usm, on.host, 0, LAST))        \
  X(prefetch, pi.piextUSMEnqueuePrefetch(on.queue, on.usm, 0, 0, LAST))                            \
  X(memset_no_columns, pi.piextUSMEnqueueMemset2D(on.queue, on.usm, 8, 1, 0, 4, LAST))             \
  X(memset_no_rows, pi.piextUSMEnqueueMemset2D(on.queue, on.usm, 8, 1, 4, 0, LAST))                \
  X(fill_no_columns, pi.piextUSMEnqueueFill2D(on.queue, on.usm, 9, 3, "abc", 0, 4, LAST))          \
  X(fill_no_rows, pi.piextUSMEnqueueFill2D(on.queue, on.usm, 9, 3, "abc", 6, 0, LAST))             \
  X(memcpy_no_columns,                                                                             \
    pi.piextUSMEnqueueMemcpy2D(on.queue, PI_FALSE, on.usm, 8, on.usm + 32, 8, 0, 4, LAST))         \
  X(memcpy_no_rows,                                                                                \
    pi.piextUSMEnqueueMemcpy2D(on.queue, PI_TRUE, on.usm, 8, on.usm + 32, 8, 4, 0, LAST))
USM_COMMANDS(NOTHING)

/* Advice has no wait list. */
static pi_result nothing_advise(pi_uint32 count, const pi_event *list, pi_event *event) {
  (void)count;
  (void)list;
  return pi.piextUSMEnqueueMemAdvise(on.queue, on.usm, 0, PI_MEM_ADVICE_RESET, event);
}

TEST(nothing, of_shared_memory_is_a_success) {
  open_memory();
  on.usm = new_usm(USM_SHARED, sizeof on.host);
  memset(on.usm, 7, sizeof on.host);
#define CHECK_NOTHING(name, call) expect(check_nothing(nothing_##name), "%s is refused", #name);
  USM_COMMANDS(CHECK_NOTHING)
  CHECK_NOTHING(advise, )
#undef CHECK_NOTHING
  for (size_t i = 0; i < sizeof on.host; i++)
    expect_equal(7, on.usm[i]);
}

static pi_kernel kernel_of_nothing;
static const size_t no_items[3] = {0, 1, 1};

static pi_result nothing_launched(pi_uint32 count, const pi_event *list, pi_event *event) {
  return pi.piEnqueueKernelLaunch(on.queue, kernel_of_nothing, 1, NULL, no_items, NULL, LAST);
}

static pi_result nothing_launched_together(pi_uint32 count, const pi_event *list, pi_event *event) {
  return pi.piextEnqueueCooperativeKernelLaunch(on.queue, kernel_of_nothing, 2, NULL, no_items,
                                                NULL, LAST);
}

TEST(nothing, of_launches_has_events) {
  open_memory();
  kernel_of_nothing = new_kernel(new_built_program(module_basic()), "numbers");
  set_buffer(kernel_of_nothing, 0, on.buffer);
  check_nothing(nothing_launched);
  check_nothing(nothing_launched_together);
}

/* X(the call): commands recorded into a command buffer, each of which returns a sync point. */
#define RECORDED_COMMANDS(X)                                                                       \
  X(pi.piextCommandBufferMemcpyUSM(commands, on.usm, on.usm + 32, 0, 0, NULL, &point))             \
  X(pi.piextCommandBufferFillUSM(commands, on.usm, "abc", 3, 0, 0, NULL, &point))                  \
  X(pi.piextCommandBufferPrefetchUSM(commands, on.usm, 0, 0, 0, NULL, &point))                     \
  X(pi.piextCommandBufferAdviseUSM(commands, on.usm, 0, PI_MEM_ADVICE_RESET, 0, NULL, &point))     \
  X(pi.piextCommandBufferMemBufferFill(commands, on.buffer, "abc", 3, 0, 0, 0, NULL, &point))      \
  X(pi.piextCommandBufferMemBufferCopy(commands, on.buffer, on.other, 0, 0, 0, 0, NULL, &point))   \
  X(pi.piextCommandBufferMemBufferWrite(commands, on.buffer, 0, 0, on.host, 0, NULL, &point))      \
  X(pi.piextCommandBufferMemBufferRead(commands, on.buffer, 0, 0, on.host, 0, NULL, &point))

static pi_ext_command_buffer commands;

static pi_result nothing_replayed(pi_uint32 count, const pi_event *list, pi_event *event) {
  return pi.piextEnqueueCommandBuffer(commands, on.queue, LAST);
}

static void begin_commands(void) {
  const pi_ext_command_buffer_desc desc = {.stype = PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC};
  if (!is_supported(pi.piextCommandBufferCreate(the_context(), the_device(), &desc, &commands)))
    skip_test("the plugin has no command buffers");
}

static void replay_commands(void) {
  expect_success(pi.piextCommandBufferFinalize(commands));
  check_nothing(nothing_replayed);
  expect_success(pi.piextCommandBufferRelease(commands));
}

TEST(nothing, of_command_buffers_has_events) {
  open_memory();
  on.usm = new_usm(USM_SHARED, sizeof on.host);
  begin_commands();
  replay_commands();
#define RECORD_NOTHING(call)                                                                       \
  do {                                                                                             \
    pi_ext_sync_point point;                                                                       \
    memset(&point, UNTOUCHED_BYTE, sizeof point);                                                  \
    begin_commands();                                                                              \
    if ((call) != PI_SUCCESS)                                                                      \
      check_untouched(&point, sizeof point, CHECK_PLACE(#call));                                   \
    replay_commands();                                                                             \
  } while (0);
  RECORDED_COMMANDS(RECORD_NOTHING)
}

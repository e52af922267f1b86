/*
 * Measures the time that our plugin adds to the Level Zero calls of a launch. It compares PI calls
 * through the plugin's table with the calls of a program that uses Level Zero directly, in turns in
 * one process and on one driver, with immediate command lists and with batches.
 *
 * It uses the driver that the loader finds. The fake driver with FAKE_ZE_NULL=1 completes every
 * command at once without executing it, so the times are the plugin's.
 */
#define _POSIX_C_SOURCE 200809L
#include "../support/device.h"
#include "direct.h"
#include "driver_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: bench-level_zero-calls [--quick] [--json FILE]\n"
    "Compares PI calls of our Level Zero plugin with Level Zero calls that do the same, on the\n"
    "driver that the environment leads to.\n";

enum {
  BURST = 256,
  BATCH_SIZE = 64, /* of the program that does without the plugin; see SPECPI_LEVEL_ZERO_BATCH_SIZE
                      for the plugin's */
};

typedef enum queue_order { OUT_OF_ORDER, IN_ORDER, ORDERS } queue_order;

/* The objects of a measurement. */
typedef struct world {
  bench_device device;
  pi_queue queues[DIRECT_WAYS][ORDERS];
  pi_kernel empty, arguments;
  pi_mem buffer, zero;
  int *sum; /* in USM of the plugin's context */
  direct direct;
  ze_kernel_handle_t direct_empty, direct_arguments;
  int *direct_sum, *direct_zero;
  int expected, direct_expected; /* expected values of *sum and *direct_sum */
} world;

static const size_t one[3] = {1, 1, 1};
static const float fraction = 0.5f;

/* ---- The rows of the table: a burst of n calls, through PI and without it ---- */

typedef void burst(world *on, direct_way way, unsigned n);

static void plugin_value(world *on, direct_way way, unsigned n) {
  (void)way;
  for (int i = 0; i < (int)n; i++)
    BENCH_PI(&on->device, piKernelSetArg, on->arguments, 2, sizeof i, &i);
}
static void loader_value(world *on, direct_way way, unsigned n) {
  (void)way;
  for (int i = 0; i < (int)n; i++)
    DIRECT_ZE(&on->direct, KernelSetArgumentValue, on->direct_arguments, 2, sizeof i, &i);
}

static void plugin_pointer(world *on, direct_way way, unsigned n) {
  (void)way;
  for (unsigned i = 0; i < n; i++)
    BENCH_PI(&on->device, piextKernelSetArgPointer, on->arguments, 0, sizeof on->sum, &on->sum);
}
static void loader_pointer(world *on, direct_way way, unsigned n) {
  (void)way;
  for (unsigned i = 0; i < n; i++)
    DIRECT_ZE(&on->direct, KernelSetArgumentValue, on->direct_arguments, 0, sizeof on->direct_sum,
              &on->direct_sum);
}

static void plugin_buffer(world *on, direct_way way, unsigned n) {
  static const pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL,
                                             PI_ACCESS_READ_ONLY};
  (void)way;
  for (unsigned i = 0; i < n; i++)
    BENCH_PI(&on->device, piextKernelSetArgMemObj, on->arguments, 1, &access, &on->zero);
}
static void loader_buffer(world *on, direct_way way, unsigned n) {
  (void)way;
  for (unsigned i = 0; i < n; i++)
    DIRECT_ZE(&on->direct, KernelSetArgumentValue, on->direct_arguments, 1, sizeof on->direct_zero,
              &on->direct_zero);
}

static void plugin_launch_of(world *on, pi_queue queue, pi_event after, pi_event *event) {
  BENCH_PI(&on->device, piEnqueueKernelLaunch, queue, on->empty, 1, NULL, one, one, after ? 1 : 0,
           after ? &after : NULL, event);
}

static void plugin_launch(world *on, direct_way way, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    plugin_launch_of(on, on->queues[way][OUT_OF_ORDER], NULL, NULL);
}
static void loader_launch(world *on, direct_way way, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    direct_launch(&on->direct, way, on->direct_empty, false, NULL);
}

static void plugin_event_each(world *on, direct_way way, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    pi_event event;
    plugin_launch_of(on, on->queues[way][OUT_OF_ORDER], NULL, &event);
    BENCH_PI(&on->device, piEventRelease, event);
  }
}
static void loader_event_each(world *on, direct_way way, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    direct_launch(&on->direct, way, on->direct_empty, true, NULL);
}

static void plugin_after_each(world *on, direct_way way, unsigned n) {
  pi_event previous = NULL;
  for (unsigned i = 0; i < n; i++) {
    pi_event event;
    plugin_launch_of(on, on->queues[way][OUT_OF_ORDER], previous, &event);
    if (previous)
      BENCH_PI(&on->device, piEventRelease, previous);
    previous = event;
  }
  BENCH_PI(&on->device, piEventRelease, previous);
}
static void loader_after_each(world *on, direct_way way, unsigned n) {
  ze_event_handle_t previous = NULL;
  for (unsigned i = 0; i < n; i++)
    previous = direct_launch(&on->direct, way, on->direct_empty, true, previous);
}

static void plugin_in_order(world *on, direct_way way, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    pi_event event;
    plugin_launch_of(on, on->queues[way][IN_ORDER], NULL, &event);
    BENCH_PI(&on->device, piEventRelease, event);
  }
}

static void plugin_wait_each(world *on, direct_way way, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    pi_event event;
    plugin_launch_of(on, on->queues[way][OUT_OF_ORDER], NULL, &event);
    BENCH_PI(&on->device, piEventsWait, 1, &event);
    BENCH_PI(&on->device, piEventRelease, event);
  }
}
static void loader_wait_each(world *on, direct_way way, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    direct_wait(&on->direct, way, direct_launch(&on->direct, way, on->direct_empty, true, NULL));
}

/* Makes the same calls as libsycl for a kernel with five arguments. */
static void plugin_sycl(world *on, direct_way way, unsigned n) {
  for (int i = 0; i < (int)n; i++) {
    static const int factor = 1;
    pi_event event;
    BENCH_PI(&on->device, piextKernelSetArgPointer, on->arguments, 0, sizeof on->sum, &on->sum);
    BENCH_PI(&on->device, piextKernelSetArgMemObj, on->arguments, 1, NULL, &on->zero);
    BENCH_PI(&on->device, piKernelSetArg, on->arguments, 2, sizeof i, &i);
    BENCH_PI(&on->device, piKernelSetArg, on->arguments, 3, sizeof factor, &factor);
    BENCH_PI(&on->device, piKernelSetArg, on->arguments, 4, sizeof fraction, &fraction);
    BENCH_PI(&on->device, piEnqueueKernelLaunch, on->queues[way][OUT_OF_ORDER], on->arguments, 1,
             NULL, one, one, 0, NULL, &event);
    BENCH_PI(&on->device, piEventsWait, 1, &event);
    BENCH_PI(&on->device, piEventRelease, event);
    on->expected += i;
  }
}
static void loader_sycl(world *on, direct_way way, unsigned n) {
  direct *ze = &on->direct;
  for (int i = 0; i < (int)n; i++) {
    static const int factor = 1;
    const ze_kernel_handle_t kernel = on->direct_arguments;
    DIRECT_ZE(ze, KernelSetArgumentValue, kernel, 0, sizeof on->direct_sum, &on->direct_sum);
    DIRECT_ZE(ze, KernelSetArgumentValue, kernel, 1, sizeof on->direct_zero, &on->direct_zero);
    DIRECT_ZE(ze, KernelSetArgumentValue, kernel, 2, sizeof i, &i);
    DIRECT_ZE(ze, KernelSetArgumentValue, kernel, 3, sizeof factor, &factor);
    DIRECT_ZE(ze, KernelSetArgumentValue, kernel, 4, sizeof fraction, &fraction);
    direct_wait(ze, way, direct_launch(ze, way, kernel, true, NULL));
    on->direct_expected += i;
  }
}

typedef struct row {
  const char *name, *text;
  burst *through_pi, *without;
  bool is_launch; /* if not, the kind of command lists makes no difference */
  struct {
    bench_series pi, ze; /* nanoseconds per repetition */
    double pi_calls, ze_calls;
  } of[DIRECT_WAYS];
} row;

static row rows[] = {
    {.name = "value", .text = "piKernelSetArg, value", plugin_value, loader_value},
    {.name = "pointer", .text = "piextKernelSetArgPointer", plugin_pointer, loader_pointer},
    {.name = "buffer", .text = "piextKernelSetArgMemObj", plugin_buffer, loader_buffer},
    {.name = "launch", .text = "launch", plugin_launch, loader_launch, true},
    {.name = "event",
     .text = "  with an event, and its release",
     plugin_event_each,
     loader_event_each,
     true},
    {.name = "after", .text = "  after the one before", plugin_after_each, loader_after_each, true},
    {.name = "in_order", .text = "  in a queue in order", plugin_in_order, loader_after_each, true},
    {.name = "wait", .text = "  with its wait", plugin_wait_each, loader_wait_each, true},
    {.name = "sycl", .text = "  with five arguments and its wait", plugin_sycl, loader_sycl, true},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static const char *const way_names[] = {"immediate", "batch"};

/* Nanoseconds per launch of bursts with a wait at the end, to compare the kinds of lists. */
static bench_series whole[DIRECT_WAYS];

/* ---- The objects ---- */

static void open_plugin(world *on) {
  static const pi_queue_properties ways[] = {PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE,
                                             PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE};
  on->device = bench_device_open();
  for (unsigned way = 0; way < DIRECT_WAYS; way++)
    for (unsigned order = 0; order < ORDERS; order++) {
      const pi_queue_properties flags =
          ways[way] | (order == OUT_OF_ORDER ? PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      pi_queue_properties properties[] = {PI_QUEUE_FLAGS, flags, 0};
      BENCH_PI(&on->device, piextQueueCreate, on->device.context, on->device.device, properties,
               &on->queues[way][order]);
    }
  const pi_program program = bench_program(&on->device, direct_module_begin, direct_module_end);
  BENCH_PI(&on->device, piProgramRetain, program);
  on->arguments = bench_kernel(&on->device, program, "five_arguments");
  BENCH_PI(&on->device, piKernelCreate, program, "empty", &on->empty);
  BENCH_PI(&on->device, piProgramRelease, program);
  static const int zero;
  on->zero = bench_buffer(&on->device, sizeof zero, &zero);
  BENCH_PI(&on->device, piextUSMSharedAlloc, (void **)&on->sum, on->device.context,
           on->device.device, NULL, sizeof *on->sum, 0);
  *on->sum = 0;
  const int values[] = {0, 1};
  bench_set_buffer(&on->device, on->arguments, 1, on->zero);
  BENCH_PI(&on->device, piextKernelSetArgPointer, on->arguments, 0, sizeof on->sum, &on->sum);
  bench_set_int(&on->device, on->arguments, 2, values[0]);
  bench_set_int(&on->device, on->arguments, 3, values[1]);
  BENCH_PI(&on->device, piKernelSetArg, on->arguments, 4, sizeof fraction, &fraction);
}

static void open_direct(world *on) {
  direct *ze = &on->direct;
  direct_open(ze, BATCH_SIZE);
  on->direct_empty = direct_kernel(ze, "empty");
  on->direct_arguments = direct_kernel(ze, "five_arguments");
  const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory;
  DIRECT_ZE(ze, MemAllocShared, ze->context, &device, &host, 2 * sizeof(int), 0, ze->device,
            &memory);
  on->direct_sum = memory;
  on->direct_zero = on->direct_sum + 1;
  memset(memory, 0, 2 * sizeof(int));
}

static void close_world(world *on) {
  BENCH_PI(&on->device, piextUSMFree, on->device.context, on->sum);
  BENCH_PI(&on->device, piMemRelease, on->zero);
  BENCH_PI(&on->device, piKernelRelease, on->empty);
  BENCH_PI(&on->device, piKernelRelease, on->arguments);
  for (unsigned way = 0; way < DIRECT_WAYS; way++)
    for (unsigned order = 0; order < ORDERS; order++)
      BENCH_PI(&on->device, piQueueRelease, on->queues[way][order]);
  bench_device_close(&on->device);
  DIRECT_ZE(&on->direct, MemFree, on->direct.context, on->direct_sum);
  DIRECT_ZE(&on->direct, KernelDestroy, on->direct_empty);
  DIRECT_ZE(&on->direct, KernelDestroy, on->direct_arguments);
  direct_close(&on->direct);
}

/* ---- Measuring ---- */

static void finish_way(world *on, direct_way way) {
  for (unsigned order = 0; order < ORDERS; order++)
    BENCH_PI(&on->device, piQueueFinish, on->queues[way][order]);
  direct_finish(&on->direct, way);
}

static double time_of(world *on, burst *function, direct_way way) {
  const double start = bench_now();
  function(on, way, BURST);
  const double elapsed = bench_now() - start;
  finish_way(on, way);
  return elapsed / BURST;
}

static double calls_of(world *on, burst *function, direct_way way) {
  const unsigned long before = driver_calls();
  function(on, way, BURST);
  const unsigned long calls = driver_calls() - before;
  finish_way(on, way);
  return (double)calls / BURST;
}

static void measure_whole(world *on, direct_way way) {
  const double start = bench_now();
  plugin_event_each(on, way, BURST);
  BENCH_PI(&on->device, piQueueFinish, on->queues[way][OUT_OF_ORDER]);
  bench_add(&whole[way], (bench_now() - start) / BURST);
}

/* Measures every row both ways; the order changes from round to round. */
static void measure_round(world *on, unsigned round) {
  for (size_t i = 0; i < ROW_COUNT; i++)
    for (direct_way way = 0; way < DIRECT_WAYS; way++) {
      row *of = &rows[i];
      if (!of->is_launch && way != DIRECT_IMMEDIATE)
        continue;
      for (unsigned turn = 0; turn < 2; turn++) {
        if ((round + turn) % 2 == 0)
          bench_add(&of->of[way].pi, time_of(on, of->through_pi, way));
        else
          bench_add(&of->of[way].ze, time_of(on, of->without, way));
      }
    }
  for (unsigned turn = 0; turn < DIRECT_WAYS; turn++)
    measure_whole(on, (direct_way)((round + turn) % DIRECT_WAYS));
}

/* Counts the driver calls of each row. These untimed bursts are also the warm-up. */
static void count_calls(world *on) {
  for (unsigned round = 0; round < 2; round++)
    for (size_t i = 0; i < ROW_COUNT; i++)
      for (direct_way way = 0; way < DIRECT_WAYS; way++) {
        rows[i].of[way].pi_calls = calls_of(on, rows[i].through_pi, way);
        rows[i].of[way].ze_calls = calls_of(on, rows[i].without, way);
      }
}

static void check_sums(const world *on, bool is_null) {
  if (is_null)
    return;
  if (*on->sum != on->expected)
    bench_die("the launches through PI made %d, expected %d", *on->sum, on->expected);
  if (*on->direct_sum != on->direct_expected)
    bench_die("the launches without it made %d, expected %d", *on->direct_sum, on->direct_expected);
}

static void print_row(const row *of, direct_way way, json_t *list) {
  const bench_summary pi = bench_summarize(&of->of[way].pi);
  const bench_summary ze = bench_summarize(&of->of[way].ze);
  const bench_summary on_top = bench_difference(&of->of[way].pi, &of->of[way].ze);
  printf("  %-36s %8.1f %8.1f   %8.1f %8.1f %8.1f   %8.1f   %6.2f %6.2f\n", of->text, pi.median,
         ze.median, on_top.median, on_top.min, on_top.max, pi.min - ze.min, of->of[way].pi_calls,
         of->of[way].ze_calls);
  json_array_append_new(
      list, json_pack("{s:s, s:s, s:o, s:o, s:o, s:f, s:f, s:f}", "call", of->name, "lists",
                      of->is_launch ? way_names[way] : "none", "pi", bench_summary_json(pi),
                      "level_zero", bench_summary_json(ze), "on_top", bench_summary_json(on_top),
                      "on_top_of_minima", pi.min - ze.min, "driver_calls_of_pi",
                      of->of[way].pi_calls, "driver_calls", of->of[way].ze_calls));
}

static json_t *print_medians(void) {
  json_t *list = json_array();
  printf("  %-36s %8s %8s   %8s %8s %8s   %8s   %13s\n", "nanoseconds", "PI", "without", "on top",
         "min", "max", "of minima", "driver calls");
  for (size_t i = 0; i < ROW_COUNT; i++)
    if (!rows[i].is_launch)
      print_row(&rows[i], DIRECT_IMMEDIATE, list);
  for (direct_way way = 0; way < DIRECT_WAYS; way++) {
    printf("  %s\n", way == DIRECT_IMMEDIATE ? "immediate command lists" : "batches");
    for (size_t i = 0; i < ROW_COUNT; i++)
      if (rows[i].is_launch)
        print_row(&rows[i], way, list);
  }
  const bench_summary ratio = bench_ratio(&whole[DIRECT_BATCH], &whole[DIRECT_IMMEDIATE]);
  const bench_summary batch = bench_summarize(&whole[DIRECT_BATCH]);
  const bench_summary immediate = bench_summarize(&whole[DIRECT_IMMEDIATE]);
  printf("\n  %d launches with events and the wait for all, batches to immediate lists: ratio %.3f "
         "(min %.3f, max %.3f, of minima %.3f)\n",
         BURST, ratio.median, ratio.min, ratio.max, batch.min / immediate.min);
  return list;
}

int main(int argc, char **argv) {
  const bench_options options = bench_options_read(argc, argv, usage);
  const unsigned rounds = options.quick ? 11 : 301;
  const char *null = getenv("FAKE_ZE_NULL");
  const bool is_null = null && strcmp(null, "1") == 0;
  static world on;
  open_plugin(&on);
  open_direct(&on);
  printf(
      "Launches through PI and without it, by the Level Zero calls that they need; median of %u\n"
      "rounds of %d launches%s.\n\n",
      rounds, BURST, is_null ? ", none of which the driver executes" : "");
  bench_device_print(&on.device);
  count_calls(&on);
  for (unsigned round = 0; round < rounds; round++)
    measure_round(&on, round);
  check_sums(&on, is_null);
  json_t *about = json_pack("{s:s, s:s, s:o, s:b, s:i, s:i}", "bench", "level_zero_calls", "unit",
                            "nanoseconds", "device", bench_device_json(&on.device), "null", is_null,
                            "rounds", (int)rounds, "burst", BURST);
  json_object_set_new(about, "calls", print_medians());
  printf("\n  driver calls: per launch, through PI and without it%s\n",
         driver_calls() ? "" : "; this driver does not count them");
  bench_write_json(options.json, about);
  close_world(&on);
  return 0;
}

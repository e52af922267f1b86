/*
 * Compares launches through the real libsycl with our plugin and with Intel's. Two processes of
 * the same program, one per plugin, wait for orders. In each round both get the same orders, in an
 * alternating sequence.
 */
#include "support/client.h"
#include "support/report.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
    "Usage: bench-launch [--quick] [--json FILE] --client FILE --specpi FILE --sycl-rt DIR\n"
    "                    --ours FILE --reference FILE\n"
    "Compares launches through DPC++'s libsycl with our plugin and with the reference.\n"
    "\n"
    "  --client FILE     the SYCL program, bench-launch-client\n"
    "  --specpi FILE     the specpi tool, which starts the client with our plugin\n"
    "  --sycl-rt DIR     the directory of libsycl\n"
    "  --ours FILE       our plugin\n"
    "  --reference FILE  the plugin beside that libsycl\n";

/* X(member, option). */
#define FILES(X)                                                                                   \
  X(client, "client")                                                                              \
  X(specpi, "specpi")                                                                              \
  X(runtime, "sycl-rt")                                                                            \
  X(ours, "ours")                                                                                  \
  X(reference, "reference")

typedef struct order_line {
  bench_options common;
#define MEMBER(member, option) char *member;
  FILES(MEMBER)
#undef MEMBER
} order_line;

static order_line read_options(int argc, char **argv) {
  order_line line = {0};
  const bench_file files[] = {
#define FILE_OF(member, option) {option, &line.member},
      FILES(FILE_OF)
#undef FILE_OF
  };
  line.common = bench_options_read_files(argc, argv, usage, sizeof files / sizeof *files, files);
  return line;
}

typedef struct row {
  const char *order, *text;
  int count;
  bench_client_times ours, reference;
} row;

static row rows[] = {
    {.order = "wait", .text = "empty kernel, wait for each", .count = 50},
    {.order = "flood", .text = "empty kernels, one wait at the end", .count = 100},
    {.order = "arguments", .text = "five arguments, wait for each", .count = 50},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static json_t *print_medians(void) {
  json_t *list = json_array();
  printf("  %-34s %8s %8s   %7s %6s .. %-6s %10s %8s\n", "launches per second", "ours", "Intel's",
         "ratio", "min", "max", "of fastest", "thread");
  for (size_t i = 0; i < ROW_COUNT; i++) {
    const row *of = &rows[i];
    const bench_summary ours = bench_summarize(&of->ours.passed);
    const bench_summary reference = bench_summarize(&of->reference.passed);
    const bench_summary ratio = bench_ratio(&of->ours.passed, &of->reference.passed);
    const bench_summary thread = bench_ratio(&of->ours.thread, &of->reference.thread);
    printf("  %-34s %8.0f %8.0f   %7.3f %6.2f .. %-6.2f %10.3f %8.3f\n", of->text,
           1e9 / ours.median, 1e9 / reference.median, ratio.median, ratio.min, ratio.max,
           ours.min / reference.min, thread.median);
    json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o, s:o, s:f}", "launch", of->order,
                                          "ours", bench_client_times_json(&of->ours), "reference",
                                          bench_client_times_json(&of->reference), "ratio",
                                          bench_summary_json(ratio), "ratio_of_thread",
                                          bench_summary_json(thread), "ratio_of_min",
                                          ours.min / reference.min));
  }
  printf("\n  thread: the ratio of the time that the launching thread spent on a processor, which "
         "does\n"
         "  not count when it waits for one\n");
  return list;
}

/* The two clients. */
typedef struct pair {
  bench_client ours, reference;
} pair;

static pair start_pair(const order_line *line, bool ours_first) {
  char run[] = "run", runtime[] = "--sycl-rt", end[] = "--";
  char *const with_ours[] = {line->specpi, run, runtime, line->runtime, end, line->client, NULL};
  char *const with_reference[] = {line->client, NULL};
  pair made;
  if (ours_first)
    made.ours = bench_client_start("our plugin", with_ours);
  made.reference = bench_client_start("Intel's plugin", with_reference);
  if (!ours_first)
    made.ours = bench_client_start("our plugin", with_ours);
  bench_client_check_plugin(&made.ours, line->ours);
  bench_client_check_plugin(&made.reference, line->reference);
  /* Warms up: first launches take longer. */
  for (size_t i = 0; i < ROW_COUNT; i++) {
    bench_client_measure(&made.ours, rows[i].order, rows[i].count, NULL);
    bench_client_measure(&made.reference, rows[i].order, rows[i].count, NULL);
  }
  return made;
}

static void measure_round(pair *on, unsigned round) {
  for (size_t i = 0; i < ROW_COUNT; i++)
    for (unsigned turn = 0; turn < 2; turn++) {
      if ((round + turn) % 2 == 0)
        bench_client_measure(&on->ours, rows[i].order, rows[i].count, &rows[i].ours);
      else
        bench_client_measure(&on->reference, rows[i].order, rows[i].count, &rows[i].reference);
    }
}

int main(int argc, char **argv) {
  const order_line line = read_options(argc, argv);
  const unsigned pairs = line.common.quick ? 2 : 10;
  const unsigned rounds = line.common.quick ? 11 : 100;
  signal(SIGPIPE, SIG_IGN); /* if a client ends, its missing answer is the error */
  printf("Launches through DPC++'s libsycl, our plugin against Intel's: time of ours to time of\n"
         "theirs, two processes in turns, started %u times, median of %u rounds.\n\n",
         pairs, pairs * rounds);
  json_t *about = NULL;
  for (unsigned i = 0; i < pairs; i++) {
    /* Uses several pairs, because a process's addresses affect its times. */
    pair both = start_pair(&line, i % 2 == 0);
    for (unsigned round = 0; round < rounds; round++)
      measure_round(&both, round);
    if (!about) {
      printf("  device  %s\n  ours    %s\n  Intel's %s\n\n", both.ours.device, both.ours.plugin,
             both.reference.plugin);
      about =
          json_pack("{s:s, s:s, s:s, s:s, s:s, s:i}", "bench", "launch", "unit",
                    "nanoseconds per launch", "device", both.ours.device, "ours", both.ours.plugin,
                    "reference", both.reference.plugin, "rounds", (int)(pairs * rounds));
    }
    bench_client_stop(&both.ours);
    bench_client_stop(&both.reference);
  }
  json_object_set_new(about, "launches", print_medians());
  bench_write_json(line.common.json, about);
  return 0;
}

/*
 * Compares launches through the real libsycl and our plugin with launches of a program that calls
 * Level Zero directly, each with immediate command lists and with batches. Four processes wait for
 * orders. In each round all get the same order in turns, and a different one comes first.
 */
#include "../support/client.h"
#include "../support/report.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: bench-level_zero-launch [--quick] [--json FILE] --client FILE --direct FILE\n"
    "                               --specpi FILE --sycl-rt DIR --plugin FILE\n"
    "Compares launches through DPC++'s libsycl and our plugin with bare Level Zero calls, on the\n"
    "driver that the environment leads to.\n"
    "\n"
    "  --client FILE   the SYCL program, bench-launch-client\n"
    "  --direct FILE   the program without SYCL, bench-level_zero-client\n"
    "  --specpi FILE   the specpi tool, which starts the client with our plugin\n"
    "  --sycl-rt DIR   the directory of libsycl\n"
    "  --plugin FILE   our plugin\n";

/* X(member, option). */
#define FILES(X)                                                                                   \
  X(client, "client")                                                                              \
  X(direct, "direct")                                                                              \
  X(specpi, "specpi")                                                                              \
  X(runtime, "sycl-rt")                                                                            \
  X(plugin, "plugin")

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

/* X(NAME, text, whether it uses libsycl, the value of SPECPI_LEVEL_ZERO_COMMAND_LISTS). */
#define CLIENTS(X)                                                                                 \
  X(SYCL_IMMEDIATE, "libsycl, immediate lists", true, "immediate")                                 \
  X(SYCL_BATCH, "libsycl, batches", true, "batch")                                                 \
  X(BARE_IMMEDIATE, "bare calls, immediate lists", false, "immediate")                             \
  X(BARE_BATCH, "bare calls, batches", false, "batch")

typedef enum client_id {
#define CLIENT(NAME, text, is_sycl, lists) NAME,
  CLIENTS(CLIENT)
#undef CLIENT
      CLIENT_COUNT
} client_id;

static const struct {
  const char *text;
  bool is_sycl;
  const char *lists;
} clients[] = {
#define CLIENT(NAME, text, is_sycl, lists) {text, is_sycl, lists},
    CLIENTS(CLIENT)
#undef CLIENT
};

typedef struct row {
  const char *order, *text;
  int count;
  bool checks; /* the client checks results, so the driver must execute kernels */
  bench_client_times of[CLIENT_COUNT];
} row;

static row rows[] = {
    {.order = "wait", .text = "empty kernel, wait for each", .count = 50},
    {.order = "flood", .text = "empty kernels, one wait at the end", .count = 100},
    {.order = "arguments", .text = "five arguments, wait for each", .count = 50, .checks = true},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* True if the fake driver completes commands without executing them. */
static bool is_null;

static bench_client start_client(const order_line *line, client_id which) {
  char env[] = "/usr/bin/env", run[] = "run", runtime[] = "--sycl-rt", end[] = "--";
  char plugin[] = "libpi_level_zero.so", variable[64], lists[16];
  snprintf(lists, sizeof lists, "%s", clients[which].lists);
  snprintf(variable, sizeof variable, "SPECPI_LEVEL_ZERO_COMMAND_LISTS=%s", lists);
  char *const sycl[] = {env,           variable, line->specpi, run,    runtime,
                        line->runtime, end,      line->client, plugin, NULL};
  char *const bare[] = {line->direct, lists, NULL};
  return bench_client_start(clients[which].text, clients[which].is_sycl ? sycl : bare);
}

static void measure_client(bench_client *on, unsigned round, bool keep) {
  for (size_t i = 0; i < ROW_COUNT; i++)
    for (unsigned turn = 0; turn < CLIENT_COUNT && !(is_null && rows[i].checks); turn++) {
      const unsigned which = (round + turn) % CLIENT_COUNT;
      bench_client_measure(&on[which], rows[i].order, rows[i].count,
                           keep ? &rows[i].of[which] : NULL);
    }
}

/* X(first, second, text): the pairs of clients to compare. */
#define COMPARISONS(X)                                                                             \
  X(SYCL_IMMEDIATE, BARE_IMMEDIATE, "libsycl to bare calls, immediate lists")                      \
  X(SYCL_BATCH, BARE_BATCH, "libsycl to bare calls, batches")                                      \
  X(SYCL_BATCH, SYCL_IMMEDIATE, "batches to immediate lists, libsycl")                             \
  X(BARE_BATCH, BARE_IMMEDIATE, "batches to immediate lists, bare calls")

static void compare_clients(const row *of, client_id first, client_id second, const char *text,
                            json_t *list) {
  const bench_series *left = &of->of[first].passed, *right = &of->of[second].passed;
  const bench_summary ratio = bench_ratio(left, right);
  const double minima = bench_summarize(left).min / bench_summarize(right).min;
  const bench_summary thread = bench_ratio(&of->of[first].thread, &of->of[second].thread);
  printf("    %-42s %7.3f %6.2f .. %-6.2f %10.3f %8.3f\n", text, ratio.median, ratio.min, ratio.max,
         minima, thread.median);
  json_array_append_new(list, json_pack("{s:s, s:o, s:f, s:o}", "ratio_of", text, "passed",
                                        bench_summary_json(ratio), "of_minima", minima, "thread",
                                        bench_summary_json(thread)));
}

static json_t *print_medians(void) {
  json_t *list = json_array();
  for (size_t i = 0; i < ROW_COUNT; i++) {
    const row *of = &rows[i];
    if (is_null && of->checks)
      continue;
    json_t *times = json_object(), *ratios = json_array();
    printf("  %-44s %10s\n", of->text, "per second");
    for (unsigned which = 0; which < CLIENT_COUNT; which++) {
      printf("    %-42s %10.0f\n", clients[which].text,
             1e9 / bench_summarize(&of->of[which].passed).median);
      json_object_set_new(times, clients[which].text, bench_client_times_json(&of->of[which]));
    }
    printf("    %-42s %7s %6s .. %-6s %10s %8s\n", "time of the first to time of the second",
           "ratio", "min", "max", "of minima", "thread");
#define COMPARE(first, second, text) compare_clients(of, first, second, text, ratios);
    COMPARISONS(COMPARE)
#undef COMPARE
    json_array_append_new(
        list, json_pack("{s:s, s:o, s:o}", "launch", of->order, "times", times, "ratios", ratios));
  }
  printf("\n  thread: the ratio of the time that the launching thread spent on a processor\n");
  return list;
}

int main(int argc, char **argv) {
  const order_line line = read_options(argc, argv);
  const unsigned starts = line.common.quick ? 1 : 5;
  const unsigned rounds = line.common.quick ? 7 : 60;
  const char *null = getenv("FAKE_ZE_NULL");
  is_null = null && strcmp(null, "1") == 0;
  signal(SIGPIPE, SIG_IGN); /* if a client ends, its missing answer is the error */
  printf("Launches through DPC++'s libsycl and our plugin, and by bare Level Zero calls: four\n"
         "processes in turns, started %u times, median of %u rounds%s.\n\n",
         starts, starts * rounds, is_null ? "; the driver executes nothing" : "");
  json_t *about = NULL;
  for (unsigned i = 0; i < starts; i++) {
    /* Starts new processes several times, because a process's addresses affect its times. */
    bench_client on[CLIENT_COUNT];
    for (unsigned which = 0; which < CLIENT_COUNT; which++) {
      on[which] = start_client(&line, (client_id)which);
      if (clients[which].is_sycl)
        bench_client_check_plugin(&on[which], line.plugin);
    }
    measure_client(on, 0, false); /* the warm-up */
    for (unsigned round = 0; round < rounds; round++)
      measure_client(on, round, true);
    if (!about) {
      printf("  device  %s\n  plugin  %s\n\n", on[0].device, on[0].plugin);
      about = json_pack("{s:s, s:s, s:s, s:s, s:i}", "bench", "level_zero_launch", "unit",
                        "nanoseconds per launch", "device", on[0].device, "plugin", on[0].plugin,
                        "rounds", (int)(starts * rounds));
    }
    for (unsigned which = 0; which < CLIENT_COUNT; which++)
      bench_client_stop(&on[which]);
  }
  json_object_set_new(about, "launches", print_medians());
  bench_write_json(line.common.json, about);
  return 0;
}

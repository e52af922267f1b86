/*
 * Launches through the real libsycl: our plugin against Intel's. Two processes of the
 * same program wait for orders, one with each plugin; in each round both get the same order,
 * one after the other, and the one which is first changes.
 */
#define _POSIX_C_SOURCE 200809L /* posix_spawn, fdopen */
#include "support/report.h"

#include <getopt.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char usage[] =
    "Usage: bench-launch [--quick] [--json FILE] --client FILE --specpi FILE --sycl-rt DIR\n"
    "                    --ours FILE --reference FILE\n"
    "Compares launches through DPC++'s libsycl with our plugin and with the reference.\n"
    "\n"
    "  --client FILE     the SYCL program, bench-launch-client\n"
    "  --specpi FILE     the specpi tool, which starts the client with our plugin\n"
    "  --sycl-rt DIR     the folder of libsycl\n"
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
  enum {
    FIRST_FILE = 256,
#define NUMBER(member, option) OPTION_##member,
    FILES(NUMBER)
#undef NUMBER
  };
  static const struct option known[] = {{"quick", no_argument, NULL, 'q'},
                                        {"json", required_argument, NULL, 'j'},
                                        {"help", no_argument, NULL, 'h'},
#define OPTION(member, option) {option, required_argument, NULL, OPTION_##member},
                                        FILES(OPTION)
#undef OPTION
                                            {0}};
  order_line line = {0};
  for (int letter; (letter = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    switch (letter) {
    case 'q':
      line.common.quick = true;
      break;
    case 'j':
      line.common.json = optarg;
      break;
#define TAKE(member, option)                                                                       \
  case OPTION_##member:                                                                            \
    line.member = optarg;                                                                          \
    break;
      FILES(TAKE)
#undef TAKE
    default:
      fputs(usage, letter == 'h' ? stdout : stderr);
      exit(letter == 'h' ? 0 : 2);
    }
  }
#define REQUIRED(member, option) line.member &&
  if (!(FILES(REQUIRED) optind == argc)) {
#undef REQUIRED
    fputs(usage, stderr);
    exit(2);
  }
  return line;
}

/* A running client. */
typedef struct client {
  const char *who;
  pid_t process;
  FILE *orders, *answers;
  char device[256];
  char plugin[4096]; /* the file that is mapped in the client */
} client;

static void make_pipe(int ends[2]) {
  if (pipe(ends) != 0)
    bench_die("the system has no pipe left");
}

/* Both ends that are ours close when a client starts, so the clients do not hold each other's. */
static client start(const char *who, char *const *command) {
  client started = {.who = who};
  int orders[2], answers[2];
  make_pipe(orders);
  make_pipe(answers);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, orders[0], 0);
  posix_spawn_file_actions_adddup2(&actions, answers[1], 1);
  for (int fd = 3; fd <= answers[1]; fd++)
    posix_spawn_file_actions_addclose(&actions, fd);
  const int error = posix_spawn(&started.process, command[0], &actions, NULL, command, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error)
    bench_die("%s cannot be started: %s", command[0], strerror(error));
  close(orders[0]);
  close(answers[1]);
  started.orders = fdopen(orders[1], "w");
  started.answers = fdopen(answers[0], "r");
  if (!started.orders || !started.answers)
    bench_die("no memory for a stream");
  if (fscanf(started.answers, "ready %255[^\t]\t%4095[^\n]%*1[\n]", started.device,
             started.plugin) != 2)
    bench_die("the client with %s did not get ready", who);
  return started;
}

static void stop(client *of) {
  fclose(of->orders);
  fclose(of->answers);
  int status;
  if (waitpid(of->process, &status, 0) != of->process || status != 0)
    bench_die("the client with %s ended with status %d", of->who, status);
}

/* Whether two files have the same bytes. */
static bool same_contents(const char *left, const char *right) {
  FILE *files[2] = {fopen(left, "rb"), fopen(right, "rb")};
  bool same = files[0] && files[1];
  while (same) {
    const int byte = fgetc(files[0]);
    same = byte == fgetc(files[1]);
    if (byte == EOF)
      break;
  }
  for (size_t i = 0; i < 2; i++)
    if (files[i])
      fclose(files[i]);
  return same;
}

/* specpi run gives the client a copy of the plugin, so it is the bytes that are compared. */
static void check_plugin(const client *of, const char *expected) {
  if (!same_contents(of->plugin, expected))
    bench_die("the client with %s has mapped %s, which is not %s", of->who, of->plugin, expected);
}

/* Nanoseconds per launch: what passed, and what the launching thread took of a processor. */
typedef struct times {
  bench_series passed, thread;
} times;

typedef struct row {
  const char *order, *text;
  int count;
  times ours, reference;
} row;

static row rows[] = {
    {.order = "wait", .text = "empty kernel, wait for each", .count = 50},
    {.order = "flood", .text = "empty kernels, one wait at the end", .count = 100},
    {.order = "arguments", .text = "five arguments, wait for each", .count = 50},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* Adds one measurement to times, unless that is NULL. */
static void measure(client *on, const row *of, times *to) {
  fprintf(on->orders, "%s %d\n", of->order, of->count);
  fflush(on->orders);
  char answer[64], *middle = answer, *end = answer;
  double passed = 0.0, thread = 0.0;
  if (fgets(answer, sizeof answer, on->answers)) {
    passed = strtod(answer, &middle);
    thread = strtod(middle, &end);
  }
  if (end == answer || end == middle)
    bench_die("the client with %s ended before its answer", on->who);
  if (!to)
    return;
  bench_add(&to->passed, passed / of->count);
  bench_add(&to->thread, thread / of->count);
}

static json_t *times_json(const times *of) {
  return json_pack("{s:o, s:o}", "passed", bench_summary_json(bench_summarize(&of->passed)),
                   "thread", bench_summary_json(bench_summarize(&of->thread)));
}

static json_t *print(void) {
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
    json_array_append_new(
        list, json_pack("{s:s, s:o, s:o, s:o, s:o, s:f}", "launch", of->order, "ours",
                        times_json(&of->ours), "reference", times_json(&of->reference), "ratio",
                        bench_summary_json(ratio), "ratio_of_thread", bench_summary_json(thread),
                        "ratio_of_min", ours.min / reference.min));
  }
  printf("\n  thread: the ratio of the time that the launching thread spent on a processor, which "
         "does\n"
         "  not count when it waits for one\n");
  return list;
}

/* The two clients. */
typedef struct pair {
  client ours, reference;
} pair;

static pair start_pair(const order_line *line, bool ours_first) {
  char run[] = "run", runtime[] = "--sycl-rt", end[] = "--";
  char *const with_ours[] = {line->specpi, run, runtime, line->runtime, end, line->client, NULL};
  char *const with_reference[] = {line->client, NULL};
  pair made;
  if (ours_first)
    made.ours = start("our plugin", with_ours);
  made.reference = start("Intel's plugin", with_reference);
  if (!ours_first)
    made.ours = start("our plugin", with_ours);
  check_plugin(&made.ours, line->ours);
  check_plugin(&made.reference, line->reference);
  /* First launches do what later ones need not. */
  for (size_t i = 0; i < ROW_COUNT; i++) {
    measure(&made.ours, &rows[i], NULL);
    measure(&made.reference, &rows[i], NULL);
  }
  return made;
}

static void measure_round(pair *on, unsigned round) {
  for (size_t i = 0; i < ROW_COUNT; i++)
    for (unsigned turn = 0; turn < 2; turn++) {
      if ((round + turn) % 2 == 0)
        measure(&on->ours, &rows[i], &rows[i].ours);
      else
        measure(&on->reference, &rows[i], &rows[i].reference);
    }
}

int main(int argc, char **argv) {
  const order_line line = read_options(argc, argv);
  const unsigned pairs = line.common.quick ? 2 : 10;
  const unsigned rounds = line.common.quick ? 11 : 100;
  signal(SIGPIPE, SIG_IGN); /* a client that ended shows by the answer that is missing */
  printf("Launches through DPC++'s libsycl, our plugin against Intel's: time of ours to time of\n"
         "theirs, two processes in turns, started %u times, median of %u rounds.\n\n",
         pairs, pairs * rounds);
  json_t *about = NULL;
  for (unsigned i = 0; i < pairs; i++) {
    /* Where a process comes to lie in memory has its own effect, so there are several. */
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
    stop(&both.ours);
    stop(&both.reference);
  }
  json_object_set_new(about, "launches", print());
  bench_write_json(line.common.json, about);
  return 0;
}

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

/* Nanoseconds per launch. */
static double measure(client *on, const char *order, int count) {
  fprintf(on->orders, "%s %d\n", order, count);
  fflush(on->orders);
  char answer[64], *end = answer;
  const double elapsed = fgets(answer, sizeof answer, on->answers) ? strtod(answer, &end) : 0.0;
  if (end == answer)
    bench_die("the client with %s ended before its answer", on->who);
  return elapsed / count;
}

typedef struct row {
  const char *order, *text;
  int count;
  bench_series ours, reference;
} row;

static row rows[] = {
    {"wait", "empty kernel, wait for each", 200, {0}, {0}},
    {"flood", "empty kernels, one wait at the end", 500, {0}, {0}},
    {"arguments", "five arguments, wait for each", 200, {0}, {0}},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static json_t *print(void) {
  json_t *list = json_array();
  printf("  %-34s %9s %9s   %8s %7s .. %-6s %s\n", "launches per second", "ours", "Intel's",
         "ratio", "min", "max", "of minima");
  for (size_t i = 0; i < ROW_COUNT; i++) {
    const bench_summary ours = bench_summarize(&rows[i].ours);
    const bench_summary reference = bench_summarize(&rows[i].reference);
    const bench_summary ratio = bench_ratio(&rows[i].ours, &rows[i].reference);
    printf("  %-34s %9.0f %9.0f   %8.3f %7.2f .. %-6.2f %9.3f\n", rows[i].text, 1e9 / ours.median,
           1e9 / reference.median, ratio.median, ratio.min, ratio.max, ours.min / reference.min);
    json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o, s:f}", "launch", rows[i].order,
                                          "ours", bench_summary_json(ours), "reference",
                                          bench_summary_json(reference), "ratio",
                                          bench_summary_json(ratio), "ratio_of_min",
                                          ours.min / reference.min));
  }
  return list;
}

int main(int argc, char **argv) {
  order_line line = read_options(argc, argv);
  const unsigned rounds = line.common.quick ? 11 : 201;
  char run[] = "run", runtime[] = "--sycl-rt", end[] = "--";
  char *const with_ours[] = {line.specpi, run, runtime, line.runtime, end, line.client, NULL};
  char *const with_reference[] = {line.client, NULL};
  client ours = start("our plugin", with_ours);
  client reference = start("Intel's plugin", with_reference);
  signal(SIGPIPE, SIG_IGN); /* a client that ended shows by the answer that is missing */
  check_plugin(&ours, line.ours);
  check_plugin(&reference, line.reference);

  printf("Launches through DPC++'s libsycl, our plugin against Intel's: time of ours to time of\n"
         "theirs, two processes in turns, median of %u rounds.\n\n"
         "  device  %s\n  ours    %s\n  Intel's %s\n\n",
         rounds, ours.device, ours.plugin, reference.plugin);
  for (size_t i = 0; i < ROW_COUNT; i++) { /* first launches do what later ones need not */
    measure(&ours, rows[i].order, rows[i].count);
    measure(&reference, rows[i].order, rows[i].count);
  }
  for (unsigned round = 0; round < rounds; round++)
    for (size_t i = 0; i < ROW_COUNT; i++)
      for (unsigned turn = 0; turn < 2; turn++) {
        if ((round + turn) % 2 == 0)
          bench_add(&rows[i].ours, measure(&ours, rows[i].order, rows[i].count));
        else
          bench_add(&rows[i].reference, measure(&reference, rows[i].order, rows[i].count));
      }
  bench_write_json(line.common.json,
                   json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:o}", "bench", "launch", "unit",
                             "nanoseconds per launch", "device", ours.device, "ours", ours.plugin,
                             "reference", reference.plugin, "rounds", (int)rounds, "launches",
                             print()));
  stop(&ours);
  stop(&reference);
  return 0;
}

#define _POSIX_C_SOURCE 200809L /* posix_spawn, fdopen */
#include "client.h"

#include "report.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void make_pipe(int ends[2]) {
  if (pipe(ends) != 0)
    bench_die("the system has no pipe left");
}

bench_client bench_client_start(const char *who, char *const *command) {
  bench_client started = {.who = who};
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

void bench_client_stop(bench_client *of) {
  fclose(of->orders);
  fclose(of->answers);
  int status;
  if (waitpid(of->process, &status, 0) != of->process || status != 0)
    bench_die("the client with %s ended with status %d", of->who, status);
}

/* Returns whether two files have the same bytes. */
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

void bench_client_check_plugin(const bench_client *of, const char *expected) {
  if (!same_contents(of->plugin, expected))
    bench_die("the client with %s has mapped %s, which is not %s", of->who, of->plugin, expected);
}

void bench_client_measure(bench_client *on, const char *order, int count, bench_client_times *to) {
  fprintf(on->orders, "%s %d\n", order, count);
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
  bench_add(&to->passed, passed / count);
  bench_add(&to->thread, thread / count);
}

json_t *bench_client_times_json(const bench_client_times *of) {
  return json_pack("{s:o, s:o}", "passed", bench_summary_json(bench_summarize(&of->passed)),
                   "thread", bench_summary_json(bench_summarize(&of->thread)));
}

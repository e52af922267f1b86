/* Measures builds that the plugin keeps in a directory, in a process that has the directory. */
#define _GNU_SOURCE /* mkdtemp, nftw, setenv, pipe2 */
#include "ready.h"

#include "../../test/support/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Environment variable with the number of rounds, set only in the process with a directory. */
static const char variable[] = "BENCH_CUDA_DIRECTORY";

/* The set of values of round 0. */
enum { FIRST_SET = 2000 };

/* ---- Generators ---- */

static bool read_line(const char *path, char *line, int size) {
  FILE *file = fopen(path, "re");
  const bool is_read = file && fgets(line, size, file);
  if (file)
    fclose(file);
  return is_read;
}

/* Kills a thread's children named specpi-codegen. */
static void end_children(const char *thread) {
  char path[300];
  char numbers[4096] = "";
  char name[64];
  snprintf(path, sizeof path, "/proc/self/task/%s/children", thread);
  read_line(path, numbers, sizeof numbers);
  char *at = numbers;
  for (long child; (child = strtol(at, &at, 10)) > 0;) {
    snprintf(path, sizeof path, "/proc/%ld/comm", child);
    if (read_line(path, name, sizeof name) && strncmp(name, "specpi-codegen", 14) == 0)
      kill((pid_t)child, SIGKILL);
  }
}

void ready_end_generators(void) {
  DIR *threads = opendir("/proc/self/task");
  for (struct dirent *entry; threads && (entry = readdir(threads));)
    if (entry->d_name[0] != '.')
      end_children(entry->d_name);
  if (threads)
    closedir(threads);
}

/* ---- The process with a directory ---- */

/* Measures a build, and the same in a new context, which loads it from the directory. */
static void measure_round(const cuda_bench *bench, pi_program program, unsigned set) {
  const bench_device *device = &bench->device;
  const double kept = ready_time_native(bench, program, set);
  pi_context context;
  BENCH_PI(device, piContextCreate, NULL, 1, &device->device, NULL, NULL, &context);
  const pi_program again = ready_open_native(bench, context);
  const double loaded = ready_time_native(bench, again, set);
  BENCH_PI(device, piProgramRelease, again);
  BENCH_PI(device, piContextRelease, context);
  printf("%.17g %.17g\n", kept, loaded);
}

bool ready_directory_main(const cuda_bench *bench) {
  const char *text = getenv(variable);
  if (!text)
    return false;
  const unsigned rounds = (unsigned)strtoul(text, NULL, 10);
  const pi_program program = ready_open_native(bench, bench->device.context);
  for (unsigned round = 0; round <= rounds && program; round++)
    measure_round(bench, program, FIRST_SET + round);
  if (program)
    BENCH_PI(&bench->device, piProgramRelease, program);
  return true;
}

/* Becomes the process with a directory, which writes its times to a pipe. */
static void run_process(const char *directory, unsigned rounds, int to) {
  char number[16];
  snprintf(number, sizeof number, "%u", rounds);
  setenv(variable, number, 1);
  setenv("SPECPI_CACHE_DIR", directory, 1);
  dup2(to, STDOUT_FILENO);
  execl("/proc/self/exe", "bench-cuda", (char *)NULL);
  _exit(1);
}

/* Reads the times of the rounds, and drops the first round, which is the warm-up. */
static void read_rounds(FILE *lines, bench_series *kept, bench_series *loaded) {
  char line[128];
  char *rest;
  for (unsigned round = 0; fgets(line, sizeof line, lines); round++) {
    const double first = strtod(line, &rest);
    const double second = strtod(rest, NULL);
    if (round == 0)
      continue;
    bench_add(kept, first);
    bench_add(loaded, second);
  }
}

void ready_measure_directory(unsigned rounds, bench_series *kept, bench_series *loaded) {
  char directory[] = "/tmp/specpi-bench-XXXXXX";
  int ends[2];
  int status;
  if (!mkdtemp(directory) || pipe2(ends, O_CLOEXEC))
    bench_die("there is no directory in /tmp, or no pipe");
  const pid_t process = fork();
  if (process == 0)
    run_process(directory, rounds, ends[1]);
  close(ends[1]);
  FILE *lines = fdopen(ends[0], "r");
  if (process < 0 || !lines)
    bench_die("no process can be started");
  read_rounds(lines, kept, loaded);
  fclose(lines);
  if (waitpid(process, &status, 0) != process || status != 0 || kept->count != rounds)
    bench_die("the process with a directory has failed");
  scratch_remove(directory);
}

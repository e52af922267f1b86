/* Threads that are cancelled or ended by exit during a build leave no lock held. */
#define _GNU_SOURCE /* mkdtemp */
#include "run.h"

#include "../support/scratch.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ID = 105, ROUNDS = 40 };

#ifdef __SANITIZE_THREAD__
/* By default ThreadSanitizer ends a child that starts threads if its parent had threads. */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
  return "die_after_fork=0";
}
#endif

static char directory[] = "/tmp/specpi-ur-cancel-XXXXXX";

/* Builds a program with a constant's value that no other call uses, so that it is not yet built. */
static void *build_value(void *data) {
  const uint32_t value = *(const uint32_t *)data;
  const ur_specialization_constant_info_t info = {ID, sizeof value, &value};
  const ur_program_handle_t program = run_program(MODULE_scalars);
  ur_result_t result = UR(urProgramSetSpecializationConstants)(program, 1, &info);
  if (result == UR_RESULT_SUCCESS)
    result = run_build(program, "");
  UR(urProgramRelease)(program);
  return result == UR_RESULT_SUCCESS ? NULL : (void *)1;
}

/* Cancels each thread at a later point of its build, and then builds the same program itself. */
TEST(cancelled_builds_leave_nothing_locked) {
  alarm(100);
  for (uint32_t i = 0; i < ROUNDS; i++) {
    const uint32_t value = 50000 + i;
    pthread_t thread;
    void *ignored;
    assert_int_equal(pthread_create(&thread, NULL, build_value, (void *)(uintptr_t)&value), 0);
    nanosleep(&(struct timespec){.tv_nsec = 500000 + 700000L * i}, NULL);
    assert_int_equal(pthread_cancel(thread), 0);
    assert_int_equal(pthread_join(thread, &ignored), 0);
    assert_null(build_value((void *)(uintptr_t)&value));
  }
  alarm(0);
}

static void *build_always(void *data) {
  for (uint32_t value = *(const uint32_t *)data; !build_value(&value); value += 8)
    ;
  return data;
}

/*
 * Builds in four threads of a child process and exits meanwhile. The slow destructor of late.c
 * gives the threads some time after the adapter's destructor has run.
 */
static _Noreturn void exit_beside_builds(void) {
  static const uint32_t first[4] = {0, 1, 2, 3};
  alarm(30);
  for (int i = 0; i < 4; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, build_always, (void *)(uintptr_t)&first[i]) != 0)
      _exit(1);
  }
  nanosleep(&(struct timespec){.tv_nsec = 400000000}, NULL);
  exit(0);
}

TEST(exit_during_builds_succeeds) {
  for (int i = 0; i < 3; i++) {
    const pid_t child = tests_fork();
    if (child == 0)
      exit_beside_builds();
    tests_join(child);
  }
}

int main(int argc, char **argv) {
  const bool has_directory = argc > 4;
  if (has_directory && (!mkdtemp(directory) || setenv("SPECPI_CACHE_DIR", directory, 1) != 0))
    return 1;
  world_open(argc, argv);
  if (argc < 4 || !dlopen(argv[3], RTLD_NOW))
    return 1;
  const int failed = tests_run(run_open, run_close);
  if (has_directory)
    scratch_remove(directory);
  return failed;
}

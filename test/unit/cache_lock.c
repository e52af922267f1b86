/* The lock of a build: for one at a time, in all processes, and for nobody who is gone. */
#define _GNU_SOURCE /* mkdtemp */
#include "cache_check.h"

#include "../../plugins/base/cache_lock.h"
#include "../../plugins/base/os.h"
#include "../support/scratch.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY = 24, PROCESSES = 64 };

/* How a process ends that found the program, and that built it. */
enum { FOUND = 10, BUILT };

static char folder[PATH_MAX / 2];
static cache_key_writer writers[2];
static cache_key keys[2];

static int setup(void **state) {
  (void)state;
  const char *temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/specpi-lock-test-XXXXXX", temporary ? temporary : "/tmp");
  assert_non_null(mkdtemp(folder));
  for (unsigned i = 0; i < 2; i++)
    keys[i] = number_key(&writers[i], i, KEY);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  assert_int_equal(scratch_remove(folder), 0);
  return 0;
}

/* A name in the folder. */
static const char *in(const char *name) {
  static char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static uint64_t minute(void) {
  return os_time_ns() + UINT64_C(60) * 1000000000u;
}

static void one_at_a_time(void **state) {
  (void)state;
  cache_lock first = CACHE_LOCK_INITIALIZER, second = CACHE_LOCK_INITIALIZER;
  cache_lock other = CACHE_LOCK_INITIALIZER;
  assert_int_equal(cache_lock_take(folder, &keys[0], 0, 0, &first), CACHE_LOCK_TAKEN);
  assert_int_equal(cache_lock_take(folder, &keys[0], 0, 0, &second), CACHE_LOCK_LATE);
  assert_int_equal(second.file, -1);
  /* Not for ever. */
  assert_int_equal(cache_lock_take(folder, &keys[0], 0, os_time_ns() + 5000000, &second),
                   CACHE_LOCK_LATE);
  assert_int_equal(cache_lock_take(folder, &keys[1], 0, 0, &other), CACHE_LOCK_TAKEN);
  cache_lock_release(&other);
  cache_lock_release(&other);
  assert_int_equal(cache_lock_take(folder, &keys[0], 0, 0, &second), CACHE_LOCK_LATE);
  /* Those whom it keeps waiting have another one. */
  assert_int_equal(cache_lock_take(folder, &keys[0], 1, 0, &second), CACHE_LOCK_TAKEN);
  assert_int_equal(cache_lock_take(folder, &keys[0], 1, 0, &other), CACHE_LOCK_LATE);
  cache_lock_release(&second);
  cache_lock_release(&first);
  assert_int_equal(cache_lock_take(folder, &keys[0], 0, 0, &second), CACHE_LOCK_TAKEN);
  cache_lock_release(&second);
  struct stat status;
  assert_int_equal(stat(in(CACHE_LOCK_FILE), &status), 0);
  assert_int_equal(status.st_mode & 07777, 0600);
  assert_int_equal(status.st_size, 0);
}

/* A child that an application forks has all of its files; the lock is not among them. */
static void forked_children_hold_nothing(void **state) {
  (void)state;
  cache_lock lock = CACHE_LOCK_INITIALIZER, again = CACHE_LOCK_INITIALIZER;
  assert_int_equal(cache_lock_take(folder, &keys[0], 0, 0, &lock), CACHE_LOCK_TAKEN);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0)
    for (;;)
      pause();
  cache_lock_release(&lock);
  assert_int_equal(cache_lock_take(folder, &keys[0], 0, 0, &again), CACHE_LOCK_TAKEN);
  cache_lock_release(&again);
  assert_int_equal(kill(child, SIGKILL), 0);
  assert_int_equal(waitpid(child, NULL, 0), child);
}

/* As cache_folder.c goes about it; the first one that builds dies of it. */
static int find_or_build(void) {
  for (;;) {
    cache_lock lock = CACHE_LOCK_INITIALIZER;
    if (access(in("program"), F_OK) == 0)
      return FOUND;
    const cache_lock_state taken = cache_lock_take(folder, &keys[0], 0, minute(), &lock);
    if (taken == CACHE_LOCK_NONE || taken == CACHE_LOCK_LATE)
      return 1;
    if (access(in("program"), F_OK) == 0)
      return FOUND;
    if (taken == CACHE_LOCK_PASSED)
      continue;
    const int log = open(in("builds"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct stat status;
    if (log < 0 || write(log, "x", 1) != 1 || fstat(log, &status) != 0)
      return 1;
    if (status.st_size == 1)
      raise(SIGKILL);
    close(open(in("program"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    cache_lock_release(&lock);
    return BUILT;
  }
}

static void one_build_in_many_processes(void **state) {
  (void)state;
  pid_t children[PROCESSES];
  unsigned found = 0, built = 0, killed = 0;
  for (unsigned i = 0; i < PROCESSES; i++) {
    children[i] = fork();
    assert_true(children[i] >= 0);
    if (children[i] == 0)
      _exit(find_or_build());
  }
  for (unsigned i = 0; i < PROCESSES; i++) {
    int status;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    found += WIFEXITED(status) && WEXITSTATUS(status) == FOUND;
    built += WIFEXITED(status) && WEXITSTATUS(status) == BUILT;
  }
  assert_int_equal(killed, 1);
  assert_int_equal(built, 1);
  assert_int_equal(found, PROCESSES - 2);
}

/* Without a lock everybody builds; nothing fails for it. */
static void no_lock(void **state) {
  (void)state;
  cache_lock lock = CACHE_LOCK_INITIALIZER;
  assert_int_equal(cache_lock_take("relative", &keys[0], 0, minute(), &lock), CACHE_LOCK_NONE);
  assert_int_equal(mkdir(in(CACHE_LOCK_FILE), 0700), 0);
  assert_int_equal(cache_lock_take(folder, &keys[0], 0, minute(), &lock), CACHE_LOCK_NONE);
  assert_int_equal(rmdir(in(CACHE_LOCK_FILE)), 0);
  assert_int_equal(symlink("elsewhere", in(CACHE_LOCK_FILE)), 0);
  assert_int_equal(cache_lock_take(folder, &keys[0], 0, minute(), &lock), CACHE_LOCK_NONE);
  assert_int_equal(access(in("elsewhere"), F_OK), -1);
  assert_int_equal(lock.file, -1);
  cache_lock_release(&lock);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(one_at_a_time),
      TEST(forked_children_hold_nothing),
      TEST(one_build_in_many_processes),
      TEST(no_lock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

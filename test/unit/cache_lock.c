/*
 * The lock of a build. One process of all machines holds it at a time, and a dead process does not
 * keep it. Each test runs on three kinds of file systems: with byte-range locks that all machines
 * see, without such locks, and with byte-range locks that only this machine sees.
 */
#define _GNU_SOURCE /* mkdtemp */
#include "cache_check.h"

#include "../../plugins/base/cache_lock.h"
#include "../../plugins/base/os.h"
#include "../support/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY = 24, PROCESSES = 64 };

/* Exit status of a process that found the program, and of one that built it. */
enum { FOUND = 10, BUILT };

static char directory[PATH_MAX / 2];
static cache_key_writer writers[2];
static cache_key keys[2];

/* ---- File systems ---- */

typedef enum file_system { SHARED_BYTES, NO_BYTES, LOCAL_BYTES } file_system;

static file_system system_now;

int __real_fcntl(int file, int command, void *argument);
int __wrap_fcntl(int file, int command, void *argument);

int __wrap_fcntl(int file, int command, void *argument) {
  if (system_now == NO_BYTES && (command == F_OFD_SETLK || command == F_OFD_GETLK)) {
    errno = ENOLCK;
    return -1;
  }
  return __real_fcntl(file, command, argument);
}

bool __wrap_cache_claim_is_needed(int file);

bool __wrap_cache_claim_is_needed(int file) {
  assert_true(file >= 0);
  return system_now == LOCAL_BYTES;
}

static int setup(void **state) {
  (void)state;
  const char *temporary = getenv("TMPDIR");
  snprintf(directory, sizeof directory, "%s/specpi-lock-test-XXXXXX",
           temporary ? temporary : "/tmp");
  assert_non_null(mkdtemp(directory));
  for (unsigned i = 0; i < 2; i++)
    keys[i] = number_key(&writers[i], i, KEY);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  assert_int_equal(scratch_remove(directory), 0);
  return 0;
}

#define CACHE_LOCK_TEST(name) TEST_WITH(name, setup, teardown)

/* Returns the path of a file in the directory. */
static const char *in(const char *name) {
  static char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static uint64_t minute(void) {
  return os_time_ns() + UINT64_C(60) * 1000000000u;
}

/* Returns the path of the first key's claim with this number. */
static const char *claim_path(unsigned number) {
  char name[128];
  snprintf(name, sizeof name, "new.specpi.lock.%016" PRIx64 "%016" PRIx64 ".%u", keys[0].hash.high,
           keys[0].hash.low, number);
  return in(name);
}

static void assert_no_claims(void) {
  for (unsigned number = 0; number < CACHE_LOCKS; number++)
    assert_int_equal(access(claim_path(number), F_OK), -1);
}

/* Writes a claim file with this owner. */
static void write_claim(unsigned number, const char *owner) {
  FILE *file = fopen(claim_path(number), "w");
  assert_non_null(file);
  fputs(owner, file);
  fclose(file);
}

/* ---- One process ---- */

CACHE_LOCK_TEST(one_at_a_time_holds_the_lock) {
  cache_lock first = CACHE_LOCK_INITIALIZER, second = CACHE_LOCK_INITIALIZER;
  cache_lock other = CACHE_LOCK_INITIALIZER;
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &first), CACHE_LOCK_TAKEN);
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &second), CACHE_LOCK_LATE);
  assert_int_equal(second.file, -1);
  /* A wait ends at its deadline. */
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, os_time_ns() + 5000000, &second),
                   CACHE_LOCK_LATE);
  assert_int_equal(cache_lock_take(directory, &keys[1], 0, 0, &other), CACHE_LOCK_TAKEN);
  cache_lock_release(&other);
  cache_lock_release(&other);
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &second), CACHE_LOCK_LATE);
  /* Whoever waited in vain takes the lock with the next number. */
  assert_int_equal(cache_lock_take(directory, &keys[0], 1, 0, &second), CACHE_LOCK_TAKEN);
  assert_int_equal(cache_lock_take(directory, &keys[0], 1, 0, &other), CACHE_LOCK_LATE);
  cache_lock_release(&second);
  cache_lock_release(&first);
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &second), CACHE_LOCK_TAKEN);
  cache_lock_release(&second);
  assert_no_claims();
  struct stat status;
  assert_int_equal(stat(in(CACHE_LOCK_FILE), &status), 0);
  assert_int_equal(status.st_mode & 07777, 0600);
  assert_int_equal(status.st_size, 0);
}

/* A forked child inherits the application's files, but does not hold the lock. */
CACHE_LOCK_TEST(forked_children_hold_nothing) {
  cache_lock lock = CACHE_LOCK_INITIALIZER, again = CACHE_LOCK_INITIALIZER;
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &lock), CACHE_LOCK_TAKEN);
  const pid_t child = tests_fork();
  if (child == 0)
    for (;;)
      pause();
  cache_lock_release(&lock);
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &again), CACHE_LOCK_TAKEN);
  cache_lock_release(&again);
  assert_int_equal(kill(child, SIGKILL), 0);
  assert_int_equal(waitpid(child, NULL, 0), child);
}

/* ---- Many processes ---- */

typedef enum first_builder { BUILDS, DIES, STOPS } first_builder;

static int write_program(first_builder first) {
  const int log = open(in("builds"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  struct stat status;
  if (log < 0 || write(log, "x", 1) != 1 || fstat(log, &status) != 0)
    return 1;
  if (status.st_size == 1 && first != BUILDS)
    raise(first == DIES ? SIGKILL : SIGSTOP);
  close(open(in("program"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  return BUILT;
}

/* Does the same as cache_directory.c. Does not wait for the first `without_time` locks. */
static int find_or_build(first_builder first, unsigned without_time) {
  if (access(in("program"), F_OK) == 0)
    return FOUND;
  for (unsigned number = 0; number < CACHE_LOCKS;) {
    cache_lock lock = CACHE_LOCK_INITIALIZER;
    const uint64_t deadline = number < without_time ? 0 : minute();
    const cache_lock_state taken = cache_lock_take(directory, &keys[0], number, deadline, &lock);
    if (taken == CACHE_LOCK_NONE)
      return 1;
    int end = access(in("program"), F_OK) == 0 ? FOUND : 0;
    if (taken == CACHE_LOCK_TAKEN && !end)
      end = write_program(first);
    cache_lock_release(&lock);
    if (end)
      return end;
    number += taken == CACHE_LOCK_LATE;
  }
  return 2;
}

typedef struct ends {
  unsigned found, built, killed;
} ends;

/* Runs PROCESSES processes and counts how they ended. */
static ends run_processes(first_builder first, unsigned without_time) {
  pid_t children[PROCESSES];
  ends ret = {0};
  for (unsigned i = 0; i < PROCESSES; i++) {
    children[i] = tests_fork();
    if (children[i] == 0)
      _exit(find_or_build(first, without_time));
  }
  for (unsigned i = 0; i < PROCESSES; i++) {
    int status;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    ret.killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    ret.found += WIFEXITED(status) && WEXITSTATUS(status) == FOUND;
    ret.built += WIFEXITED(status) && WEXITSTATUS(status) == BUILT;
  }
  return ret;
}

static void assert_ends(ends found, unsigned killed) {
  assert_int_equal(found.killed, killed);
  assert_int_equal(found.built, 1);
  assert_int_equal(found.found, PROCESSES - 1 - killed);
  assert_no_claims();
}

CACHE_LOCK_TEST(one_of_many_processes_builds) {
  assert_ends(run_processes(BUILDS, 0), 0);
}

/* A dead owner's byte-range lock is free, so that others ignore its claim. */
CACHE_LOCK_TEST(one_process_builds_after_a_death) {
  if (system_now == NO_BYTES)
    skip();
  assert_ends(run_processes(DIES, 0), 1);
}

/* All processes that wait for a dead machine's claim go on to the same next lock. */
CACHE_LOCK_TEST(one_process_builds_beside_a_dead_machine) {
  if (system_now == SHARED_BYTES)
    skip();
  write_claim(0, "6c1a-another-boot 0:49 elsewhere 4711 0123456789abcdef\n");
  assert_ends(run_processes(BUILDS, 1), 0);
}

CACHE_LOCK_TEST(one_process_builds_beside_two_dead_machines) {
  if (system_now == SHARED_BYTES)
    skip();
  write_claim(0, "6c1a-another-boot 0:49 elsewhere 4711 0123456789abcdef\n");
  write_claim(1, ""); /* its owner died before writing it */
  assert_ends(run_processes(BUILDS, 2), 0);
}

/* A builder is stopped while it holds the lock. It continues when the others are done. */
CACHE_LOCK_TEST(one_process_builds_beside_a_stopped_one) {
  int status;
  const pid_t stopped = tests_fork();
  if (stopped == 0)
    _exit(find_or_build(STOPS, 0));
  assert_int_equal(waitpid(stopped, &status, WUNTRACED), stopped);
  assert_true(WIFSTOPPED(status));
  assert_ends(run_processes(BUILDS, 1), 0);
  /* Takes the stopped process's lock, which only succeeds without byte-range locks. */
  cache_lock lock = CACHE_LOCK_INITIALIZER;
  const cache_lock_state taken = cache_lock_take(directory, &keys[0], 0, 0, &lock);
  assert_int_equal(taken, system_now == NO_BYTES ? CACHE_LOCK_TAKEN : CACHE_LOCK_LATE);
  assert_int_equal(kill(stopped, SIGCONT), 0);
  assert_int_equal(waitpid(stopped, &status, 0), stopped);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == BUILT);
  if (taken == CACHE_LOCK_TAKEN)
    assert_int_equal(access(claim_path(0), F_OK), 0);
  cache_lock_release(&lock);
  assert_no_claims();
}

/* ---- Claims ---- */

/* The owner's machine, boot and mount decide whether the owner may be alive. */
CACHE_LOCK_TEST(claims_of_dead_owners_are_ignored) {
  if (system_now != LOCAL_BYTES)
    skip();
  cache_lock lock = CACHE_LOCK_INITIALIZER, again = CACHE_LOCK_INITIALIZER;
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &lock), CACHE_LOCK_TAKEN);
  char owner[CACHE_CLAIM_OWNER];
  memcpy(owner, lock.claim.owner, sizeof owner);
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &again), CACHE_LOCK_LATE);
  cache_lock_release(&lock);
  assert_no_claims();
  /* An owner on this machine is dead if its byte is not locked. */
  write_claim(0, owner);
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &lock), CACHE_LOCK_TAKEN);
  cache_lock_release(&lock);
  assert_no_claims();
  /* An owner of another boot or mount may be alive. */
  owner[0] ^= 1;
  write_claim(0, owner);
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &lock), CACHE_LOCK_LATE);
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, os_time_ns() + 5000000, &lock),
                   CACHE_LOCK_LATE);
  assert_int_equal(lock.file, -1);
  /* Takers that were late left neither a locked byte nor a claim. */
  assert_int_equal(unlink(claim_path(0)), 0);
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &lock), CACHE_LOCK_TAKEN);
  cache_lock_release(&lock);
}

/* Releasing a lock leaves the claim if another owner has replaced it. */
CACHE_LOCK_TEST(late_owners_remove_nothing) {
  if (system_now == SHARED_BYTES)
    skip();
  cache_lock lock = CACHE_LOCK_INITIALIZER;
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, 0, &lock), CACHE_LOCK_TAKEN);
  write_claim(0, "6c1a-another-boot 0:49 elsewhere 4711 0123456789abcdef\n");
  cache_lock_release(&lock);
  assert_int_equal(access(claim_path(0), F_OK), 0);
}

/* A wait ends when the lock's owner releases it. */
CACHE_LOCK_TEST(others_are_waited_for) {
  cache_lock lock = CACHE_LOCK_INITIALIZER;
  int pipes[2];
  char byte = 0;
  assert_int_equal(pipe(pipes), 0);
  const pid_t child = tests_fork();
  if (child == 0) {
    close(pipes[1]);
    if (cache_lock_take(directory, &keys[0], 0, 0, &lock) != CACHE_LOCK_TAKEN ||
        close(open(in("held"), O_CREAT | O_WRONLY, 0600)) != 0)
      _exit(1);
    (void)!read(pipes[0], &byte, 1);
    usleep(20000);
    cache_lock_release(&lock);
    _exit(0);
  }
  close(pipes[0]);
  while (access(in("held"), F_OK) != 0)
    assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
  close(pipes[1]);
  const cache_lock_state taken = cache_lock_take(directory, &keys[0], 0, minute(), &lock);
  assert_true(taken == CACHE_LOCK_PASSED ||
              taken == CACHE_LOCK_TAKEN); /* TAKEN: it was free already */
  cache_lock_release(&lock);
  assert_int_equal(waitpid(child, NULL, 0), child);
}

/* If the lock's file is unusable, cache_lock_take() returns CACHE_LOCK_NONE at once. */
CACHE_LOCK_TEST(an_unusable_lock_file_gives_no_lock) {
  cache_lock lock = CACHE_LOCK_INITIALIZER;
  assert_int_equal(cache_lock_take("relative", &keys[0], 0, minute(), &lock), CACHE_LOCK_NONE);
  assert_int_equal(mkdir(in(CACHE_LOCK_FILE), 0700), 0);
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, minute(), &lock), CACHE_LOCK_NONE);
  assert_int_equal(rmdir(in(CACHE_LOCK_FILE)), 0);
  assert_int_equal(symlink("elsewhere", in(CACHE_LOCK_FILE)), 0);
  assert_int_equal(cache_lock_take(directory, &keys[0], 0, minute(), &lock), CACHE_LOCK_NONE);
  assert_int_equal(access(in("elsewhere"), F_OK), -1);
  assert_int_equal(lock.file, -1);
  cache_lock_release(&lock);
}

/* ---- Mounts ---- */

static bool reads_mounts(const char *text, unsigned device) {
  char copy[512];
  snprintf(copy, sizeof copy, "%s", text);
  FILE *file = fmemopen(copy, strlen(copy), "r");
  assert_non_null(file);
  const bool found = cache_claim_reads_mounts(file, 0, device);
  fclose(file);
  return found;
}

TEST(mounts_with_local_locks_are_recognised) {
  static const char mounts[] =
      "22 1 0:21 / / rw,relatime shared:1 - ext4 /dev/vda rw,nolocks\n"
      "23 1 0:22 / /a rw shared:2 master:1 - nfs4 server:/a rw,vers=4.2,local_lock=none\n"
      "24 1 0:23 / /b rw - nfs server:/b rw,vers=3,nolock,local_lock=all\n"
      "25 1 0:24 / /c rw - nfs server:/c rw,vers=3,local_lock=posix,addr=1\n"
      "26 1 0:25 / /d\\040x rw - fuse.sshfs user@host: rw,user_id=0\n"
      "27 1 0:26 / /e rw - lustre 1@tcp:/e rw,flock\n"
      "28 1 0:27 / /f rw - lustre 1@tcp:/f rw,localflock\n"
      "29 1 0:28 / /g rw - virtiofs tag rw\n"
      "30 1 0:29 / /h rw -\n";
  for (unsigned device = 20; device < 31; device++)
    assert_int_equal(reads_mounts(mounts, device),
                     device == 23 || device == 24 || device == 25 || device == 27 || device == 28);
  assert_false(reads_mounts("no mount", 1));
}

static int run_on(file_system system, const char *name) {
  system_now = system;
  return tests_run_named(name, NULL, NULL);
}

int main(void) {
  return run_on(SHARED_BYTES, "locks for all machines") + run_on(NO_BYTES, "no locks") +
         run_on(LOCAL_BYTES, "locks within a machine");
}

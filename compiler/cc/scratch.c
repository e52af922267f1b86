#define _GNU_SOURCE /* mkdtemp, nftw, strsignal, secure_getenv */
#include "scratch.h"

#include "../../plugins/base/child.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The signals that end programs which users or systems stop. */
static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { SIGNAL_COUNT = sizeof signals / sizeof signals[0] };

static volatile sig_atomic_t received;
static volatile sig_atomic_t worker;

/* Hands a signal on to the worker and all that it started: they are a process group. */
static void hand_on(int number) {
  const int reason = errno;
  received = number;
  if (worker > 0)
    kill(-(pid_t)worker, number);
  errno = reason;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *where) {
  (void)status;
  (void)type;
  (void)where;
  remove(path);
  return 0;
}

/* Blocks or restores the signals. */
static void block(sigset_t *before) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < SIGNAL_COUNT; i++)
    sigaddset(&set, signals[i]);
  sigprocmask(SIG_BLOCK, &set, before);
}

/* A signal that this process ignores, as under nohup, stays ignored. */
static void install(struct sigaction *before) {
  struct sigaction action = {.sa_handler = hand_on};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < SIGNAL_COUNT; i++) {
    sigaction(signals[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      sigaction(signals[i], &action, NULL);
  }
}

static void restore_signals(const struct sigaction *before) {
  for (size_t i = 0; i < SIGNAL_COUNT; i++)
    sigaction(signals[i], &before[i], NULL);
}

/* The worker's end, after its children's: none of the group is left then. */
static int await(pid_t child) {
  int status;
  if (!child_wait(child, &status)) {
    cc_error("cannot wait for the compilation: %s", strerror(errno));
    return -1;
  }
  kill(-child, SIGKILL);
  /* Those that it leaves are ours, so that none makes a file from now on. */
  while (waitpid(-child, NULL, 0) > 0 || errno == EINTR)
    ;
  return status;
}

int scratch_run(int (*work)(void *data, const char *directory), void *data,
                const cc_texts *leftovers) {
  const char *place = secure_getenv("TMPDIR");
  char *parent = cc_path_word(place && *place ? place : "/tmp");
  char *directory = cc_format("%s/specpi-cc-XXXXXX", parent);
  free(parent);
  sigset_t mask;
  block(&mask);
  if (!mkdtemp(directory)) {
    cc_error("%s: no directory for temporary files can be made: %s; TMPDIR names another place",
             directory, strerror(errno));
    sigprocmask(SIG_SETMASK, &mask, NULL);
    free(directory);
    return CC_FAILURE;
  }
  struct sigaction before[SIGNAL_COUNT];
  install(before);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const pid_t child = child_fork();
  if (child == 0) {
    setpgid(0, 0);
    restore_signals(before);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    const int result = work(data, directory);
    free(directory);
    exit(result);
  }
  int status = -1;
  if (child < 0) {
    cc_error("no process can be started: %s", strerror(errno));
  } else {
    setpgid(child, child); /* whichever of the two is first */
    worker = (sig_atomic_t)child;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    status = await(child);
  }
  if (child > 0 && status >= 0 && WIFSIGNALED(status) && !received && WTERMSIG(status) != SIGPIPE)
    cc_error("the compilation was ended by signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  const int result = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : CC_FAILURE;
  for (size_t i = 0; i < leftovers->count && result != CC_SUCCESS; i++)
    unlink(leftovers->items[i]);
  nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  free(directory);
  worker = 0;
  restore_signals(before);
  sigprocmask(SIG_SETMASK, &mask, NULL);
  if (received && result != CC_SUCCESS)
    raise(received);
  return result;
}

#define _GNU_SOURCE /* clone, P_PIDFD, __WALL */
#include "child.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Size of the stack in bytes, enough for a driver's code. Unused pages cost nothing. */
enum { STACK_SIZE = 8 << 20 };

typedef struct errand {
  void (*run)(void *data);
  void *data;
} errand;

/*
 * __clone is glibc's other name for clone. ThreadSanitizer intercepts clone and sigaction and
 * assumes that the new process has its own memory. So this file calls __clone and, for sigaction,
 * the system call.
 */
int __clone(int (*run)(void *), void *stack, int flags, void *data, ...); // NOLINT

static int run_errand(void *data) {
  static const unsigned long long plain[8]; /* the kernel's struct sigaction with SIG_DFL */
  const errand *errand = data;
  syscall(SYS_rt_sigaction, SIGCHLD, plain, NULL, (size_t)(NSIG - 1) / 8);
  errand->run(errand->data);
  return 0;
}

int child_run_aside(void (*run)(void *data), void *data) {
  errand errand = {run, data};
  sigset_t all;
  sigset_t former;
  unsigned char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED)
    return errno;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &former);
  /* The lowest byte of the flags is 0, so that no signal is sent when the process ends. */
  const pid_t process =
      __clone(run_errand, stack + STACK_SIZE, CLONE_VM | CLONE_VFORK | CLONE_FILES, &errand);
  const int reason = process < 0 ? errno : 0;
  while (process > 0 && waitpid(process, NULL, __WALL) < 0 && errno == EINTR)
    ;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  munmap(stack, STACK_SIZE);
  return reason;
}

bool child_adopts_orphans(void) {
  int is_subreaper = 0;
  prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper);
  return is_subreaper || getpid() == 1;
}

void child_reap(int pidfd) {
  siginfo_t ignored;
  struct pollfd ended = {.fd = pidfd, .events = POLLIN};
  if (pidfd < 0 || (waitid(P_PIDFD, (id_t)pidfd, &ignored, WEXITED | WNOHANG) != 0))
    return;
  poll(&ended, 1, 1000);
  waitid(P_PIDFD, (id_t)pidfd, &ignored, WEXITED | WNOHANG);
}

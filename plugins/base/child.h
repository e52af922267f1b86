/* Starts processes and waits for them. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- For programs of the project, whose only processes are their own ---- */

/* Copies this process, as fork does. First writes what stdio holds, so that only one of the two
 * does. */
static inline pid_t child_fork(void) {
  fflush(NULL);
  return fork();
}

/* Waits for the end of a child, like waitpid; returns false with errno on failure. */
static inline bool child_wait(pid_t child, int *status) {
  pid_t ended;
  while ((ended = waitpid(child, status, 0)) < 0 && errno == EINTR)
    ;
  return ended == child;
}

/*
 * ---- For plugins: inside an application without its notice. No wait() of the application reports
 * the processes, and they cause no SIGCHLD. The application's handling of SIGCHLD does not matter.
 */

/*
 * Runs a function in a helper process that shares memory and descriptors with this one; the calling
 * thread waits. The helper blocks all signals, and SIGCHLD has its default there. wait() does not
 * report the helper, because no signal reports its end. Processes that the function starts are
 * children of the helper: the function waits for them, or they become children of init. The
 * function must return, not exit. Returns 0, or an error number if no process can be started.
 */
int child_run_aside(void (*run)(void *data), void *data);

/*
 * Returns whether processes started in child_run_aside become children of this process when the
 * helper ends. That is so if this process is the first one of a container, or a subreaper.
 */
bool child_adopts_orphans(void);

/*
 * Reaps the process of a pidfd if it has become a child of this process. Waits up to one second for
 * its end. Does nothing for other processes.
 */
void child_reap(int pidfd);

#endif

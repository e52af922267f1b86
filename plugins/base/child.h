/*
 * Processes started inside somebody else's program. No wait() of that program reports them, they
 * cause no SIGCHLD, and it does not matter what the program does with that signal.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stdbool.h>

/*
 * Runs a function in a process that shares memory and descriptors with this one, while the calling
 * thread waits. All signals are blocked there, and SIGCHLD has its default. wait() does not report
 * that process, because no signal reports its end. Processes that the function starts are its
 * children: it waits for them, or leaves them to init. The function returns and does not exit.
 * Returns 0, or errno when no process can be made.
 */
int child_run_aside(void (*run)(void *data), void *data);

/*
 * Returns whether processes that outlive their parent in child_run_aside become children of this
 * one after all: it is the first process of a container, or a subreaper.
 */
bool child_adopts_orphans(void);

/*
 * Reaps a process that became a child of this one, by its pidfd. Waits a second at most, and not at
 * all for a process that is no child of this one.
 */
void child_reap(int pidfd);

#endif

/* The process in which specpi launch runs a kernel, which may end it. */
#ifndef SPECPI_TOOLS_LAUNCH_CHILD_H
#define SPECPI_TOOLS_LAUNCH_CHILD_H

/*
 * Does the work in a child process, and returns what it returned, as the program's exit status.
 * What it writes to stdout is written when the process has ended well, and not at all when a signal
 * ended it: then a message says so, and the status is that of a failure. To be called before the
 * program has a thread or has opened a driver.
 */
int launch_in_child(int (*work)(void *data), void *data);

/*
 * Says, in the child, that the kernel runs from now on: it is to be named when the process ends by
 * a signal. What is written to stderr from now on is shown when the process has ended well, and
 * with SPECPI_TRACE: the C library's words for a damaged heap are no help.
 */
void launch_child_runs_kernel(void);

#endif

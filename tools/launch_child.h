/* The child process in which specpi launch runs a kernel, because a kernel may crash it. */
#ifndef SPECPI_TOOLS_LAUNCH_CHILD_H
#define SPECPI_TOOLS_LAUNCH_CHILD_H

/*
 * Calls work in a child process, and returns the child's exit status. The child's stdout is copied
 * to stdout after the child exits. If a signal ends the child, this prints a message instead and
 * returns TOOL_FAILURE. Call it before the program creates a thread or opens a driver. In the child
 * it returns, too, with the result of work.
 */
int launch_in_child(int (*work)(void *data), void *data);

/*
 * Called in the child before the kernel runs: if a signal ends the child after this, the message
 * blames the kernel. The child's later output to stderr is dropped in that case, unless
 * SPECPI_TRACE is set, because the C library's message about a damaged heap would only confuse.
 */
void launch_child_runs_kernel(void);

#endif

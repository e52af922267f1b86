/* The child process in which specpi launch runs a kernel, because a kernel may crash it. */
#ifndef SPECPI_TOOLS_LAUNCH_CHILD_H
#define SPECPI_TOOLS_LAUNCH_CHILD_H

/*
 * Calls work in a child process, and returns the child's exit status. The child's stdout is copied
 * to stdout after the child exits. If a signal ends the child, this prints a message instead and
 * returns TOOL_FAILURE. Call it before the program creates a thread or opens a driver. The function
 * also returns in the child, with the result of work.
 */
int launch_in_child(int (*work)(void *data), void *data);

/*
 * Called in the child before the kernel runs. If a signal ends the child afterwards, the message
 * blames the kernel, and the child's later output to stderr is dropped unless SPECPI_TRACE is set:
 * the C library's message about a damaged heap would only confuse.
 */
void launch_child_runs_kernel(void);

#endif

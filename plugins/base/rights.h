/* Compares the rights of threads, to reuse a process only for a thread with the same rights. */
#ifndef BASE_RIGHTS_H
#define BASE_RIGHTS_H

#include "digest.h"

/*
 * Makes a digest of the calling thread's limits that a new process inherits: users, groups,
 * capabilities, seccomp, resource limits, namespaces, root directory, security label and control
 * group. Returns false if they are unknown because there is no /proc. Then no process can be
 * reused.
 */
bool rights_read(digest *ret);

#endif

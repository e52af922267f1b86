/* The rights of a thread, for whoever keeps a process that was started with them. */
#ifndef BASE_RIGHTS_H
#define BASE_RIGHTS_H

#include "digest.h"

/*
 * A digest of everything that limits the calling thread and that a process started by it inherits:
 * users, groups, capabilities, seccomp, limits, namespaces, the root directory, the security label
 * and the control group. Returns false where that is not known, because there is no /proc: then
 * nothing is equal to it.
 */
bool rights_read(digest *ret);

#endif

/* Writing files in a process that is somebody else's. */
#ifndef BASE_WRITE_H
#define BASE_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes all bytes to a file. Beyond the process's limit for files (RLIMIT_FSIZE) it fails with
 * EFBIG, and the signal SIGXFSZ, which ends processes, does not arrive; what the process does about
 * signals stays as it is for all of its threads. False with errno; any thread.
 */
bool write_all(int file, const void *bytes, size_t size);

#endif

/* Writing files in somebody else's process. */
#ifndef BASE_WRITE_H
#define BASE_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes all bytes to a file. Beyond the process's limit for files (RLIMIT_FSIZE) it fails with
 * EFBIG, without the signal SIGXFSZ, which ends processes; the process's signal handling stays as
 * it is for all of its threads. False with errno; any thread.
 */
bool write_all(int file, const void *bytes, size_t size);

#endif

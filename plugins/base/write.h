/* Writes files without disturbing the application's signals. */
#ifndef BASE_WRITE_H
#define BASE_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes all bytes to a file. If the file would exceed the process's limit (RLIMIT_FSIZE), fails
 * with EFBIG and suppresses SIGXFSZ, which would end the process. Does not change the signal
 * handling of other threads. Returns false with errno. Any thread.
 */
bool write_all(int file, const void *bytes, size_t size);

#endif

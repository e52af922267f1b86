/* Files, as wholes. */
#ifndef SPECPI_CC_FILE_H
#define SPECPI_CC_FILE_H

#include "cc.h"

/* Bytes in memory that file_free frees. There is a NUL after them. */
typedef struct file_bytes {
  char *data;
  size_t size;
} file_bytes;

/* Reads a file; false after an error. Files of 4 GiB and more are refused. */
bool file_read(const char *path, file_bytes *ret);
void file_free(file_bytes *bytes);

/*
 * Writes a file as a whole: under the name in temporary first, a path in the same directory, so
 * that the file is as it was after a failure. What is no regular file, e.g. /dev/stdout, is
 * written to directly, and "-" is stdout. executable: everybody may run it who may read it.
 * false after an error.
 */
bool file_write(const char *path, const char *temporary, const void *data, size_t size,
                bool executable);

/* Returns whether two paths lead to one file or directory, which is there. */
bool file_is_same(const char *left, const char *right);

/*
 * Returns whether file_write may write there, as far as can be known before; false after an error.
 */
bool file_may_write(const char *path);

/*
 * Where file_write may put a file until it is complete; unique to this process. The caller
 * frees it.
 */
char *file_temporary(const char *path);

#endif

/* Runs the programs that a case needs, with files in a directory of the process. */
#ifndef PROPERTY_CHILD_H
#define PROPERTY_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the directory of the process's files, which is created on first use. */
const char *work_directory(void);
/* Removes the directory and its files. */
void work_remove(void);

/* Returns the path of a file in the directory; it lives until memory_free_all. */
const char *work_path(const char *name);
/* Writes a file. Ends the program on failure. */
void work_write(const char *path, const void *data, size_t size);
/* Returns a file's bytes and a NUL, until memory_free_all. Ends the program on failure. */
void *work_read(const char *path, size_t *size);

/*
 * Runs a program; argv ends with NULL. Returns whether its exit status is 0. If not, *said is its
 * output, until memory_free_all.
 */
bool child_run(const char *const *argv, const char **said);

#endif

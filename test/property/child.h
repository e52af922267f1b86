/* The programs that a case needs, and the files between them. */
#ifndef PROPERTY_CHILD_H
#define PROPERTY_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/* The directory in which all files of the process are, made on first use. */
const char *work_directory(void);
/* Removes it with the files in it. */
void work_remove(void);

/* The path of a file there, until memory_free_all. */
const char *work_path(const char *name);
/* Writes a file. Ends the program when that fails. */
void work_write(const char *path, const void *data, size_t size);
/* Reads a file until memory_free_all; there is a NUL after it. Ends the program on failure. */
void *work_read(const char *path, size_t *size);

/*
 * Runs a program, argv ends with NULL. False when it does not end with 0; *said is then
 * what it wrote, until memory_free_all.
 */
bool child_run(const char *const *argv, const char **said);

#endif

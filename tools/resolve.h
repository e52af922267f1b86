/* The program of a command line's first word: the file, its interpreter, its libraries. */
#ifndef SPECPI_RESOLVE_H
#define SPECPI_RESOLVE_H

#include <stdbool.h>

/*
 * The absolute path of a command, found in PATH unless it has a slash; links are not
 * followed. NULL with errno set, to ENOENT or to why the one file found cannot be run.
 * The caller frees it.
 */
char *resolve_command(const char *word);

/*
 * The program that runs a script: what its #! line names, looked through env(1) if it is
 * that. NULL when the file is no script, or the program is not there. The caller frees it.
 */
char *resolve_interpreter(const char *file);

/*
 * Why the dynamic linker does not preload anything into a program, or into that which runs it
 * if it is a script: the rest of a message about it. NULL when nothing is in the way.
 */
const char *resolve_obstacle(const char *file);

/*
 * Asks the dynamic linker which library with a wanted name the program would load. True
 * when it needs one: *name is the name it asks for, *path where it was found or NULL;
 * the caller frees both.
 */
bool resolve_library(const char *file, bool (*wanted)(const char *name), char **name, char **path);

/* The same for what is in ldconfig's cache. */
bool resolve_cached_library(bool (*wanted)(const char *name), char **name, char **path);

#endif

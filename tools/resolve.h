/* Finds the program that a command starts: its file, its interpreter and its libraries. */
#ifndef SPECPI_RESOLVE_H
#define SPECPI_RESOLVE_H

#include <stdbool.h>

/*
 * Returns the absolute path of a command, which is searched in PATH unless it has a slash. Links
 * are not resolved. Returns NULL with errno if it is not found (ENOENT) or cannot be run. The
 * caller frees the path.
 */
char *resolve_command(const char *word);

/*
 * Returns the program that its #! line names for a script; if it names env(1), the program that env
 * starts. NULL if the file is no script, or the program is missing. The caller frees it.
 */
char *resolve_interpreter(const char *file);

/*
 * Returns why LD_PRELOAD has no effect on a program or a script's interpreter; NULL if it has one.
 * The reason continues a message that starts with the program's path.
 */
const char *resolve_obstacle(const char *file);

/*
 * Asks the dynamic linker which library with a wanted name a program would load. Returns true if
 * the program needs one. Then *name is the needed name, and *path the library's path, or NULL if
 * the linker does not find it. The caller frees both.
 */
bool resolve_library(const char *file, bool (*wanted)(const char *name), char **name, char **path);

/* Searches ldconfig's cache for a library with a wanted name. Returns as resolve_library. */
bool resolve_cached_library(bool (*wanted)(const char *name), char **name, char **path);

#endif

/*
 * Directories of the user's for files that are loaded later: nobody else can change such a
 * directory, or replace it by another one. Any thread.
 */
#ifndef BASE_DIRECTORY_H
#define BASE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Opens the directory of an absolute path. It belongs to the effective user, has none of the rights
 * in forbidden, and is no symbolic link, even when slashes follow its name. Each directory on the
 * way to it, also by way of links, belongs to root or to the effective user, and others may write
 * there only under a sticky bit, as in /tmp, where nobody can rename files of somebody else. A
 * group counts as others, unless it is the user's own and has no other member. So the path always
 * leads to that directory.
 *
 * make: makes the missing parts of the path, with mode 0700.
 *
 * Returns the descriptor, which the caller closes; -1 with a reason, which is cut at size bytes,
 * and with errno: ENOENT, where only the directory is missing; EPERM, where one of these rules is
 * broken, and then the reason has the command that mends it, if the user can; or another value.
 */
int directory_open(const char *path, mode_t forbidden, bool make, char *reason, size_t size);

/*
 * Finds the place of this project in the user's cache, as XDG's base directories say: specpi below
 * XDG_CACHE_HOME, else below .cache in HOME, which has to be there. A path that is not absolute
 * counts as none. Returns false where there is none, and in a process that runs with more rights
 * than its user.
 */
bool directory_find_cache(char *path, size_t size);

/*
 * Finds the directory of the cache: the one that SPECPI_CACHE_DIR names, cut at size bytes, else
 * that of directory_find_cache. Returns false where there is none, and where the variable is set
 * and empty. *is_usual: whether the variable is not set.
 */
bool directory_find_kept(char *path, size_t size, bool *is_usual);

#endif

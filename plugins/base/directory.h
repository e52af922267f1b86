/*
 * Directories of the user for files that are loaded later. Other users cannot change such a
 * directory, or replace it by another one. Any thread.
 */
#ifndef BASE_DIRECTORY_H
#define BASE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Opens the directory with an absolute path, and checks these rules:
 * - The directory belongs to the effective user, has none of the mode bits in forbidden, and is no
 *   symbolic link, even if slashes follow its name.
 * - Each directory above it, also on the way through links, belongs to root or to the effective
 *   user. Others may write to it only if it has the sticky bit, like /tmp, because then they cannot
 *   rename another user's files.
 * - A group's rights count as rights of others, unless it is the user's own group without other
 *   members.
 * So other users cannot make the path lead elsewhere.
 *
 * make: creates missing directories of the path, with mode 0700.
 *
 * Returns the descriptor, which the caller closes. On failure returns -1 with a reason, truncated
 * to size bytes, and errno. ENOENT: a part of the path is missing. EPERM: a rule is broken; if the
 * user can correct that, the reason contains the command.
 */
int directory_open(const char *path, mode_t forbidden, bool make, char *reason, size_t size);

/*
 * Finds this project's directory in the user's cache, by the XDG Base Directory Specification:
 * $XDG_CACHE_HOME/specpi, else $HOME/.cache/specpi if $HOME exists. Ignores paths that are not
 * absolute. Returns false if there is no such path, or if the process has more rights than its
 * user.
 */
bool directory_find_cache(char *path, size_t size);

/*
 * Finds the cache's directory: the value of SPECPI_CACHE_DIR, truncated to size bytes, or else the
 * result of directory_find_cache. Returns false if there is none, or if the variable is empty.
 * *is_usual receives whether the variable is not set.
 */
bool directory_find_kept(char *path, size_t size, bool *is_usual);

#endif

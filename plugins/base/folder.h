/*
 * Folders of the user's in which files are kept that are loaded later: a folder that nobody else
 * can change, or put another one in the place of. Any thread.
 */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Opens the folder of an absolute path. It belongs to the effective user, has none of the rights
 * in forbidden, and is no symbolic link, also when slashes follow its name. Each folder on the way
 * to it, with those that links on the way lead through, belongs to root or to the effective user,
 * and others may write there only under a sticky bit, as in /tmp, where nobody can rename what is
 * somebody else's. A group is others, unless it is the user's own and has no other member. So the
 * path, too, goes on leading to that folder.
 *
 * make: what is missing of the path is made, with mode 0700.
 *
 * The descriptor, which the caller closes; -1 with a reason, which is cut at size bytes, and with
 * errno: ENOENT, where nothing is wrong but that the folder is not there, or another value.
 */
int folder_open(const char *path, mode_t forbidden, bool make, char *reason, size_t size);

#endif

/* libspecpi's own needs from the operating system. */
#ifndef SPECPI_OS_H
#define SPECPI_OS_H

#include "../plugins/base/os.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum os_file { OS_FILE_ABSENT, OS_FILE_REGULAR, OS_FILE_UNUSABLE } os_file;

/*
 * The kind of file at a path, links followed. UNUSABLE, with a reason, is anything but a regular
 * file (opening a pipe could block for ever) and any path that may not be looked at.
 */
os_file os_file_kind(const char *path, os_reason *reason);

/*
 * Loads a shared library with all its symbols bound and none of them offered to other
 * libraries. NULL with a reason on failure.
 */
void *os_library_open(const char *path, os_reason *reason);

/* The address of a symbol of that library; NULL when it has none. */
void *os_library_symbol(void *library, const char *name);

void os_library_close(void *library);

/* The next symbol of that name after this library's in the process; NULL when there is none. */
void *os_next_symbol(const char *name);

#endif

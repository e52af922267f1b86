/* Functions of the operating system that libspecpi needs. */
#ifndef SPECPI_OS_H
#define SPECPI_OS_H

#include "../plugins/base/os.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum os_file { OS_FILE_ABSENT, OS_FILE_REGULAR, OS_FILE_UNUSABLE } os_file;

/*
 * The kind of file at a path; follows links. UNUSABLE, with a reason: it is not a regular file
 * (opening a pipe could block for ever), or the path cannot be examined.
 */
os_file os_file_kind(const char *path, os_reason *reason);

/*
 * Loads a shared library, binds all its symbols, and does not make them visible to other libraries.
 * NULL with a reason on failure.
 */
void *os_library_open(const char *path, os_reason *reason);

/* The address of a symbol of that library; NULL if it does not have the symbol. */
void *os_library_symbol(void *library, const char *name);

void os_library_close(void *library);

/* The next symbol of that name in the process after this library; NULL if there is none. */
void *os_next_symbol(const char *name);

#endif

/* The place of the library that this is linked into. */
#ifndef BASE_OWN_DIRECTORY_H
#define BASE_OWN_DIRECTORY_H

/*
 * The absolute path of the directory that this library's file is in, links followed; freed by the
 * caller. NULL: it is unknown, or there is no memory. Any thread.
 */
char *own_directory(void);

#endif

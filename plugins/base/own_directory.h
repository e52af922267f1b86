/* Finds the library that contains this code. */
#ifndef BASE_OWN_DIRECTORY_H
#define BASE_OWN_DIRECTORY_H

/*
 * Returns the absolute path of the directory with this library's file, after following symbolic
 * links. The caller frees it. NULL if the path is unknown or memory runs out. Any thread.
 */
char *own_directory(void);

#endif

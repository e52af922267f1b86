/* Finds programs as execvp does. Includers define _GNU_SOURCE, for secure_getenv. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns whether a file can be run; errno says why not. */
static inline bool program_is_runnable(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return false;
  if (!S_ISREG(status.st_mode)) {
    errno = EACCES;
    return false;
  }
  return access(path, X_OK) == 0;
}

/*
 * Returns the path of the program that a word means: the word itself if it has a slash, else a file
 * in a directory of $PATH. The path may be relative; the caller frees it. Returns NULL with errno
 * if there is none that can be run.
 */
static inline char *program_find(const char *word) {
  const char *path = secure_getenv("PATH");
  if (strchr(word, '/') != NULL)
    return program_is_runnable(word) ? strdup(word) : NULL;
  if (path == NULL)
    path = "/bin:/usr/bin";
  char *file = malloc(strlen(path) + strlen(word) + 3);
  int reason = file == NULL ? ENOMEM : ENOENT;
  for (bool more = file != NULL && *word != '\0'; more;) {
    const size_t size = strcspn(path, ":");
    sprintf(file, "%.*s/%s", size ? (int)size : 1, size ? path : ".", word);
    if (program_is_runnable(file))
      return file;
    if (errno != ENOENT && errno != ENOTDIR)
      reason = errno;
    more = path[size] == ':';
    path += size + 1;
  }
  free(file);
  errno = reason;
  return NULL;
}

#endif

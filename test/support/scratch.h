/* Scratch directories of tests. For programs with _GNU_SOURCE. */
#ifndef SPECPI_TEST_SCRATCH_H
#define SPECPI_TEST_SCRATCH_H

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

static inline int scratch_remove_one(const char *path, const struct stat *status, int type,
                                     struct FTW *place) {
  (void)status;
  (void)type;
  (void)place;
  return remove(path);
}

/* Removes a directory and its contents; follows no links. Returns 0, or -1 and sets errno. */
static inline int scratch_remove(const char *directory) {
  return nftw(directory, scratch_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif

#define _GNU_SOURCE /* realpath, O_CLOEXEC */
#include "file.h"

#include "../../plugins/base/read.h"
#include "../../plugins/base/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_read(const char *path, file_bytes *ret) {
  file_bytes bytes;
  bytes.data = read_file(path, &bytes.size);
  if (bytes.data && bytes.size < UINT32_MAX) {
    *ret = bytes;
    return true;
  }
  const int reason = bytes.data ? EFBIG : errno;
  free(bytes.data);
  return CC_FAIL("%s: %s", path, strerror(reason));
}

void file_free(file_bytes *bytes) {
  free(bytes->data);
  *bytes = (file_bytes){0};
}

static bool write_directly(const char *path, const void *data, size_t size) {
  const bool standard = strcmp(path, "-") == 0;
  const int file = standard ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return CC_FAIL("%s: %s", path, strerror(errno));
  bool done = write_all(file, data, size);
  int reason = errno;
  if (!standard && close(file) != 0 && done) {
    done = false;
    reason = errno;
  }
  return done || CC_FAIL("%s: %s", standard ? "standard output" : path, strerror(reason));
}

static bool write_beside(const char *path, const char *temporary, const void *data, size_t size,
                         mode_t mode) {
  unlink(temporary); /* one that a process of the same number left */
  const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0)
    return CC_FAIL("%s: %s", path, strerror(errno));
  bool done = write_all(file, data, size);
  int reason = errno;
  if (close(file) != 0 && done) {
    done = false;
    reason = errno;
  }
  if (done && rename(temporary, path) != 0) {
    done = false;
    reason = errno;
  }
  if (done)
    return true;
  unlink(temporary);
  return CC_FAIL("%s: %s", path, strerror(reason));
}

bool file_is_same(const char *left, const char *right) {
  struct stat l;
  struct stat r;
  return stat(left, &l) == 0 && stat(right, &r) == 0 && l.st_dev == r.st_dev &&
         l.st_ino == r.st_ino;
}

bool file_may_write(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return true;
  if (S_ISDIR(status.st_mode))
    return CC_FAIL("%s: %s", path, strerror(EISDIR));
  /* A file that may not be written stays, although its directory would let it be replaced. */
  return access(path, W_OK) == 0 || CC_FAIL("%s: %s", path, strerror(errno));
}

bool file_write(const char *path, const char *temporary, const void *data, size_t size,
                bool executable) {
  struct stat status;
  if (strcmp(path, "-") == 0)
    return write_directly(path, data, size);
  if (stat(path, &status) == 0) {
    if (!S_ISREG(status.st_mode))
      return write_directly(path, data, size);
    if (!file_may_write(path))
      return false;
  }
  /* The file after a link, not the link, is written. */
  char *target = realpath(path, NULL);
  const bool done = write_beside(target ? target : path, temporary, data, size,
                                 (mode_t)(executable ? 0777 : 0666));
  free(target);
  return done;
}

char *file_temporary(const char *path) {
  char *target = realpath(path, NULL);
  char *name = cc_format("%s.specpi-cc-%ld", target ? target : path, (long)getpid());
  free(target);
  return name;
}

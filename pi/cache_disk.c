#define _GNU_SOURCE /* openat and its like, O_NOFOLLOW, st_mtim */
#include "cache_disk.h"

#include "cache_disk_list.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The name of a key's file. */
typedef struct file_name {
  char text[CACHE_DISK_NAME + 1];
} file_name;

static file_name name_of(const cache_key *key) {
  file_name name;
  snprintf(name.text, sizeof name.text, "%016" PRIx64 "%016" PRIx64 CACHE_DISK_SUFFIX,
           key->hash.high, key->hash.low);
  return name;
}

static bool refuse(os_reason *reason, const char *what) {
  snprintf(reason->text, sizeof reason->text, "%s", what);
  return false;
}

/* The reason that errno has. */
static bool refuse_call(os_reason *reason, const char *what, int error) {
  snprintf(reason->text, sizeof reason->text, "%s: %s", what, strerror(error));
  return false;
}

static bool check_folder(const struct stat *status, os_reason *reason) {
  if (status->st_uid != geteuid()) {
    snprintf(reason->text, sizeof reason->text, "the folder belongs to user %u, not to user %u",
             (unsigned)status->st_uid, (unsigned)geteuid());
    return false;
  }
  if ((status->st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    snprintf(reason->text, sizeof reason->text, "the folder has mode %04o, which lets others in",
             (unsigned)status->st_mode & 07777);
    return false;
  }
  return true;
}

/* The folder's descriptor, -1 with a reason and errno's value in *error. */
static int open_folder(const char *folder, int *error, os_reason *reason) {
  *error = 0;
  if (folder[0] != '/') {
    refuse(reason, "the folder's path is not absolute");
    return -1;
  }
  const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) {
    *error = errno;
    /* The kernel says the same of a link and of a file. */
    refuse_call(reason, "the folder cannot be opened, or is a symbolic link", *error);
    return -1;
  }
  struct stat status;
  if (fstat(opened, &status) == 0 && check_folder(&status, reason))
    return opened;
  close(opened);
  return -1;
}

/* Makes each missing part of the path, for the user alone. */
static bool make_folder(const char *folder, os_reason *reason) {
  char path[PATH_MAX];
  const size_t length = strlen(folder);
  if (length >= sizeof path)
    return refuse(reason, "the folder's path is too long");
  memcpy(path, folder, length + 1);
  for (char *slash = path; slash;) {
    slash = strchr(slash + 1, '/');
    if (slash)
      *slash = '\0';
    if (mkdir(path, S_IRWXU) != 0 && errno != EEXIST)
      return refuse_call(reason, "the folder cannot be made", errno);
    if (slash)
      *slash = '/';
  }
  return true;
}

static int open_or_make_folder(const char *folder, os_reason *reason) {
  int error;
  int opened = open_folder(folder, &error, reason);
  if (opened < 0 && error == ENOENT && make_folder(folder, reason))
    opened = open_folder(folder, &error, reason);
  return opened;
}

bool cache_disk_check(const char *folder, os_reason *reason) {
  const int opened = open_or_make_folder(folder, reason);
  if (opened >= 0)
    close(opened);
  return opened >= 0;
}

static bool check_file(const struct stat *status, uint64_t limit, os_reason *reason) {
  if (!S_ISREG(status->st_mode))
    return refuse(reason, "it is not a file");
  if (status->st_uid != geteuid())
    return refuse(reason, "it belongs to another user");
  if ((status->st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return refuse(reason, "others may write it");
  if ((uint64_t)status->st_size > limit) {
    snprintf(reason->text, sizeof reason->text,
             "it has %" PRIu64 " bytes, more than the %" PRIu64 " allowed",
             (uint64_t)status->st_size, limit);
    return false;
  }
  return true;
}

/* Reads so many bytes, and sees to it that there are no more. */
static bool read_all(int file, unsigned char *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t some = read(file, bytes + done, size - done);
    if (some < 0 && errno == EINTR)
      continue;
    if (some <= 0)
      return false;
    done += (size_t)some;
  }
  return true;
}

/* The checked payload of an open file, moved to the begin of its block. */
static cache_disk_found load(int file, const cache_key *key, uint64_t limit, void **payload,
                             size_t *size, os_reason *reason) {
  struct stat status;
  if (fstat(file, &status) != 0) {
    refuse_call(reason, "it cannot be looked at", errno);
    return CACHE_DISK_FAILED;
  }
  if (!check_file(&status, limit, reason))
    return CACHE_DISK_REJECTED;
  const size_t length = (size_t)status.st_size;
  unsigned char *bytes = malloc(length ? length : 1);
  if (!bytes) {
    refuse(reason, "an allocation failed");
    return CACHE_DISK_FAILED;
  }
  const void *found = NULL;
  size_t found_size = 0;
  bool good = read_all(file, bytes, length);
  if (!good)
    refuse(reason, "it got shorter while it was read");
  else
    good = cache_file_read(bytes, length, key, &found, &found_size, reason);
  if (!good) {
    free(bytes);
    return CACHE_DISK_REJECTED;
  }
  memmove(bytes, found, found_size);
  *payload = bytes;
  *size = found_size;
  return CACHE_DISK_FOUND;
}

cache_disk_found cache_disk_read(const char *folder, const cache_key *key, uint64_t file_limit,
                                 void **payload, size_t *size, os_reason *reason) {
  int error;
  const int directory = open_folder(folder, &error, reason);
  if (directory < 0)
    return error == ENOENT ? CACHE_DISK_ABSENT : CACHE_DISK_FAILED;
  /* Opening a pipe must not block. */
  const int file = openat(directory, name_of(key).text,
                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  error = errno;
  close(directory);
  if (file < 0) {
    if (error == ENOENT)
      return CACHE_DISK_ABSENT;
    refuse_call(reason, "it cannot be opened", error);
    return error == ELOOP ? CACHE_DISK_REJECTED : CACHE_DISK_FAILED;
  }
  const cache_disk_found found = load(file, key, file_limit, payload, size, reason);
  if (found == CACHE_DISK_FOUND)
    futimens(file, NULL); /* used now; where that fails it is only removed sooner */
  close(file);
  return found;
}

static bool write_all(int file, const unsigned char *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t some = write(file, bytes + done, size - done);
    if (some < 0 && errno == EINTR)
      continue;
    if (some < 0)
      return false;
    done += (size_t)some;
  }
  return true;
}

/* Writes a new file beside the one that is meant, and puts it into its place. */
static bool replace(int directory, const char *name, const unsigned char *bytes, size_t size,
                    os_reason *reason) {
  static atomic_uint number;
  char temporary[CACHE_DISK_NAME + 64];
  snprintf(temporary, sizeof temporary, "%s%ld.%u.%" PRIx64, CACHE_DISK_TEMPORARY, (long)getpid(),
           atomic_fetch_add(&number, 1), os_time_ns());
  const int file = openat(directory, temporary,
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0)
    return refuse_call(reason, "no file can be made in the folder", errno);
  /* Without fsync a crash of the machine may leave the name with nothing behind it. */
  bool good = write_all(file, bytes, size) && fsync(file) == 0;
  int error = errno;
  close(file);
  if (good) {
    good = renameat(directory, temporary, directory, name) == 0;
    error = errno;
  }
  if (!good) {
    unlinkat(directory, temporary, 0);
    return refuse_call(reason, "the file cannot be written", error);
  }
  return true;
}

bool cache_disk_fits(size_t key_size, size_t payload_size, const cache_disk_limits *limits) {
  const size_t length = cache_file_size(key_size, payload_size);
  return length != 0 && length <= limits->file && cache_disk_cost(length) <= limits->total;
}

bool cache_disk_write(const char *folder, const cache_key *key, const void *payload, size_t size,
                      const cache_disk_limits *limits, size_t *removed, os_reason *reason) {
  *removed = 0;
  if (!cache_disk_fits(key->size, size, limits))
    return refuse(reason, "the program is larger than a file may be");
  const int directory = open_or_make_folder(folder, reason);
  if (directory < 0)
    return false;
  const file_name name = name_of(key);
  const size_t length = cache_file_size(key->size, size);
  unsigned char *bytes = malloc(length);
  bool good = bytes || refuse(reason, "an allocation failed");
  if (good) {
    cache_file_write(key, payload, size, bytes);
    good = cache_disk_make_room(directory, name.text, limits->total - cache_disk_cost(length),
                                removed, reason) &&
           replace(directory, name.text, bytes, length, reason);
    /* Others may have written at the same time: whoever comes last sees the files of all. */
    size_t more = 0;
    os_reason ignored;
    if (good)
      cache_disk_make_room(directory, "", limits->total, &more, &ignored);
    *removed += more;
  }
  free(bytes);
  close(directory);
  return good;
}

void cache_disk_remove(const char *folder, const cache_key *key) {
  int error;
  os_reason reason;
  const int directory = open_folder(folder, &error, &reason);
  if (directory < 0)
    return;
  unlinkat(directory, name_of(key).text, 0);
  close(directory);
}

bool cache_disk_clear(const char *folder, os_reason *reason) {
  int error;
  const int directory = open_folder(folder, &error, reason);
  if (directory < 0)
    return error == ENOENT;
  size_t removed;
  const bool good = cache_disk_make_room(directory, "", 0, &removed, reason);
  close(directory);
  return good;
}

#define _GNU_SOURCE /* openat, renameat, O_NOFOLLOW */
#include "cache_disk.h"

#include "cache_disk_list.h"
#include "directory.h"
#include "write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* File name of a key. */
typedef struct file_name {
  char text[CACHE_DISK_NAME + 1];
} file_name;

static file_name name_of(const cache_key *key) {
  file_name name;
  snprintf(name.text, sizeof name.text, "%016" PRIx64 "%016" PRIx64 CACHE_DISK_SUFFIX,
           key->hash.high, key->hash.low);
  return name;
}

static bool refuse_file(os_reason *reason, const char *what) {
  snprintf(reason->text, sizeof reason->text, "%s", what);
  return false;
}

/* Sets a reason from an error number, and returns false. */
static bool refuse_call(os_reason *reason, const char *what, int error) {
  snprintf(reason->text, sizeof reason->text, "%s: %s", what, strerror(error));
  return false;
}

/* Opens a directory without rights for others. Returns -1 with a reason and errno on failure. */
static int open_directory(const char *directory, bool make, os_reason *reason) {
  return directory_open(directory, S_IRWXG | S_IRWXO, make, reason->text, sizeof reason->text);
}

/*
 * Count files: the count is the file's size. A process counts by appending a byte, which needs no
 * lock, even if several machines share the directory.
 */
static const char hits_name[] = ".specpi.hits";
static const char writes_name[] = ".specpi.writes";

static void count_one(int opened, const char *name) {
  const int file = openat(
      opened, name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
      S_IRUSR | S_IWUSR);
  if (file < 0)
    return;
  (void)!write(file, "+", 1);
  close(file);
}

static uint64_t read_count(int opened, const char *name) {
  struct stat status;
  const bool good = fstatat(opened, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
  return good && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}

bool cache_disk_check(const char *directory, os_reason *reason) {
  const int opened = open_directory(directory, true, reason);
  if (opened >= 0)
    close(opened);
  return opened >= 0;
}

static bool check_file(const struct stat *status, uint64_t limit, os_reason *reason) {
  if (!S_ISREG(status->st_mode))
    return refuse_file(reason, "it is not a file");
  if (status->st_uid != geteuid())
    return refuse_file(reason, "it belongs to another user");
  if ((status->st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return refuse_file(reason, "others may write it");
  if ((uint64_t)status->st_size > limit) {
    snprintf(reason->text, sizeof reason->text,
             "it has %" PRIu64 " bytes, more than the %" PRIu64 " allowed",
             (uint64_t)status->st_size, limit);
    return false;
  }
  return true;
}

/* Reads exactly size bytes. Returns false if the file is shorter or reading fails. */
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

/* Reads and checks an open file. *payload receives a block that starts with the payload. */
static cache_disk_found load_file(int file, const cache_key *key, uint64_t limit, void **payload,
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
    refuse_file(reason, "an allocation failed");
    return CACHE_DISK_FAILED;
  }
  const void *found = NULL;
  size_t found_size = 0;
  bool good = read_all(file, bytes, length);
  if (!good)
    refuse_file(reason, "it got shorter while it was read");
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

cache_disk_found cache_disk_read(const char *directory, const cache_key *key, uint64_t file_limit,
                                 void **payload, size_t *size, os_reason *reason) {
  const int opened = open_directory(directory, false, reason);
  if (opened < 0)
    return errno == ENOENT ? CACHE_DISK_ABSENT : CACHE_DISK_FAILED;
  /* O_NONBLOCK, because opening a pipe must not block. */
  const int file =
      openat(opened, name_of(key).text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) {
    const int error = errno;
    close(opened);
    if (error == ENOENT)
      return CACHE_DISK_ABSENT;
    refuse_call(reason, "it cannot be opened", error);
    return error == ELOOP ? CACHE_DISK_REJECTED : CACHE_DISK_FAILED;
  }
  const cache_disk_found found = load_file(file, key, file_limit, payload, size, reason);
  if (found == CACHE_DISK_FOUND) {
    futimens(file, NULL); /* sets the time of last use; if that fails, the file is removed sooner */
    count_one(opened, hits_name);
  }
  close(file);
  close(opened);
  return found;
}

static uint64_t random_number(void) {
  uint64_t random = os_time_ns();
  (void)!getrandom(&random, sizeof random, GRND_NONBLOCK);
  return random;
}

/* Writes a temporary file and renames it to name, so that readers never see a part of a file. */
static bool replace_file(int opened, const char *name, const unsigned char *bytes, size_t size,
                         os_reason *reason) {
  static atomic_uint number;
  char temporary[CACHE_DISK_NAME + 64];
  /* Has a random number, because processes on different machines may have the same id. */
  snprintf(temporary, sizeof temporary, "%s%ld.%u.%" PRIx64, CACHE_DISK_TEMPORARY, (long)getpid(),
           atomic_fetch_add(&number, 1), random_number());
  const int file = openat(opened, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          S_IRUSR | S_IWUSR);
  if (file < 0)
    return refuse_call(reason, "no file can be made in the directory", errno);
  /*
   * No fsync, because it takes longer than many builds. After a crash of the machine the file may
   * be incomplete, but readers check all of it. close reports if a server's disk is full.
   */
  bool good = write_all(file, bytes, size);
  int error = errno;
  if (close(file) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good) {
    good = renameat(opened, temporary, opened, name) == 0;
    error = errno;
  }
  if (!good) {
    unlinkat(opened, temporary, 0);
    return refuse_call(reason, "the file cannot be written", error);
  }
  return true;
}

bool cache_disk_fits(size_t key_size, size_t payload_size, const cache_disk_limits *limits) {
  const size_t length = cache_file_size(key_size, payload_size);
  return length != 0 && length <= limits->file && cache_disk_cost(length) <= limits->total;
}

/*
 * Returns whether this process has to measure the directory before it writes cost bytes. It does so
 * each time it has written slack bytes. The first time comes after a random part of slack. So on
 * average there is one look for slack bytes, also if many processes write little.
 */
static bool look_is_due(uint64_t cost, uint64_t slack) {
  static atomic_ullong left; /* bytes until the next look; 0 before the first write */
  unsigned long long former = atomic_load(&left);
  unsigned long long next;
  bool is_due;
  if (cost >= slack)
    return true;
  do {
    const unsigned long long now = former ? former : random_number() % slack + 1;
    is_due = now <= cost;
    next = is_due || now > slack ? slack : now - cost;
  } while (!atomic_compare_exchange_weak(&left, &former, next));
  return is_due;
}

/* If a look is due, makes space for the file and for the slack that is written until the next. */
static bool make_room(int opened, const char *name, uint64_t cost, uint64_t limit, size_t *removed,
                      os_reason *reason) {
  const uint64_t slack = limit / CACHE_DISK_LOOKS;
  return !look_is_due(cost, slack) ||
         cache_disk_make_room(opened, name, limit - (cost > slack ? cost : slack), removed, reason);
}

/*
 * After writing a large file, removes the excess that results if other processes have written at
 * the same time: the last of them sees all files. After small files the next look does this.
 */
static void remove_excess(int opened, uint64_t cost, uint64_t limit, size_t *removed) {
  size_t more = 0;
  os_reason ignored;
  if (cost >= limit / CACHE_DISK_LOOKS)
    cache_disk_make_room(opened, "", limit, &more, &ignored);
  *removed += more;
}

bool cache_disk_write(const char *directory, const cache_key *key, const void *payload, size_t size,
                      const cache_disk_limits *limits, size_t *removed, os_reason *reason) {
  *removed = 0;
  if (!cache_disk_fits(key->size, size, limits))
    return refuse_file(reason, "the program is larger than a file may be");
  const int opened = open_directory(directory, true, reason);
  if (opened < 0)
    return false;
  const file_name name = name_of(key);
  const size_t length = cache_file_size(key->size, size);
  unsigned char *bytes = malloc(length);
  bool good = bytes || refuse_file(reason, "an allocation failed");
  if (good) {
    cache_file_write(key, payload, size, bytes);
    const uint64_t cost = cache_disk_cost(length);
    good = make_room(opened, name.text, cost, limits->total, removed, reason) &&
           replace_file(opened, name.text, bytes, length, reason);
    if (good) {
      count_one(opened, writes_name);
      remove_excess(opened, cost, limits->total, removed);
    }
  }
  free(bytes);
  close(opened);
  return good;
}

void cache_disk_remove(const char *directory, const cache_key *key) {
  os_reason reason;
  const int opened = open_directory(directory, false, &reason);
  if (opened < 0)
    return;
  unlinkat(opened, name_of(key).text, 0);
  close(opened);
}

bool cache_disk_clear(const char *directory, os_reason *reason) {
  const int opened = open_directory(directory, false, reason);
  if (opened < 0)
    return errno == ENOENT;
  size_t removed;
  const bool good = cache_disk_make_room(opened, "", 0, &removed, reason);
  unlinkat(opened, hits_name, 0);
  unlinkat(opened, writes_name, 0);
  close(opened);
  return good;
}

bool cache_disk_measure(const char *directory, cache_disk_usage *ret, os_reason *reason) {
  *ret = (cache_disk_usage){0};
  const int opened = open_directory(directory, false, reason);
  if (opened < 0)
    return errno == ENOENT;
  size_t files = 0;
  const bool good = cache_disk_count_files(opened, &files, &ret->bytes, reason);
  ret->files = files;
  ret->hits = read_count(opened, hits_name);
  ret->writes = read_count(opened, writes_name);
  close(opened);
  return good;
}

#define _GNU_SOURCE /* F_OFD_SETLK, openat */
#include "cache_lock.h"

#include "../plugins/base/folder.h"
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* How often a lock is asked for: at first, for quick builds, and later. */
enum { FIRST_PAUSE_NS = 1000000, LAST_PAUSE_NS = 50000000 };

static int open_file(const char *folder) {
  os_reason reason;
  const int directory =
      pi_folder_open(folder, S_IRWXG | S_IRWXO, true, reason.text, sizeof reason.text);
  if (directory < 0)
    return -1;
  const int file =
      openat(directory, CACHE_LOCK_FILE,
             O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  close(directory);
  return file;
}

/*
 * The key's byte. Locks of the open file, not of the process: threads have theirs, and another
 * descriptor of the file that is closed somewhere gives up none.
 */
static struct flock byte_of(const cache_key *key, short type) {
  return (struct flock){.l_type = type,
                        .l_whence = SEEK_SET,
                        .l_start = (off_t)(key->hash.low & INT64_MAX) / 2,
                        .l_len = 1};
}

/* Waits until nobody builds: true before the deadline. */
static bool wait_for_others(int file, const cache_key *key, uint64_t deadline) {
  for (long pause = FIRST_PAUSE_NS; os_time_ns() < deadline;) {
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(const struct timespec){.tv_nsec = pause}, NULL);
    struct flock others = byte_of(key, F_RDLCK);
    if (fcntl(file, F_OFD_GETLK, &others) != 0)
      return false;
    if (others.l_type == F_UNLCK)
      return true;
    pause = 2 * pause < LAST_PAUSE_NS ? 2 * pause : LAST_PAUSE_NS;
  }
  return false;
}

cache_lock_state cache_lock_take(const char *folder, const cache_key *key, uint64_t deadline,
                                 cache_lock *ret) {
  const int file = open_file(folder);
  if (file < 0)
    return CACHE_LOCK_NONE;
  struct flock byte = byte_of(key, F_WRLCK);
  if (fcntl(file, F_OFD_SETLK, &byte) == 0) {
    ret->file = file;
    return CACHE_LOCK_TAKEN;
  }
  const bool has_passed =
      (errno == EAGAIN || errno == EACCES) && wait_for_others(file, key, deadline);
  close(file);
  return has_passed ? CACHE_LOCK_PASSED : CACHE_LOCK_NONE;
}

void cache_lock_release(cache_lock *lock) {
  if (lock->file < 0)
    return;
  /* By name, not by close alone: a child that was forked meanwhile has the file open, too. */
  struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  fcntl(lock->file, F_OFD_SETLK, &all);
  close(lock->file);
  lock->file = -1;
}

#define _GNU_SOURCE /* F_OFD_SETLK, openat */
#include "cache_lock.h"

#include "folder.h"
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* How often a lock is asked for: at first, for quick builds, and later. */
enum { FIRST_PAUSE_NS = 1000000, LAST_PAUSE_NS = 50000000 };

static int open_file(const char *folder) {
  os_reason reason;
  const int directory =
      folder_open(folder, S_IRWXG | S_IRWXO, true, reason.text, sizeof reason.text);
  if (directory < 0)
    return -1;
  const int file =
      openat(directory, CACHE_LOCK_FILE,
             O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  close(directory);
  return file;
}

/*
 * The key's byte for one of its locks. Locks of the open file, not of the process: threads have
 * theirs, and another descriptor of the file that is closed somewhere gives up none.
 */
static struct flock byte_of(const cache_key *key, unsigned number, short type) {
  return (struct flock){.l_type = type,
                        .l_whence = SEEK_SET,
                        .l_start = (off_t)(key->hash.low & INT64_MAX) / 2 + (off_t)number,
                        .l_len = 1};
}

/* Waits until nobody has the byte, or to the deadline. */
static cache_lock_state wait_for_others(int file, const struct flock *byte, uint64_t deadline) {
  for (long pause = FIRST_PAUSE_NS; os_time_ns() < deadline;) {
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(const struct timespec){.tv_nsec = pause}, NULL);
    struct flock others = *byte;
    others.l_type = F_RDLCK;
    if (fcntl(file, F_OFD_GETLK, &others) != 0)
      return CACHE_LOCK_NONE;
    if (others.l_type == F_UNLCK)
      return CACHE_LOCK_PASSED;
    pause = 2 * pause < LAST_PAUSE_NS ? 2 * pause : LAST_PAUSE_NS;
  }
  return CACHE_LOCK_LATE;
}

cache_lock_state cache_lock_take(const char *folder, const cache_key *key, unsigned number,
                                 uint64_t deadline, cache_lock *ret) {
  const int file = open_file(folder);
  if (file < 0)
    return CACHE_LOCK_NONE;
  const struct flock byte = byte_of(key, number, F_WRLCK);
  if (fcntl(file, F_OFD_SETLK, &byte) == 0) {
    ret->file = file;
    return CACHE_LOCK_TAKEN;
  }
  const bool is_held = errno == EAGAIN || errno == EACCES;
  const cache_lock_state state = is_held ? wait_for_others(file, &byte, deadline) : CACHE_LOCK_NONE;
  close(file);
  return state;
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

#define _GNU_SOURCE /* F_OFD_SETLK, openat */
#include "cache_lock.h"

#include "directory.h"
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_file(int opened) {
  return openat(opened, CACHE_LOCK_FILE,
                O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
                S_IRUSR | S_IWUSR);
}

/*
 * Returns the byte range of one of a key's locks. The locks belong to the open file description
 * (F_OFD_SETLK), not to the process. So threads exclude each other, too, and closing another
 * descriptor of the file releases no lock.
 */
static struct flock byte_of(const cache_key *key, unsigned number, short type) {
  return (struct flock){.l_type = type,
                        .l_whence = SEEK_SET,
                        .l_start = (off_t)(key->hash.low & INT64_MAX) / 2 + (off_t)number,
                        .l_len = 1};
}

/* A byte that another thread or process has locked. */
typedef struct held_byte {
  int file;
  struct flock byte;
} held_byte;

static cache_lock_state look_at_byte(const void *data) {
  const held_byte *byte = data;
  struct flock others = byte->byte;
  others.l_type = F_RDLCK;
  if (fcntl(byte->file, F_OFD_GETLK, &others) != 0)
    return CACHE_LOCK_NONE;
  return others.l_type == F_UNLCK ? CACHE_LOCK_PASSED : CACHE_LOCK_LATE;
}

static cache_lock_state take_byte(int file, const cache_key *key, unsigned number,
                                  uint64_t deadline) {
  const held_byte wanted = {file, byte_of(key, number, F_WRLCK)};
  if (fcntl(file, F_OFD_SETLK, &wanted.byte) == 0)
    return CACHE_LOCK_TAKEN;
  if (errno != EAGAIN && errno != EACCES)
    return CACHE_LOCK_NONE;
  return cache_lock_wait(look_at_byte, &wanted, deadline);
}

/* Unlocks all bytes. close would not be enough, because a forked child may have the file open. */
static void release_byte(int file) {
  struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  fcntl(file, F_OFD_SETLK, &all);
}

/*
 * Locks the byte. Also makes a claim, if byte locks do not work or hold only within this machine.
 * Sets only the claim in *ret.
 */
static cache_lock_state take_both(int opened, int file, const cache_key *key, unsigned number,
                                  uint64_t deadline, cache_lock *ret) {
  const cache_lock_state byte = take_byte(file, key, number, deadline);
  const bool has_byte = byte == CACHE_LOCK_TAKEN;
  if (!(has_byte && cache_claim_is_needed(file)) && byte != CACHE_LOCK_NONE)
    return byte;
  const cache_lock_state claim =
      cache_claim_make(opened, key, number, has_byte, deadline, &ret->claim);
  if (claim == CACHE_LOCK_NONE)
    return byte;
  if (has_byte && claim != CACHE_LOCK_TAKEN)
    release_byte(file);
  return claim;
}

cache_lock_state cache_lock_take(const char *directory, const cache_key *key, unsigned number,
                                 uint64_t deadline, cache_lock *ret) {
  os_reason reason;
  const int opened =
      directory_open(directory, S_IRWXG | S_IRWXO, true, reason.text, sizeof reason.text);
  if (opened < 0)
    return CACHE_LOCK_NONE;
  const int file = open_file(opened);
  const cache_lock_state state =
      file < 0 ? CACHE_LOCK_NONE : take_both(opened, file, key, number, deadline, ret);
  close(opened);
  if (state == CACHE_LOCK_TAKEN)
    ret->file = file;
  else if (file >= 0)
    close(file);
  return state;
}

void cache_lock_release(cache_lock *lock) {
  cache_claim_end(&lock->claim);
  if (lock->file < 0)
    return;
  release_byte(lock->file);
  close(lock->file);
  lock->file = -1;
}

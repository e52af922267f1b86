#define _GNU_SOURCE /* openat, unlinkat, O_DIRECT */
#include "cache_claim.h"

#include "cache_disk_list.h"
#include "write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

/* Pauses between looks at a lock. The first one is short, for quick builds; then they double. */
enum { FIRST_PAUSE_NS = 1000000, LAST_PAUSE_NS = 50000000 };

cache_lock_state cache_lock_wait(cache_lock_look look, const void *data, uint64_t deadline) {
  for (long pause = FIRST_PAUSE_NS; os_time_ns() < deadline;) {
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(const struct timespec){.tv_nsec = pause}, NULL);
    const cache_lock_state state = look(data);
    if (state != CACHE_LOCK_LATE)
      return state;
    pause = 2 * pause < LAST_PAUSE_NS ? 2 * pause : LAST_PAUSE_NS;
  }
  return CACHE_LOCK_LATE;
}

/* ---- Types and options of mounts ---- */

/* X(begin): prefix of file system types whose locks hold only within the machine. */
#define LOCAL_TYPES(X)                                                                             \
  X("fuse")                                                                                        \
  X("virtiofs")

/* X(option): mount options of NFS and Lustre by which locks hold only within the machine. */
#define LOCAL_OPTIONS(X)                                                                           \
  X("nolock")                                                                                      \
  X("local_lock=all")                                                                              \
  X("local_lock=posix")                                                                            \
  X("localflock")

/* Returns whether a comma-separated list has a word. */
static bool has_word(const char *words, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += length)
    if ((at == words || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
      return true;
  return false;
}

static bool is_local_type(const char *type, const char *options) {
#define LOCAL_TYPE(begin)                                                                          \
  if (strncmp(type, begin, sizeof begin - 1) == 0)                                                 \
    return true;
#define LOCAL_OPTION(option)                                                                       \
  if (has_word(options, option))                                                                   \
    return true;
  LOCAL_TYPES(LOCAL_TYPE)
  LOCAL_OPTIONS(LOCAL_OPTION)
#undef LOCAL_TYPE
#undef LOCAL_OPTION
  return false;
}

/* Returns whether a line of mountinfo is about this device, which is the line's third word. */
static bool is_line_of(const char *line, const char *device) {
  const char *at = strchr(line, ' ');
  at = at ? strchr(at + 1, ' ') : NULL;
  return at && strncmp(at + 1, device, strlen(device)) == 0;
}

bool cache_claim_reads_mounts(FILE *mounts, unsigned major, unsigned minor) {
  char line[4096]; /* the rest of a longer line is read as a line, and no device matches it */
  char device[32];
  snprintf(device, sizeof device, "%u:%u ", major, minor);
  while (fgets(line, sizeof line, mounts)) {
    char *type = strstr(line, " - "), *save;
    if (!type || !is_line_of(line, device))
      continue;
    line[strcspn(line, "\n")] = '\0';
    type = strtok_r(type + 3, " ", &save);
    strtok_r(NULL, " ", &save); /* skips the mount source */
    const char *options = strtok_r(NULL, " ", &save);
    if (type && is_local_type(type, options ? options : ""))
      return true;
  }
  return false;
}

bool cache_claim_is_needed(int file) {
  struct stat status;
  FILE *mounts = fstat(file, &status) == 0 ? fopen("/proc/self/mountinfo", "re") : NULL;
  if (!mounts)
    return false;
  const bool is_needed =
      cache_claim_reads_mounts(mounts, major(status.st_dev), minor(status.st_dev));
  fclose(mounts);
  return is_needed;
}

/* ---- Claims ---- */

/* File name of a claim. Old claims are cleaned up like unfinished files, by their prefix. */
typedef struct claim_name {
  char text[80];
} claim_name;

static claim_name name_of(const cache_hash *hash, unsigned number) {
  claim_name name;
  snprintf(name.text, sizeof name.text, CACHE_DISK_TEMPORARY "lock.%016" PRIx64 "%016" PRIx64 ".%u",
           hash->high, hash->low, number);
  return name;
}

/*
 * Writes the machine's boot id and the directory's device number. Processes with the same text see
 * each other's byte-range locks. Writes "" if one of the two is unknown.
 */
static void name_machine(int directory, char *ret, size_t size) {
  char boot[40] = "";
  struct stat status;
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
  *ret = '\0';
  if (file && fscanf(file, "%39s", boot) == 1 && fstat(directory, &status) == 0)
    snprintf(ret, size, "%s %u:%u ", boot, major(status.st_dev), minor(status.st_dev));
  if (file)
    fclose(file);
}

/*
 * Opens a claim for reading, with O_DIRECT if possible. Otherwise the machine may return the cached
 * content of an earlier claim with the same name: FUSE notices a new file only by its size and by
 * its time in seconds.
 */
static int open_claim(const cache_claim *claim) {
  const claim_name name = name_of(&claim->hash, claim->number);
  const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const int file = openat(claim->directory, name.text, flags | O_DIRECT);
  return file < 0 && errno == EINVAL ? openat(claim->directory, name.text, flags) : file;
}

/* Reads the text of a claim's file. Returns false with errno if the file cannot be opened. */
static bool read_owner(const cache_claim *claim, char ret[CACHE_CLAIM_OWNER]) {
  _Alignas(4096) char block[4096]; /* some file systems require this alignment for O_DIRECT */
  const int file = open_claim(claim);
  if (file < 0)
    return false;
  const ssize_t size = read(file, block, sizeof block);
  const size_t length = size > 0 && size < CACHE_CLAIM_OWNER ? (size_t)size : 0;
  memcpy(ret, block, length);
  ret[length] = '\0';
  close(file);
  return true;
}

static void remove_claim(const cache_claim *claim, unsigned number) {
  unlinkat(claim->directory, name_of(&claim->hash, number).text, 0);
}

static cache_lock_state look_at_claim(const void *data) {
  char owner[CACHE_CLAIM_OWNER];
  if (read_owner(data, owner))
    return CACHE_LOCK_LATE;
  return errno == ENOENT ? CACHE_LOCK_PASSED : CACHE_LOCK_NONE;
}

/*
 * Creates the file of a claim. Returns TAKEN, LATE if the file exists, or NONE. Some file systems
 * do not report EEXIST for an existing file, because SFTP has no such error.
 */
static cache_lock_state make_file(const cache_claim *claim) {
  const int file = openat(claim->directory, name_of(&claim->hash, claim->number).text,
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0)
    return errno == EEXIST || look_at_claim(claim) == CACHE_LOCK_LATE ? CACHE_LOCK_LATE
                                                                      : CACHE_LOCK_NONE;
  const bool is_written = write_all(file, claim->owner, strlen(claim->owner));
  if (close(file) == 0 && is_written)
    return CACHE_LOCK_TAKEN;
  remove_claim(claim, claim->number);
  return CACHE_LOCK_NONE;
}

/* Takes over the claim of a dead process of this machine. Returns false for other claims. */
static bool inherit_claim(cache_claim *claim, const char *machine) {
  char owner[CACHE_CLAIM_OWNER];
  if (!*machine || !read_owner(claim, owner) || strncmp(owner, machine, strlen(machine)) != 0)
    return false;
  memcpy(claim->owner, owner, sizeof owner);
  return true;
}

cache_lock_state cache_claim_make(int directory, const cache_key *key, unsigned number,
                                  bool is_only, uint64_t deadline, cache_claim *ret) {
  cache_claim claim = {.directory = directory, .hash = key->hash, .number = number};
  char machine[96], host[65] = "";
  uint64_t random = os_time_ns();
  name_machine(directory, machine, sizeof machine);
  gethostname(host, sizeof host - 1);
  (void)!getrandom(&random, sizeof random, GRND_NONBLOCK);
  snprintf(claim.owner, sizeof claim.owner, "%s%s %ld %016" PRIx64 "\n", machine, host,
           (long)getpid(), random);
  cache_lock_state state = make_file(&claim);
  if (state == CACHE_LOCK_LATE && is_only && inherit_claim(&claim, machine))
    state = CACHE_LOCK_TAKEN;
  if (state == CACHE_LOCK_LATE)
    return cache_lock_wait(look_at_claim, &claim, deadline);
  if (state != CACHE_LOCK_TAKEN)
    return state;
  const int own = fcntl(directory, F_DUPFD_CLOEXEC, 0);
  if (own < 0) {
    remove_claim(&claim, number);
    return CACHE_LOCK_NONE;
  }
  *ret = claim;
  ret->directory = own;
  return CACHE_LOCK_TAKEN;
}

void cache_claim_end(cache_claim *claim) {
  char owner[CACHE_CLAIM_OWNER];
  if (claim->directory < 0)
    return;
  for (unsigned number = 0; number < claim->number; number++)
    remove_claim(claim, number);
  if (read_owner(claim, owner) && strcmp(owner, claim->owner) == 0)
    remove_claim(claim, claim->number);
  close(claim->directory);
  claim->directory = -1;
}

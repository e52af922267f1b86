/* Answers about drivers in files of the user's cache. */
#define _GNU_SOURCE /* O_NOFOLLOW, CLOCK_BOOTTIME */
#include "probe.h"

#include "../base/digits.h"
#include "../base/directory.h"
#include "../base/write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Seconds for which a hang counts; size limits in bytes of a file and of a boot's id. */
enum { HANG_SECONDS = 600, MOST_BYTES = 1 << 16, BOOT_SIZE = 64 };

/* The first line. Its number grows with every change of the file format. */
static const char title[] = "specpi: whether the Level Zero driver may be called, 1\n";

static bool read_boot(char *boot) {
  const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? -1 : read(file, boot, BOOT_SIZE - 1);
  if (file >= 0)
    close(file);
  if (size <= 0)
    return false;
  boot[size] = '\0';
  boot[strcspn(boot, "\n")] = '\0';
  return true;
}

static long long uptime(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (long long)now.tv_sec;
}

/* Derives the file name from the FNV-1a hash of the key. Keys with the same hash do no harm,
 * because read_answer compares whole keys. */
static void name_file(const char *key, char *name, size_t size) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *key; key++)
    hash = (hash ^ (unsigned char)*key) * UINT64_C(0x100000001b3);
  snprintf(name, size, "level_zero-%016" PRIx64 ".probe", hash);
}

static bool is_ours(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Opens the cache directory; -1 if there is none. make: creates it. */
static int open_cache(bool make) {
  char path[PROBE_PATH_SIZE];
  char reason[128];
  return directory_find_cache(path, sizeof path)
             ? directory_open(path, S_IWGRP | S_IWOTH, make, reason, sizeof reason)
             : -1;
}

/* Reads a whole file as a text that the caller frees; NULL if it is too large or has NUL bytes. */
static char *read_text(int file) {
  char *bytes = malloc(MOST_BYTES + 1);
  size_t used = 0;
  ssize_t got = 1;
  while (bytes && used < MOST_BYTES && got != 0) {
    got = read(file, bytes + used, MOST_BYTES - used);
    if (got < 0 && errno != EINTR) {
      free(bytes);
      return NULL;
    }
    used += got > 0 ? (size_t)got : 0;
  }
  if (!bytes)
    return NULL;
  bytes[used] = '\0';
  if (used < MOST_BYTES && strlen(bytes) == used)
    return bytes;
  free(bytes);
  return NULL;
}

static char *read_file(const char *name) {
  const int directory = open_cache(false);
  if (directory < 0)
    return NULL;
  const int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  close(directory);
  if (file < 0)
    return NULL;
  char *text = is_ours(file) ? read_text(file) : NULL;
  close(file);
  return text;
}

/* Moves past a text; returns whether it was there. */
static bool pass(const char **at, const char *text) {
  const size_t length = strlen(text);
  if (strncmp(*at, text, length) != 0)
    return false;
  *at += length;
  return true;
}

/* Reads a number and moves past it and the byte after it; returns whether both were there. */
static bool pass_number(const char **at, char after, unsigned long long *ret) {
  uint64_t number;
  if (!digits_read(at, NULL, UINT64_MAX, &number) || **at != after)
    return false;
  *ret = number;
  ++*at;
  return true;
}

/* Reads a number like pass_number; also returns false if it is not below limit. */
static bool pass_below(const char **at, char after, unsigned long long limit, unsigned *ret) {
  unsigned long long number;
  if (!pass_number(at, after, &number) || number >= limit)
    return false;
  *ret = (unsigned)number;
  return true;
}

static bool pass_answer(const char **at, probe_answer *answer) {
  unsigned outcome;
  unsigned step;
  unsigned number;
  unsigned long long until;
  if (!pass_below(at, ' ', PROBE_UNKNOWN, &outcome) ||
      !pass_below(at, ' ', PROBE_STEP_COUNT, &step) || !pass_below(at, ' ', 256, &number) ||
      !pass_below(at, ' ', 1ull << 32, &answer->init) ||
      !pass_below(at, ' ', PROBE_MOST_FILES + 1, &answer->file_count) ||
      !pass_number(at, '\n', &until))
    return false;
  answer->outcome = (probe_outcome)outcome;
  answer->step = (probe_step)step;
  answer->number = (int)number;
  return until == 0 || (long long)until > uptime();
}

static bool pass_file(const char **at, probe_file *file) {
  probe_stamp *stamp = &file->stamp;
  if (!pass_number(at, ' ', &stamp->size) || !pass_number(at, ' ', &stamp->seconds) ||
      !pass_number(at, ' ', &stamp->nanoseconds) || !pass_number(at, ' ', &stamp->inode) ||
      !pass_number(at, ' ', &stamp->device))
    return false;
  const size_t length = strcspn(*at, "\n");
  if (length >= sizeof file->path || (*at)[length] != '\n')
    return false;
  memcpy(file->path, *at, length);
  file->path[length] = '\0';
  *at += length + 1;
  const probe_stamp now = probe_stamp_of(file->path);
  return now.size == stamp->size && now.seconds == stamp->seconds &&
         now.nanoseconds == stamp->nanoseconds && now.inode == stamp->inode &&
         now.device == stamp->device;
}

/* Reads an answer; returns whether the text is a complete answer for the key and this boot. */
static bool read_answer(const char *text, const char *boot, const char *key, probe_answer *ret) {
  const char *at = text;
  if (!pass(&at, title) || !pass(&at, boot) || !pass(&at, "\n") || !pass_answer(&at, ret))
    return false;
  for (unsigned i = 0; i < ret->file_count; i++)
    if (!pass_file(&at, &ret->files[i]))
      return false;
  return strcmp(at, key) == 0;
}

bool probe_recall(const char *key, probe_answer *ret) {
  char boot[BOOT_SIZE];
  char name[64];
  if (!read_boot(boot))
    return false;
  name_file(key, name, sizeof name);
  char *text = read_file(name);
  probe_answer answer = {.outcome = PROBE_UNKNOWN};
  const bool found = text && read_answer(text, boot, key, &answer);
  free(text);
  if (found)
    *ret = answer;
  return found;
}

/* Returns whether no path has a line break, which would break the file format. */
static bool has_plain_paths(const probe_answer *answer) {
  for (unsigned i = 0; i < answer->file_count; i++)
    if (strchr(answer->files[i].path, '\n'))
      return false;
  return true;
}

static void print_answer(FILE *to, const char *boot, const char *key, const probe_answer *answer) {
  const long long until = answer->outcome == PROBE_HANGS ? uptime() + HANG_SECONDS : 0;
  fprintf(to, "%s%s\n%u %u %d %u %u %lld\n", title, boot, (unsigned)answer->outcome,
          (unsigned)answer->step, answer->number, answer->init, answer->file_count, until);
  for (unsigned i = 0; i < answer->file_count; i++) {
    const probe_stamp *stamp = &answer->files[i].stamp;
    fprintf(to, "%llu %llu %llu %llu %llu %s\n", stamp->size, stamp->seconds, stamp->nanoseconds,
            stamp->inode, stamp->device, answer->files[i].path);
  }
  fputs(key, to);
}

/* Returns the text of a new file, which the caller frees; NULL without memory or if too large. */
static char *text_of(const char *boot, const char *key, const probe_answer *answer, size_t *size) {
  char *text = NULL;
  FILE *to = open_memstream(&text, size);
  if (!to)
    return NULL;
  print_answer(to, boot, key, answer);
  const bool is_whole = !ferror(to);
  if (fclose(to) == 0 && is_whole && *size < MOST_BYTES)
    return text;
  free(text);
  return NULL;
}

/* Writes under a temporary name and then renames, so that readers never see a partial file. */
static void write_file(int directory, const char *name, const char *text, size_t size) {
  static atomic_uint turn;
  char partial[128];
  snprintf(partial, sizeof partial, ".%s.%ld.%u", name, (long)getpid(), atomic_fetch_add(&turn, 1));
  const int file =
      openat(directory, partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0)
    return;
  const bool is_written = write_all(file, text, size);
  if (close(file) != 0 || !is_written || renameat(directory, partial, directory, name) != 0)
    unlinkat(directory, partial, 0);
}

void probe_remember(const char *key, const probe_answer *answer) {
  char boot[BOOT_SIZE];
  char name[64];
  size_t size;
  if (answer->number < 0 || !has_plain_paths(answer) || !read_boot(boot))
    return;
  char *text = text_of(boot, key, answer, &size);
  const int directory = text ? open_cache(true) : -1;
  if (directory >= 0) {
    name_file(key, name, sizeof name);
    write_file(directory, name, text, size);
    close(directory);
  }
  free(text);
}

/* The cache's directory: its owner and mode, refused files, and removal of old files. */
#define _GNU_SOURCE /* utimensat, mkfifo, mkdtemp */
#include "cache_check.h"
#include "memory.h"

#include "../../plugins/base/cache_disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY = 24, BLOCK = 4096, MORE = 256 };

static char base[PATH_MAX - MORE]; /* a private directory of this test */
static char directory[PATH_MAX];   /* the cache's directory in it */
static const cache_disk_limits roomy = {1 << 20, 1 << 16};
static os_reason reason;

/* Returns the path of a file in a directory; valid for the next few calls. */
static char *in(const char *where, const char *name) {
  static char paths[16][PATH_MAX + MORE];
  static unsigned next;
  char path[PATH_MAX + MORE];
  snprintf(path, sizeof path, "%s/%s", where, name);
  return memcpy(paths[next++ % 16], path, sizeof path);
}

static void remove_tree(const char *path) {
  DIR *stream = opendir(path);
  for (struct dirent *one; stream && (one = readdir(stream));) {
    if (strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0)
      continue;
    char below[PATH_MAX + MORE];
    snprintf(below, sizeof below, "%s/%s", path, one->d_name);
    struct stat status;
    if (lstat(below, &status) == 0 && S_ISDIR(status.st_mode)) {
      chmod(below, S_IRWXU);
      remove_tree(below);
    } else {
      unlink(below);
    }
  }
  if (stream)
    closedir(stream);
  rmdir(path);
}

static int setup(void **state) {
  (void)state;
  const char *temporary = getenv("TMPDIR");
  snprintf(base, sizeof base, "%s/specpi-cache-test-XXXXXX", temporary ? temporary : "/tmp");
  assert_non_null(mkdtemp(base));
  snprintf(directory, sizeof directory, "%s/cache", base);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  remove_tree(base);
  return 0;
}

#define CACHE_DISK_TEST(name) TEST_WITH(name, setup, teardown)

/* Returns the key of a number, in one of 8 writers that are used in turn. */
static cache_key key_of(unsigned number) {
  static cache_key_writer writers[8];
  return number_key(&writers[number % 8], number, KEY);
}

static char *file_of(unsigned number) {
  const cache_key key = key_of(number);
  char name[64];
  snprintf(name, sizeof name, "%016" PRIx64 "%016" PRIx64 ".specpi", key.hash.high, key.hash.low);
  return in(directory, name);
}

static bool put(unsigned number, size_t size, const cache_disk_limits *limits, size_t *removed) {
  static unsigned char payload[1 << 16];
  memset(payload, (int)number, size);
  const cache_key key = key_of(number);
  reason.text[0] = '\0';
  const bool good = cache_disk_write(directory, &key, payload, size, limits, removed, &reason);
  assert_true(good || reason.text[0]);
  return good;
}

static void must_put(unsigned number, size_t size) {
  size_t removed = 1;
  assert_true(put(number, size, &roomy, &removed));
  assert_int_equal(removed, 0);
}

/* Reads a number's file and checks its payload. */
static cache_disk_found find(unsigned number, size_t expected) {
  const cache_key key = key_of(number);
  void *payload = NULL;
  size_t size = 0;
  reason.text[0] = '\0';
  const cache_disk_found found =
      cache_disk_read(directory, &key, roomy.file, &payload, &size, &reason);
  if (found == CACHE_DISK_FOUND) {
    assert_int_equal(size, expected);
    for (size_t i = 0; i < size; i++)
      assert_int_equal(((unsigned char *)payload)[i], number & 0xff);
  } else {
    assert_null(payload);
    assert_true(found == CACHE_DISK_ABSENT || reason.text[0]);
  }
  free(payload);
  return found;
}

static void rejected(unsigned number, const char *sentence) {
  assert_int_equal(find(number, 0), CACHE_DISK_REJECTED);
  assert_string_equal(reason.text, sentence);
}

/* Counts the files in the cache's directory. */
static size_t names(void) {
  DIR *stream = opendir(directory);
  size_t count = 0;
  for (struct dirent *one; stream && (one = readdir(stream));)
    count += one->d_name[0] != '.';
  if (stream)
    closedir(stream);
  return count;
}

static void set_use(const char *path, time_t seconds) {
  const struct timespec times[2] = {{seconds, 0}, {seconds, 0}};
  assert_int_equal(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

static void overwrite(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

static void mode_of(const char *path, unsigned mode) {
  struct stat status;
  assert_int_equal(lstat(path, &status), 0);
  assert_int_equal(status.st_mode & 07777, mode);
}

CACHE_DISK_TEST(writes_and_reads) {
  assert_int_equal(find(1, 0), CACHE_DISK_ABSENT);
  must_put(1, 100);
  mode_of(directory, 0700);
  mode_of(file_of(1), 0600);
  assert_int_equal(find(1, 100), CACHE_DISK_FOUND);
  assert_int_equal(find(2, 0), CACHE_DISK_ABSENT);
  must_put(2, 0);
  assert_int_equal(find(2, 0), CACHE_DISK_FOUND);
  must_put(1, 50000); /* replaces the file */
  assert_int_equal(find(1, 50000), CACHE_DISK_FOUND);
  assert_int_equal(names(), 2);
  const cache_key key = key_of(1);
  cache_disk_remove(directory, &key);
  assert_int_equal(find(1, 0), CACHE_DISK_ABSENT);
  assert_true(cache_disk_clear(directory, &reason));
  assert_int_equal(names(), 0);
}

CACHE_DISK_TEST(makes_the_directory) {
  snprintf(directory, sizeof directory, "%s/a//b/c/", base);
  assert_true(cache_disk_check(directory, &reason));
  mode_of(in(base, "a"), 0700);
  mode_of(in(base, "a/b/c"), 0700);
  must_put(1, 1);
  remove_tree(in(base, "a")); /* the next write makes it again */
  assert_int_equal(find(1, 0), CACHE_DISK_ABSENT);
  assert_true(cache_disk_clear(directory, &reason));
  must_put(1, 1);
  assert_int_equal(find(1, 1), CACHE_DISK_FOUND);
}

static void directory_refused(const char *path, const char *begin) {
  reason.text[0] = '\0';
  assert_false(cache_disk_check(path, &reason));
  if (strncmp(reason.text, begin, strlen(begin)) != 0)
    fail_msg("\"%s\" where \"%s\" was expected", reason.text, begin);
  snprintf(directory, sizeof directory, "%s", path);
  size_t removed;
  assert_false(put(1, 1, &roomy, &removed));
  const cache_disk_found found = find(1, 0);
  assert_true(found == CACHE_DISK_FAILED || found == CACHE_DISK_ABSENT);
}

CACHE_DISK_TEST(unsafe_directories_are_refused) {
  directory_refused("relative", "the directory's path is not absolute");
  directory_refused("", "the directory's path is not absolute");
  char *path = in(base, "open");
  assert_int_equal(mkdir(path, 0700), 0);
  static const mode_t open_modes[] = {0701, 0710, 0720, 0755, 0777, 01777};
  for (size_t i = 0; i < sizeof open_modes / sizeof open_modes[0]; i++) {
    assert_int_equal(chmod(path, open_modes[i]), 0);
    directory_refused(path, "the directory has mode ");
  }
  assert_int_equal(chmod(path, 0700), 0);
  assert_true(cache_disk_check(path, &reason));
  char *link = in(base, "link");
  assert_int_equal(symlink(path, link), 0);
  directory_refused(link, "the directory is a symbolic link");
  directory_refused(in(link, ""), "the directory is a symbolic link"); /* with a slash at its end */
  char *dangling = in(base, "dangling");
  assert_int_equal(symlink(in(base, "nothing"), dangling), 0);
  directory_refused(dangling, "the directory is a symbolic link");
  char *file = in(base, "file");
  overwrite(file, "x", 1);
  directory_refused(file, "the directory cannot be opened: Not a directory");
  directory_refused(in(file, "below"), "the directory cannot be opened");
  directory_refused("/proc/specpi/cache", "the directory cannot be made");
  char deep[PATH_MAX + 10];
  memset(deep, 'x', sizeof deep - 1);
  deep[0] = '/';
  deep[sizeof deep - 1] = '\0';
  assert_false(cache_disk_check(deep, &reason));
  if (geteuid() == 0) {
    assert_int_equal(chown(path, 12345, 12345), 0);
    directory_refused(path, "the directory belongs to user 12345, not to user 0");
    assert_int_equal(chmod(path, 0755), 0);
    char above[PATH_MAX + MORE + 64];
    snprintf(above, sizeof above, "%s above it belongs to user 12345, not to root or", path);
    directory_refused(in(path, "below"), above);
  } else {
    directory_refused("/proc", "the directory belongs to user 0, not to user ");
  }
}

CACHE_DISK_TEST(damaged_files_are_refused) {
  must_put(1, 100);
  char *path = file_of(1);
  struct stat status;
  assert_int_equal(stat(path, &status), 0);
  assert_int_equal(truncate(path, status.st_size - 1), 0);
  rejected(1, "it has 123 bytes after its header, which says 24 and 100");
  must_put(1, 100);
  assert_int_equal(find(1, 100), CACHE_DISK_FOUND);
  overwrite(path, "", 0);
  rejected(1, "it is shorter than its header");
  /* A file larger than the limit is not read. */
  assert_int_equal(truncate(path, (off_t)roomy.file + 1), 0);
  rejected(1, "it has 65537 bytes, more than the 65536 allowed");
  must_put(1, 100);
  /* Another key's file under this key's name. */
  must_put(2, 100);
  assert_int_equal(rename(file_of(2), path), 0);
  rejected(1, "it belongs to another key");
}

CACHE_DISK_TEST(unsafe_files_are_refused) {
  must_put(1, 100);
  char *path = file_of(1);
  assert_int_equal(chmod(path, 0620), 0);
  rejected(1, "others may write it");
  assert_int_equal(chmod(path, 0602), 0);
  rejected(1, "others may write it");
  assert_int_equal(chmod(path, 0644), 0);
  assert_int_equal(find(1, 100), CACHE_DISK_FOUND);
  if (geteuid() == 0) {
    assert_int_equal(chown(path, 12345, 12345), 0);
    rejected(1, "it belongs to another user");
  } else {
    /* Without the right to read, opening the file fails. */
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(find(1, 0), CACHE_DISK_FAILED);
    assert_int_equal(chmod(path, 0600), 0);
  }
  must_put(1, 100);
  /* A symbolic link is refused, even to a good file. */
  char *elsewhere = in(base, "elsewhere");
  assert_int_equal(rename(path, elsewhere), 0);
  assert_int_equal(symlink(elsewhere, path), 0);
  assert_int_equal(find(1, 0), CACHE_DISK_REJECTED);
  /* A write replaces the link and leaves its target unchanged. */
  overwrite(elsewhere, "precious", 8);
  must_put(1, 100);
  assert_int_equal(find(1, 100), CACHE_DISK_FOUND);
  struct stat status;
  assert_int_equal(lstat(path, &status), 0);
  assert_true(S_ISREG(status.st_mode));
  assert_int_equal(stat(elsewhere, &status), 0);
  assert_int_equal(status.st_size, 8);
  assert_int_equal(unlink(path), 0);
  /* Opening a pipe does not block. */
  assert_int_equal(mkfifo(path, 0600), 0);
  rejected(1, "it is not a file");
  must_put(1, 100);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkdir(path, 0700), 0);
  rejected(1, "it is not a file");
  size_t removed;
  assert_false(put(1, 100, &roomy, &removed));
  assert_int_equal(rmdir(path), 0);
}

CACHE_DISK_TEST(oldest_use_goes_first) {
  const cache_disk_limits limits = {4 * BLOCK, BLOCK};
  size_t removed;
  for (unsigned i = 1; i <= 4; i++) {
    assert_true(put(i, 100, &limits, &removed));
    assert_int_equal(removed, 0);
    set_use(file_of(i), 1000 + (time_t)i);
  }
  assert_int_equal(find(1, 100), CACHE_DISK_FOUND); /* sets the time of the file's last use */
  assert_true(put(5, 100, &limits, &removed));
  assert_int_equal(removed, 1);
  assert_int_equal(find(2, 0), CACHE_DISK_ABSENT);
  assert_int_equal(find(1, 100), CACHE_DISK_FOUND);
  assert_int_equal(find(3, 100), CACHE_DISK_FOUND);
  /* Replacing a file removes no other one. */
  assert_true(put(4, 200, &limits, &removed));
  assert_int_equal(removed, 0);
  assert_int_equal(names(), 4);
  /* A smaller limit removes more. */
  const cache_disk_limits small = {2 * BLOCK, BLOCK};
  assert_true(put(6, 100, &small, &removed));
  assert_int_equal(removed, 3);
  assert_int_equal(names(), 2);
  assert_int_equal(find(6, 100), CACHE_DISK_FOUND);
}

CACHE_DISK_TEST(a_too_large_file_removes_nothing) {
  static const struct {
    cache_disk_limits limits;
    size_t size;
  } refused[] = {
      {{0, 0}, 0},
      {{0, BLOCK}, 0},
      {{BLOCK - 1, BLOCK}, 0},
      {{BLOCK, CACHE_FILE_HEADER}, 0},
      {{BLOCK, 2 * BLOCK}, BLOCK},
      {{10 * BLOCK, 1000}, 1000},
  };
  must_put(1, 10);
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    size_t removed = 1;
    assert_false(put(2, refused[i].size, &refused[i].limits, &removed));
    assert_string_equal(reason.text, "the program is larger than a file may be");
    assert_int_equal(removed, 0);
  }
  /* The refused writes removed no other file. */
  assert_int_equal(find(1, 10), CACHE_DISK_FOUND);
  size_t removed;
  const cache_disk_limits exact = {BLOCK, CACHE_FILE_HEADER + KEY + 5};
  assert_true(put(2, 5, &exact, &removed));
  assert_int_equal(removed, 1);
  assert_int_equal(names(), 1);
}

/* A local clock far ahead of the file system's, as with a file server. */
time_t __wrap_time(time_t *ret);

time_t __wrap_time(time_t *ret) {
  const time_t now = INT32_MAX;
  if (ret)
    *ret = now;
  return now;
}

/* The cache removes only files with names of its own form. */
CACHE_DISK_TEST(foreign_names_stay) {
  must_put(1, 10);
  static const char *const foreign[] = {"notes.txt", "0123456789abcdef0123456789abcdef",
                                        "0123456789ABCDEF0123456789abcdef.specpi",
                                        "0123456789abcdef0123456789abcde.specpi", "new.specpi"};
  enum { COUNT = sizeof foreign / sizeof foreign[0] };
  for (size_t i = 0; i < COUNT; i++)
    overwrite(in(directory, foreign[i]), "x", 1);
  /* Unfinished files: an old one of a dead writer, and a new one whose writer may be alive. */
  overwrite(in(directory, "new.specpi.1.2.3"), "x", 1);
  set_use(in(directory, "new.specpi.1.2.3"), 1000);
  overwrite(in(directory, "new.specpi.4.5.6"), "x", 1);
  assert_true(cache_disk_clear(directory, &reason));
  assert_int_equal(names(), COUNT + 1);
  assert_int_equal(access(in(directory, "new.specpi.4.5.6"), F_OK), 0);
  assert_int_equal(access(in(directory, "new.specpi.clock"), F_OK), -1);
  assert_int_equal(find(1, 0), CACHE_DISK_ABSENT);
}

/* If a file cannot be written, the write fails and no signal ends the process. */
CACHE_DISK_TEST(a_failed_write_leaves_nothing) {
  must_put(1, 10);
  const struct rlimit small = {100, RLIM_INFINITY};
  struct rlimit before;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  size_t removed;
  const bool put_it = put(2, 1000, &roomy, &removed);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_false(put_it);
  assert_string_equal(reason.text, "the file cannot be written: File too large");
  assert_int_equal(find(1, 10), CACHE_DISK_FOUND);
  assert_int_equal(names(), 1); /* no unfinished file is left */
  if (geteuid() != 0) {
    assert_int_equal(chmod(directory, 0500), 0);
    assert_false(put(2, 10, &roomy, &removed));
    assert_string_equal(reason.text, "no file can be made in the directory: Permission denied");
    assert_int_equal(find(1, 10), CACHE_DISK_FOUND);
    assert_int_equal(chmod(directory, 0700), 0);
  }
}

/* The work of a child process: writes, reads, replaces and clears. Every payload found is whole. */
static void use_it(unsigned seed) {
  const cache_disk_limits tight = {6 * BLOCK, roomy.file};
  for (unsigned round = 0; round < 150; round++) {
    const unsigned number = (seed * 7 + round * 5) % 8;
    size_t removed;
    put(number, 3000, &tight, &removed);
    const cache_disk_found found = find((number + round) % 8, 3000);
    assert_true(found == CACHE_DISK_FOUND || found == CACHE_DISK_ABSENT);
    if (round % 50 == 49)
      cache_disk_clear(directory, &reason);
  }
}

CACHE_DISK_TEST(processes_find_only_whole_files) {
  enum { PROCESSES = 4 };
  pid_t children[PROCESSES];
  for (unsigned i = 0; i < PROCESSES; i++) {
    children[i] = tests_fork();
    if (children[i] == 0) {
      use_it(i);
      _exit(0);
    }
  }
  for (unsigned i = 0; i < PROCESSES; i++)
    tests_join(children[i]);
  assert_true(names() <= 6);
}

/* ---- Scans of the directory ---- */

bool __real_cache_disk_make_room(int directory, const char *except, uint64_t limit, size_t *removed,
                                 os_reason *reason);
bool __wrap_cache_disk_make_room(int directory, const char *except, uint64_t limit, size_t *removed,
                                 os_reason *reason);

static size_t looks;

bool __wrap_cache_disk_make_room(int directory, const char *except, uint64_t limit, size_t *removed,
                                 os_reason *why) {
  looks++;
  return __real_cache_disk_make_room(directory, except, limit, removed, why);
}

enum { FILES = 64, SLACK = FILES / CACHE_DISK_LOOKS };
static const cache_disk_limits many_files = {FILES * BLOCK, BLOCK};

CACHE_DISK_TEST(writes_look_at_the_directory_seldom) {
  looks = 0;
  for (unsigned i = 0; i < 2 * FILES; i++) {
    size_t removed;
    assert_true(put(i, 100, &many_files, &removed));
    assert_true(names() <= FILES);
  }
  assert_in_range(looks, 2 * CACHE_DISK_LOOKS - 1, 2 * CACHE_DISK_LOOKS + 1);
  assert_int_equal(find(0, 0), CACHE_DISK_ABSENT);
  assert_int_equal(find(2 * FILES - 1, 100), CACHE_DISK_FOUND);
  assert_true(names() >= FILES - SLACK);
}

/* Executes this program again, so that its counts start at 0. */
static void write_in_a_process(unsigned number) {
  char text[16];
  snprintf(text, sizeof text, "%u", number);
  const pid_t child = tests_fork();
  if (child == 0) {
    execl("/proc/self/exe", "cache-disk", directory, text, (char *)NULL);
    _exit(127);
  }
  tests_join(child);
}

CACHE_DISK_TEST(processes_that_write_little_keep_the_limit) {
  for (unsigned i = 0; i < 2 * FILES; i++)
    write_in_a_process(i);
  /* Each process scans the directory with a probability of 1 / SLACK. That none of 20 * SLACK
   * processes in a row does has a probability below 10^-8. */
  assert_true(names() <= FILES + 20 * SLACK);
  assert_true(names() >= FILES - SLACK);
}

CACHE_DISK_TEST(processes_that_write_much_keep_the_limit) {
  enum { PROCESSES = 4 };
  pid_t children[PROCESSES];
  for (unsigned i = 0; i < PROCESSES; i++)
    if ((children[i] = tests_fork()) == 0) {
      size_t removed;
      for (unsigned j = 0; j < FILES; j++)
        put(i * FILES + j, 100, &many_files, &removed);
      _exit(0);
    }
  for (unsigned i = 0; i < PROCESSES; i++)
    tests_join(children[i]);
  assert_true(names() <= FILES + PROCESSES * SLACK);
}

CACHE_DISK_TEST(a_failed_allocation_leaks_nothing) {
  must_put(1, 100);
  bool failed = true;
  for (long fail = 0; failed; fail++) {
    const cache_key key = key_of(1), other = key_of(2);
    void *payload = NULL;
    size_t size, removed;
    memory_watch(fail);
    const cache_disk_found found =
        cache_disk_read(directory, &key, roomy.file, &payload, &size, &reason);
    if (found == CACHE_DISK_FOUND)
      free(payload);
    const bool written = cache_disk_write(directory, &other, "abc", 3, &roomy, &removed, &reason);
    const memory_use use = memory_unwatch();
    failed = use.failed;
    assert_int_equal(use.held, 0);
    assert_true(found == CACHE_DISK_FOUND || (failed && found == CACHE_DISK_FAILED));
    assert_true(written || failed || found != CACHE_DISK_FOUND);
    assert_true(fail < 100);
  }
  assert_int_equal(names(), 2);
}

int main(int argc, char **argv) {
  if (argc == 3) {
    size_t removed;
    snprintf(directory, sizeof directory, "%s", argv[1]);
    return put((unsigned)strtoul(argv[2], NULL, 10), 100, &many_files, &removed) ? 0 : 1;
  }
  return tests_run(NULL, NULL);
}

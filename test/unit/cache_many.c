/*
 * Many processes that share a directory get the same programs at once. Each program is built once.
 *
 * cache_many [READ_ONLY VIEW...]: each VIEW is a mount of the same directory and stands for a
 * machine. READ_ONLY is a mount that cannot be written, "-" for none. Without arguments the program
 * makes a directory.
 */
#define _GNU_SOURCE /* mkdtemp */
#include "cache_check.h"

#include "../../plugins/base/cache_directory.h"
#include "../support/scratch.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY = 24, KEYS = 5, PROCESSES = 64, PAYLOAD = 20000, FEW = 4 };

static char scratch[PATH_MAX / 2];
static char own_view[PATH_MAX];
static const char *read_only;
static const char *const *views;
static size_t view_count = 1;

static atomic_uint said;

static void count_line(const char *line) {
  fprintf(stderr, "%s\n", line);
  atomic_fetch_add(&said, 1);
}

static void ignore_line(const char *line) {
  (void)line;
}

static cache_directory directory =
    CACHE_DIRECTORY_INITIALIZER(count_line, ignore_line, UINT64_C(1) << 30, 1 << 20);

/* ---- One process ---- */

static void fill_payload(unsigned number, unsigned char *bytes) {
  for (size_t i = 0; i < PAYLOAD; i++)
    bytes[i] = (unsigned char)(i * (number + 3));
}

static const char *compare_payload(void *data, const void *payload, size_t size) {
  unsigned char expected[PAYLOAD];
  fill_payload(*(const unsigned *)data, expected);
  return size == PAYLOAD && memcmp(payload, expected, size) == 0 ? NULL : "it is another one";
}

/* Builds slowly, so that other processes have to wait, and appends a byte to a log. */
static bool build_program(unsigned number, unsigned char *bytes) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/builds%u", scratch, number);
  const int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const bool is_good = log >= 0 && write(log, "x", 1) == 1;
  close(log);
  usleep(30000);
  fill_payload(number, bytes);
  return is_good;
}

static bool get_program(unsigned number) {
  cache_key_writer writer;
  const cache_key key = number_key(&writer, number, KEY);
  cache_lock lock = CACHE_LOCK_INITIALIZER;
  unsigned char bytes[PAYLOAD];
  if (cache_directory_find(&directory, &key, compare_payload, &number, &lock))
    return true;
  const bool is_good = build_program(number, bytes);
  cache_directory_write(&directory, &key, bytes, sizeof bytes);
  cache_lock_release(&lock);
  return is_good;
}

/* Gets every program, starting with number `first`; returns 0 if all went well. */
static int act(const char *view, unsigned first, unsigned lines) {
  os_reason reason;
  directory.wait_ns = UINT64_C(600) * 1000000000u;
  if (!cache_directory_name(&directory, view, &reason)) {
    fprintf(stderr, "%s: %s\n", view, reason.text);
    return 1;
  }
  for (unsigned i = 0; i < KEYS; i++)
    if (!get_program((first + i) % KEYS))
      return 2;
  const cache_directory_counts counts = cache_directory_get_counts(&directory);
  if (counts.disk_rejected != 0 || atomic_load(&said) > lines)
    return 3;
  return 0;
}

/* ---- All processes ---- */

static pid_t start(const char *view, unsigned first, unsigned lines) {
  const pid_t child = tests_fork();
  if (child == 0)
    _exit(act(view, first, lines));
  return child;
}

/* Counts the builds of a program since the last call. */
static unsigned take_builds(unsigned number) {
  char path[PATH_MAX];
  struct stat status = {0};
  snprintf(path, sizeof path, "%s/builds%u", scratch, number);
  if (stat(path, &status) == 0)
    unlink(path);
  return (unsigned)status.st_size;
}

TEST(each_is_built_once) {
  pid_t children[PROCESSES];
  for (unsigned i = 0; i < PROCESSES; i++)
    children[i] = start(views[i % view_count], i / (unsigned)view_count, 0);
  for (unsigned i = 0; i < PROCESSES; i++)
    tests_join(children[i]);
  for (unsigned i = 0; i < KEYS; i++)
    assert_int_equal(take_builds(i), 1);
}

/* Files in a read-only directory are read. Without files each process builds, and prints a line. */
TEST(read_only_directories_are_read) {
  if (!read_only)
    skip();
  tests_join(start(read_only, 0, 0));
  os_reason reason;
  assert_true(cache_disk_clear(views[0], &reason));
  for (unsigned i = 0; i < FEW; i++)
    tests_join(start(read_only, i, 1));
  for (unsigned i = 0; i < KEYS; i++)
    assert_int_equal(take_builds(i), FEW);
  tests_join(start(views[0], 0, 0));
  for (unsigned i = 0; i < KEYS; i++)
    assert_int_equal(take_builds(i), 1);
}

static void move_directory_away(unsigned number) {
  char away[PATH_MAX];
  snprintf(away, sizeof away, "%s/away%u", scratch, number);
  rename(own_view, away);
}

/* The directory is moved away repeatedly while processes read, build and write. */
TEST(vanishing_directories_fail_nothing) {
  if (views[0] != own_view)
    skip();
  pid_t children[PROCESSES];
  move_directory_away(0);
  for (unsigned i = 0; i < PROCESSES; i++)
    children[i] = start(own_view, i, 1);
  for (unsigned i = 1; i < 20; i++) {
    usleep(5000);
    move_directory_away(i);
  }
  for (unsigned i = 0; i < PROCESSES; i++)
    tests_join(children[i]);
  for (unsigned i = 0; i < KEYS; i++)
    assert_true(take_builds(i) >= 1);
}

int main(int argc, char **argv) {
  const char *temporary = getenv("TMPDIR");
  const char *const own_views[] = {own_view};
  snprintf(scratch, sizeof scratch, "%s/specpi-many-test-XXXXXX", temporary ? temporary : "/tmp");
  if (!mkdtemp(scratch))
    return 1;
  snprintf(own_view, sizeof own_view, "%s/cache", scratch);
  views = own_views;
  if (argc > 2) {
    read_only = strcmp(argv[1], "-") != 0 ? argv[1] : NULL;
    views = (const char *const *)argv + 2;
    view_count = (size_t)argc - 2;
  }
  const int failed = tests_run(NULL, NULL);
  return scratch_remove(scratch) == 0 ? failed : 1;
}

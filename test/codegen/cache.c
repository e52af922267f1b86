/* The cache of generated PTX, in memory and in a directory: hits, misses, and who builds. */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include "cache_world.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { PROCESSES = 64, THREADS = 8 };

/* Returns the line's number if the condition is false; for child processes. */
#define NEED(condition)                                                                            \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                      \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

static int without_directory(void) {
  return setenv("SPECPI_CACHE_DIR", "", 1);
}

#define CACHE_TEST(name) TEST_WITH(name, cache_setup, cache_teardown)

/* ---- Keys and limits ---- */

static int try_parts(void) {
  static const cache_wish wishes[] = {
      {.value = 0},
      {.value = 16}, /* the default, set explicitly */
      {.value = 17},
      {.module = "stateful.spv"},
      {.target = {.capability = 86, .level = 1}},
      {.target = {.capability = 80, .level = 2}},
      {.target = {.capability = 80, .level = 1, .is_part = true}},
      {.target = {.capability = 80, .level = 1, .no_offset = true}},
  };
  NEED(without_directory() == 0);
  for (unsigned round = 0; round < 2; round++)
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++)
      NEED(cache_generates(wishes[i]) == (round == 0));
  NEED(access(cache_place, F_OK) != 0);
  return 0;
}

CACHE_TEST(each_part_of_a_key_counts) {
  pid_t latest;
  cache_run(try_parts);
  assert_int_equal(cache_starts(&latest), 1);
}

/* Builds a module and returns whether its PTX contains `number` and not `other`. */
static bool has_number(const char *module, const char *number, const char *other) {
  code_product product = {0};
  const cache_wish wish = {.module = module};
  if (build_wish(&wish, &product) != PI_SUCCESS)
    return false;
  const bool is_right =
      strstr((const char *)product.bytes, number) && !strstr((const char *)product.bytes, other);
  code_product_free(&product);
  return is_right;
}

/* The number in the first module and the one in the second, as arguments of has_number. */
#define NUMBERS "433364940256", "33932981728"
#define NUMBERS_SWAPPED "33932981728", "433364940256"

static int build_second(void) {
  NEED(has_number("collision2.spv", NUMBERS_SWAPPED));
  return 0;
}

static int build_both(void) {
  size_t sizes[2];
  unsigned char *modules[] = {read_module("collision1.spv", &sizes[0]),
                              read_module("collision2.spv", &sizes[1])};
  NEED(sizes[0] == sizes[1]);
  NEED(cache_hash_equal(cache_hash_make(modules[0], sizes[0]),
                        cache_hash_make(modules[1], sizes[1])));
  free(modules[0]);
  free(modules[1]);
  NEED(has_number("collision1.spv", NUMBERS));
  return build_second();
}

static int build_both_in_memory(void) {
  NEED(without_directory() == 0);
  return build_both();
}

CACHE_TEST(modules_with_one_hash_are_two) {
  cache_run(build_both_in_memory);
  cache_run(build_both);
  cache_run(build_second);
}

static int try_limits(void) {
  NEED(without_directory() == 0);
  cache_set_limits(&generated_texts, (cache_limits){2, SIZE_MAX});
  NEED(cache_generates((cache_wish){.value = 1}) == 1);
  NEED(cache_generates((cache_wish){.value = 2}) == 1);
  NEED(cache_generates((cache_wish){.value = 1}) == 0);
  NEED(cache_generates((cache_wish){.value = 3}) == 1); /* evicts 2, which was used longest ago */
  NEED(cache_generates((cache_wish){.value = 1}) == 0);
  NEED(cache_generates((cache_wish){.value = 2}) == 1);
  NEED(cache_get_counts(&generated_texts).objects == 2);
  cache_set_limits(&generated_texts, (cache_limits){2, 100});
  NEED(cache_get_counts(&generated_texts).bytes <= 100);
  return 0;
}

CACHE_TEST(the_oldest_use_is_evicted) {
  cache_run(try_limits);
}

/* The cache keeps no failure: the second build runs the generator again. */
static int try_failure(void) {
  const cache_wish wish = {.module = "missing.spv"};
  code_product product = {0};
  const char *message;
  for (unsigned i = 1; i <= 2; i++) {
    NEED(build_wish(&wish, &product) == PI_ERROR_BUILD_PROGRAM_FAILURE);
    plugin_error_last(&message);
    NEED(strstr(message, "'nobody_has_this'"));
    NEED(atomic_load(&generated_count) == i);
  }
  return 0;
}

CACHE_TEST(a_failure_is_not_kept) {
  cache_run(try_failure);
}

static void *build_in_thread(void *data) {
  (void)data;
  return (void *)(uintptr_t)(cache_generates((cache_wish){.value = 5}) == 9);
}

static int try_threads(void) {
  pthread_t threads[THREADS];
  void *failed;
  NEED(without_directory() == 0);
  for (size_t i = 0; i < THREADS; i++)
    NEED(pthread_create(&threads[i], NULL, build_in_thread, NULL) == 0);
  for (size_t i = 0; i < THREADS; i++)
    NEED(pthread_join(threads[i], &failed) == 0 && !failed);
  NEED(atomic_load(&generated_count) == 1);
  return 0;
}

CACHE_TEST(threads_share_one_build) {
  cache_run(try_threads);
}

/* ---- The directory ---- */

static int generate_one(void) {
  NEED(cache_generates((cache_wish){.value = 5}) == 1);
  return 0;
}

static int find_one(void) {
  NEED(cache_generates((cache_wish){.value = 5}) == 0);
  NEED(cache_directory_get_counts(&generated_directory).disk_hits == 1);
  return 0;
}

CACHE_TEST(a_directory_serves_later_processes) {
  struct stat status;
  pid_t latest;
  cache_run(generate_one);
  cache_run(find_one);
  assert_int_equal(cache_starts(&latest), 1);
  assert_int_equal(stat(cache_place, &status), 0);
  assert_int_equal(status.st_mode & 07777, 0700);
  /* Another version of the generator misses the entry. Without a version there are no hits. */
  cache_write("generator.id", "another generator\n", 0600);
  cache_run(generate_one);
  cache_run(find_one);
  assert_int_equal(unlink(cache_in("generator.id")), 0);
  cache_run(generate_one);
  cache_run(generate_one);
  cache_write("generator.id", "one generator\n", 0600);
  cache_run(find_one);
}

/* Returns the path of the only file in the cache. */
static const char *find_file(void) {
  static char path[600];
  DIR *directory = opendir(cache_place);
  unsigned count = 0;
  assert_non_null(directory);
  for (struct dirent *entry; (entry = readdir(directory));)
    if (entry->d_name[0] != '.') {
      snprintf(path, sizeof path, "%s/%s", cache_place, entry->d_name);
      count++;
    }
  closedir(directory);
  assert_int_equal(count, 1);
  return path;
}

static int replace_damaged(void) {
  NEED(cache_generates((cache_wish){.value = 5}) == 1);
  NEED(cache_directory_get_counts(&generated_directory).disk_rejected == 1);
  return 0;
}

static void change_byte(const char *path, off_t at) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  unsigned char byte;
  assert_int_equal(pread(file, &byte, 1, at), 1);
  byte ^= 0x20;
  assert_int_equal(pwrite(file, &byte, 1, at), 1);
  close(file);
}

CACHE_TEST(damaged_files_are_replaced) {
  struct stat status;
  cache_run(generate_one);
  const char *path = find_file();
  assert_int_equal(stat(path, &status), 0);
  const off_t places[] = {0, 10, 30, 60, status.st_size / 2, status.st_size - 1};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    change_byte(path, places[i]);
    cache_run(replace_damaged);
    cache_run(find_one);
  }
  const off_t sizes[] = {0, 47, status.st_size - 1, status.st_size + 1};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    assert_int_equal(truncate(path, sizes[i]), 0);
    cache_run(replace_damaged);
    cache_run(find_one);
  }
  assert_int_equal(unlink(path), 0);
  assert_int_equal(symlink("/etc/passwd", path), 0);
  cache_run(replace_damaged);
  cache_run(find_one);
}

/* Builds succeed although the directory is unusable. */
static int build_all_the_same(void) {
  NEED(cache_generates((cache_wish){.value = 5}) == 1);
  NEED(cache_generates((cache_wish){.value = 6}) == 1);
  NEED(cache_generates((cache_wish){.value = 5}) == 0);
  NEED(cache_directory_get_counts(&generated_directory).disk_failures != 0);
  NEED(cache_directory_get_counts(&generated_directory).disk_writes == 0);
  return 0;
}

static int build_within_limit(void) {
  const struct rlimit limit = {100, 100};
  NEED(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  return build_all_the_same();
}

CACHE_TEST(bad_directories_fail_no_build) {
  cache_write("cache", "a file", 0600);
  cache_run(build_all_the_same);
  assert_int_equal(unlink(cache_place), 0);
  assert_int_equal(mkdir(cache_place, 0777), 0);
  assert_int_equal(chmod(cache_place, 0777), 0);
  cache_run(build_all_the_same);
  assert_int_equal(rmdir(cache_place), 0);
  assert_int_equal(symlink(cache_base, cache_place), 0);
  cache_run(build_all_the_same);
  assert_int_equal(unlink(cache_place), 0);
  assert_int_equal(mkdir(cache_place, 0700), 0);
  if (geteuid() != 0) { /* root may write everywhere */
    assert_int_equal(chmod(cache_place, 0500), 0);
    cache_run(build_all_the_same);
    assert_int_equal(chmod(cache_place, 0700), 0);
  }
}

/* A limit on the file size fails in write(), as a full disk does. */
CACHE_TEST(a_full_disk_fails_no_build) {
  cache_run(build_within_limit);
  cache_run(generate_one);
}

/* ---- Processes ---- */

static int build_one(void) {
  NEED(cache_generates((cache_wish){.value = 5}) <= 1);
  return 0;
}

CACHE_TEST(processes_share_one_build) {
  pid_t processes[PROCESSES];
  pid_t latest;
  for (size_t i = 0; i < PROCESSES; i++)
    processes[i] = cache_start(build_one);
  for (size_t i = 0; i < PROCESSES; i++)
    tests_join(processes[i]);
  assert_int_equal(cache_starts(&latest), 1);
}

/* The process that builds is killed; one of the waiting processes builds instead. */
CACHE_TEST(a_waiter_builds_when_the_builder_is_killed) {
  pid_t latest = 0;
  cache_write_generator("generator", "sleep 1000");
  const pid_t first = cache_start(build_one);
  while (cache_starts(&latest) == 0)
    usleep(1000);
  cache_write_generator("generator.new", CODEGEN_PROGRAM " --serve");
  assert_int_equal(rename(cache_in("generator.new"), cache_in("generator")), 0);
  const pid_t second = cache_start(build_one);
  const pid_t third = cache_start(build_one);
  usleep(50000);
  assert_int_equal(waitpid(second, NULL, WNOHANG), 0);
  assert_int_equal(kill(first, SIGKILL), 0);
  assert_int_equal(waitpid(first, NULL, 0), first);
  const pid_t hung = latest;
  const int one = tests_status(second);
  const int other = tests_status(third);
  assert_int_equal(kill(hung, SIGKILL), 0);
  /* Only one of the two waiting processes built. */
  assert_int_equal(cache_starts(&latest), 2);
  assert_int_equal(other, 0);
  assert_int_equal(one, 0);
}

/* The owner of the lock is stopped, or its machine is gone: after wait_ns one of the others builds,
 * and the rest take its result. */
static int build_impatiently(void) {
  generated_directory.wait_ns = UINT64_C(5000000000); /* longer than the build takes */
  return build_one();
}

CACHE_TEST(a_stopped_builder_is_not_waited_for_forever) {
  pid_t processes[THREADS];
  pid_t latest = 0;
  cache_write_generator("generator", "sleep 1000");
  const pid_t first = cache_start(build_one);
  while (cache_starts(&latest) == 0)
    usleep(1000);
  const pid_t hung = latest;
  assert_int_equal(kill(first, SIGSTOP), 0);
  cache_write_generator("generator.new", CODEGEN_PROGRAM " --serve");
  assert_int_equal(rename(cache_in("generator.new"), cache_in("generator")), 0);
  for (size_t i = 0; i < THREADS; i++)
    processes[i] = cache_start(build_impatiently);
  for (size_t i = 0; i < THREADS; i++)
    tests_join(processes[i]);
  assert_int_equal(cache_starts(&latest), 2);
  assert_int_equal(kill(first, SIGKILL), 0);
  assert_int_equal(kill(hung, SIGKILL), 0);
  assert_int_equal(waitpid(first, NULL, 0), first);
}

/*
 * Programs in a directory, on a real device: a process reads programs that another one built, and
 * rebuilds those with a bad file. With an argument this program is such a process: see act().
 */
#define _GNU_SOURCE /* mkdtemp, F_OFD_SETLK */
#include "cache_support.h"

#include "../../plugins/base/cache_file.h"
#include "../../plugins/base/cache_lock.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char base[PATH_MAX / 2];
static char directory[PATH_MAX];
static char path[PATH_MAX + 256]; /* set by one_file() */
static specpi_cache_statistics before;

static int remove_one(const char *name, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind, (void)place;
  return remove(name);
}

static void remove_files(const char *of) {
  nftw(of, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static int setup(void **state) {
  (void)state;
  const char *temporary = getenv("TMPDIR");
  snprintf(base, sizeof base, "%s/specpi-directory-test-XXXXXX", temporary ? temporary : "/tmp");
  assert_non_null(mkdtemp(base));
  snprintf(directory, sizeof directory, "%s/cache", base);
  must(specpiCacheSetLimits(NULL));
  must(specpiCacheSetDirectory(directory));
  must(specpiCacheClear());
  counted_since(&before);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  must(specpiCacheSetDirectory(NULL));
  remove_files(directory);
  remove_files(base);
  return 0;
}

#define DIRECTORY_TEST(name) TEST_WITH(name, setup, teardown)

/* Returns the number of files and sets path to one of them. */
static size_t one_file(void) {
  DIR *stream = opendir(directory);
  assert_non_null(stream);
  size_t count = 0;
  for (struct dirent *one; (one = readdir(stream));)
    if (one->d_name[0] != '.') {
      count++;
      snprintf(path, sizeof path, "%s/%s", directory, one->d_name);
    }
  closedir(stream);
  return count;
}

static unsigned char *load(size_t *size) {
  struct stat status;
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fstat(fileno(file), &status), 0);
  *size = (size_t)status.st_size;
  unsigned char *bytes = malloc(*size);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

static void store(const unsigned char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

DIRECTORY_TEST(reads_what_was_built) {
  specpi_bundle input = report_bundle();
  check_tile(input, 21);
  specpi_cache_statistics since = counted_since(&before);
  assert_int_equal(since.builds, 1);
  assert_int_equal(since.disk_misses, 1);
  assert_int_equal(since.disk_writes, 1);
  assert_int_equal(one_file(), 1);
  must(specpiCacheClear());
  check_tile(input, 21);
  since = counted_since(&before);
  assert_int_equal(since.builds, 0);
  assert_int_equal(since.disk_hits, 1);
  assert_int_equal(since.disk_writes, 0);
  assert_int_equal(since.disk_failures, 0);
  /* Other values have other files. */
  check_tile(input, 22);
  assert_int_equal(counted_since(&before).builds, 1);
  assert_int_equal(one_file(), 2);
  must(specpiCacheClear());
  check_tile(input, 22);
  check_tile(input, 21);
  since = counted_since(&before);
  assert_int_equal(since.builds, 0);
  assert_int_equal(since.disk_hits, 2);
  must(specpiCacheClearDirectory());
  assert_int_equal(one_file(), 0);
  must(specpiCacheClear());
  check_tile(input, 22);
  assert_int_equal(counted_since(&before).builds, 1);
  /* Without a directory no file is written or read. */
  must(specpiCacheSetDirectory(NULL));
  must(specpiCacheClearDirectory());
  assert_int_equal(one_file(), 1);
  must(specpiCacheClear());
  check_tile(input, 22);
  since = counted_since(&before);
  assert_int_equal(since.builds, 1);
  assert_int_equal(since.disk_hits + since.disk_misses + since.disk_writes, 0);
  specpiBundleRelease(input);
}

/* Checks the kernel "from_buffer" with one value. */
static void check_from_buffer(specpi_bundle input, int32_t tile) {
  const specpi_value value = {"tile", sizeof tile, &tile};
  specpi_kernel kernel = NULL;
  must(specpiBundleGetKernel(input, "from_buffer", NULL, 1, &value, &kernel));
  int64_t values[BUFFER_VALUES];
  run_kernel(kernel, values, BUFFER_VALUES);
  assert_int_equal(values[0], tile);
  specpiKernelRelease(kernel);
}

/*
 * The code of a program that reads constants from a buffer is one file. In the CUDA plugin the code
 * contains the buffer, so each value has a file.
 */
DIRECTORY_TEST(buffers_share_a_file) {
  const bool shared = !support_is_cuda();
  static test_image image;
  image_buffer(&image);
  const test_image *const images[] = {&image};
  specpi_bundle input = support_bundle(1, images);
  for (int32_t tile = 0; tile < 6; tile++) {
    check_from_buffer(input, tile);
    if (tile == 2)
      must(specpiCacheClear());
  }
  specpi_cache_statistics since = counted_since(&before);
  assert_int_equal(since.builds, shared ? 1 : 6);
  assert_int_equal(since.disk_hits, shared ? 1 : 0);
  if (shared)
    assert_int_equal(one_file(), 1);
  must(specpiCacheClear());
  check_from_buffer(input, 4);
  since = counted_since(&before);
  assert_int_equal(since.builds, 0);
  assert_int_equal(since.disk_hits, 1);
  specpiBundleRelease(input);
}

/* Asserts that a damaged file is counted, its program is built, and the file is good again. */
static void rebuilt(specpi_bundle input) {
  must(specpiCacheClear());
  check_tile(input, 31);
  specpi_cache_statistics since = counted_since(&before);
  assert_int_equal(since.disk_rejected, 1);
  assert_int_equal(since.disk_hits, 0);
  assert_int_equal(since.builds, 1);
  assert_int_equal(since.disk_writes, 1);
  must(specpiCacheClear());
  check_tile(input, 31);
  since = counted_since(&before);
  assert_int_equal(since.disk_rejected, 0);
  assert_int_equal(since.disk_hits, 1);
}

DIRECTORY_TEST(damaged_files_are_rebuilt) {
  specpi_bundle input = report_bundle();
  check_tile(input, 31);
  assert_int_equal(one_file(), 1);
  counted_since(&before);
  size_t size;
  unsigned char *good = load(&size);
  store(good, size - 1);
  rebuilt(input);
  store(good, 10);
  rebuilt(input);
  const size_t places[] = {0, 8, 16, 24, 32, CACHE_FILE_HEADER, size - 1};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    good[places[i]] ^= 0x40;
    store(good, size);
    good[places[i]] ^= 0x40;
    rebuilt(input);
  }
  assert_int_equal(chmod(path, 0622), 0);
  rebuilt(input);
  free(good);
  specpiBundleRelease(input);
}

/* The driver refuses the payload of an intact file with the right key. */
DIRECTORY_TEST(what_the_driver_refuses_is_rebuilt) {
  specpi_bundle input = report_bundle();
  check_tile(input, 31);
  assert_int_equal(one_file(), 1);
  counted_since(&before);
  size_t size;
  unsigned char *good = load(&size);
  uint64_t key_size;
  memcpy(&key_size, good + 16, sizeof key_size);
  const cache_key key = {.bytes = good + CACHE_FILE_HEADER, .size = (size_t)key_size};
  static const char *const payloads[] = {"", "this is no program for any device"};
  for (size_t i = 0; i < sizeof payloads / sizeof payloads[0]; i++) {
    const size_t bad_size = cache_file_size(key.size, strlen(payloads[i]));
    unsigned char *bad = malloc(bad_size);
    assert_non_null(bad);
    cache_file_write(&key, payloads[i], strlen(payloads[i]), bad);
    store(bad, bad_size);
    free(bad);
    rebuilt(input);
  }
  free(good);
  specpiBundleRelease(input);
}

/* A link replaces the file. The link's target must not change. */
DIRECTORY_TEST(links_are_not_followed) {
  specpi_bundle input = report_bundle();
  check_tile(input, 31);
  assert_int_equal(one_file(), 1);
  counted_since(&before);
  char elsewhere[PATH_MAX];
  snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", base);
  assert_int_equal(rename(path, elsewhere), 0);
  assert_int_equal(symlink(elsewhere, path), 0);
  struct stat first, second;
  assert_int_equal(stat(elsewhere, &first), 0);
  rebuilt(input);
  assert_int_equal(lstat(path, &second), 0);
  assert_true(S_ISREG(second.st_mode));
  assert_int_equal(stat(elsewhere, &second), 0);
  assert_int_equal(first.st_mtim.tv_nsec, second.st_mtim.tv_nsec);
  assert_int_equal(first.st_ctim.tv_nsec, second.st_ctim.tv_nsec);
  specpiBundleRelease(input);
}

DIRECTORY_TEST(unusable_directories_are_refused) {
  specpi_bundle input = report_bundle();
  assert_error(specpiCacheSetDirectory("relative/path"), SPECPI_ERROR_DIRECTORY, "not absolute");
  assert_error(specpiCacheSetDirectory(""), SPECPI_ERROR_DIRECTORY, "not absolute");
  assert_error(specpiCacheSetDirectory("/proc/nothing/here"), SPECPI_ERROR_DIRECTORY,
               "cannot be made");
  static char deep[PATH_MAX + 1];
  memset(deep, '/', PATH_MAX);
  assert_error(specpiCacheSetDirectory(deep), SPECPI_ERROR_DIRECTORY, "bytes");
  assert_int_equal(chmod(base, 0755), 0);
  assert_error(specpiCacheSetDirectory(base), SPECPI_ERROR_DIRECTORY, "mode 0755");
  assert_int_equal(chmod(base, 0700), 0);
  /* The directory that was set before is still used. */
  check_tile(input, 1);
  assert_int_equal(counted_since(&before).disk_writes, 1);
  assert_int_equal(one_file(), 1);
  specpiBundleRelease(input);
}

DIRECTORY_TEST(the_directory_keeps_its_limits) {
  specpi_bundle input = report_bundle();
  specpi_cache_limits limits;
  must(specpiCacheGetLimits(&limits));
  check_tile(input, 1);
  assert_int_equal(one_file(), 1);
  struct stat status;
  assert_int_equal(stat(path, &status), 0);
  const uint64_t cost = ((uint64_t)status.st_size + 4095) / 4096 * 4096;
  limits.directory_bytes = 3 * cost;
  must(specpiCacheSetLimits(&limits));
  for (int32_t tile = 2; tile < 7; tile++)
    check_tile(input, tile);
  assert_int_equal(one_file(), 3);
  assert_int_equal(counted_since(&before).disk_evictions, 3);
  /* A file that is too large is neither written nor read. */
  limits.file_bytes = (uint64_t)status.st_size / 2;
  must(specpiCacheSetLimits(&limits));
  must(specpiCacheClear());
  check_tile(input, 6);
  specpi_cache_statistics since = counted_since(&before);
  assert_int_equal(since.builds, 1);
  assert_int_equal(since.disk_hits, 0);
  assert_int_equal(since.disk_writes, 0);
  limits.directory_bytes = 0;
  must(specpiCacheSetLimits(&limits));
  check_tile(input, 100);
  since = counted_since(&before);
  assert_int_equal(since.builds, 1);
  assert_int_equal(since.disk_writes, 0);
  specpiBundleRelease(input);
}

/* ---- Other processes ---- */

/* Counts that a child process prints, and its lines from libspecpi on stderr (drivers warn there
 * too). */
typedef struct acted {
  specpi_cache_statistics counts;
  size_t lines;
  char text[4096];
} acted;

/* Gets and checks kernels with tiles 1 to 4 and prints the counts, in a process of its own. */
static int act(void) {
  specpi_bundle input = report_bundle();
  for (int32_t tile = 1; tile <= 4; tile++)
    check_tile(input, tile);
  specpiBundleRelease(input);
  specpi_cache_statistics counts;
  must(specpiCacheGetStatistics(&counts));
  return fwrite(&counts, sizeof counts, 1, stdout) != 1;
}

static const char *own_path;

/* Starts a child process with SPECPI_CACHE_DIR set, or unset for NULL; its output goes to files in
 * base. */
static pid_t start(const char *dir, unsigned number) {
  const pid_t child = tests_fork();
  if (child > 0)
    return child;
  char out[PATH_MAX], err[PATH_MAX];
  snprintf(out, sizeof out, "%s/out%u", base, number);
  snprintf(err, sizeof err, "%s/err%u", base, number);
  if ((dir ? setenv("SPECPI_CACHE_DIR", dir, 1) : unsetenv("SPECPI_CACHE_DIR")) == 0 &&
      freopen(out, "wb", stdout) && freopen(err, "wb", stderr))
    execl(own_path, own_path, "act", (char *)NULL);
  _exit(99);
}

static acted finish(pid_t child, unsigned number) {
  int status;
  acted result = {0};
  assert_int_equal(waitpid(child, &status, 0), child);
  char out[PATH_MAX], err[PATH_MAX];
  snprintf(out, sizeof out, "%s/out%u", base, number);
  snprintf(err, sizeof err, "%s/err%u", base, number);
  FILE *file = fopen(err, "rb");
  assert_non_null(file);
  assert_true(fread(result.text, 1, sizeof result.text - 1, file) < sizeof result.text);
  fclose(file);
  for (const char *line = result.text; (line = strstr(line, "specpi: ")); line++)
    result.lines++;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fail_msg("a process ended with %d: %s", status, result.text);
  file = fopen(out, "rb");
  assert_non_null(file);
  assert_int_equal(fread(&result.counts, sizeof result.counts, 1, file), 1);
  fclose(file);
  return result;
}

static void the_next_process_reads(void **state) {
  (void)state;
  acted one = finish(start(directory, 0), 0);
  assert_int_equal(one.counts.builds, 4);
  assert_int_equal(one.counts.disk_writes, 4);
  one = finish(start(directory, 0), 0);
  assert_int_equal(one.counts.builds, 0);
  assert_int_equal(one.counts.disk_hits, 4);
  assert_int_equal(one.lines, 0);
  /* An empty variable switches the directory off. */
  one = finish(start("", 0), 0);
  assert_int_equal(one.counts.builds, 4);
  assert_int_equal(one.counts.disk_misses, 0);
  assert_int_equal(one.lines, 0);
}

/* A program built under a variable of the driver's compiler is not used without it. */
static void variables_of_compilers_count(void **state) {
  (void)state;
  assert_int_equal(finish(start(directory, 0), 0).counts.disk_writes, 4);
  assert_int_equal(setenv("CL_CONFIG_CPU_VECTORIZER_MODE", "1", 1), 0);
  const acted other = finish(start(directory, 0), 0);
  assert_int_equal(unsetenv("CL_CONFIG_CPU_VECTORIZER_MODE"), 0);
  assert_int_equal(other.counts.disk_writes, 4);
  assert_int_equal(finish(start(directory, 0), 0).counts.disk_hits, 4);
}

/* Runs a process whose XDG_CACHE_HOME and HOME name its caches; NULL: unset. */
static acted act_at_home(const char *cache, const char *home) {
  char *former = getenv("XDG_CACHE_HOME") ? strdup(getenv("XDG_CACHE_HOME")) : NULL;
  char *former_home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
  assert_int_equal(cache ? setenv("XDG_CACHE_HOME", cache, 1) : unsetenv("XDG_CACHE_HOME"), 0);
  assert_int_equal(home ? setenv("HOME", home, 1) : unsetenv("HOME"), 0);
  const acted one = finish(start(NULL, 0), 0);
  assert_int_equal(former ? setenv("XDG_CACHE_HOME", former, 1) : unsetenv("XDG_CACHE_HOME"), 0);
  assert_int_equal(former_home ? setenv("HOME", former_home, 1) : unsetenv("HOME"), 0);
  free(former);
  free(former_home);
  return one;
}

/* With no variable set the next process finds the programs, in a directory closed to others. */
static void the_next_process_finds_the_usual_directory(void **state) {
  (void)state;
  char home[PATH_MAX];
  char place[PATH_MAX + 32];
  struct stat status;
  for (int i = 0; i < 3; i++) {
    snprintf(home, sizeof home, "%s/home%d", base, i);
    assert_int_equal(mkdir(home, 0755), 0);
    snprintf(place, sizeof place, "%s%s/specpi", home, i == 0 ? "" : "/.cache");
    for (int round = 0; round < 2; round++) {
      const acted one = i == 0   ? act_at_home(home, "/")
                        : i == 1 ? act_at_home(NULL, home)
                                 : act_at_home("not/absolute", home);
      assert_int_equal(one.lines, 0);
      assert_int_equal(one.counts.disk_writes, round ? 0 : 4);
      assert_int_equal(one.counts.disk_hits, round ? 4 : 0);
    }
    assert_int_equal(stat(place, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
  }
  /* A directory open to others is not used, and a message says what to type. */
  assert_int_equal(chmod(place, 0755), 0);
  const acted one = act_at_home(NULL, home);
  assert_int_equal(one.counts.builds, 4);
  assert_int_equal(one.lines, 1);
  char advice[PATH_MAX + 64];
  snprintf(advice, sizeof advice, "type chmod 700 '%s'", place);
  assert_non_null(strstr(one.text, advice));
  assert_non_null(strstr(one.text, "set and empty, it turns the cache off"));
}

/* Nobody asked for a directory, so there is no message about a missing or read-only home. */
DIRECTORY_TEST(homes_without_a_directory_give_no_message) {
  char missing[PATH_MAX];
  snprintf(missing, sizeof missing, "%s/missing", base);
  const char *const homes[] = {NULL, "", "not/absolute", missing, "/proc/self", "/dev/null"};
  for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++) {
    const acted one = act_at_home(NULL, homes[i]);
    assert_int_equal(one.counts.builds, 4);
    assert_int_equal(one.counts.disk_writes, 0);
    assert_int_equal(one.lines, 0);
  }
  assert_int_equal(access(missing, F_OK), -1);
  assert_int_equal(act_at_home("/proc/self/none", missing).lines, 0);
}

/* The directory's statistics cover all processes since the directory was cleared. */
DIRECTORY_TEST(tells_what_is_there) {
  specpi_cache_directory there;
  assert_error(specpiCacheGetDirectory(NULL), SPECPI_ERROR_INVALID_ARGUMENT, "directory is NULL");
  finish(start(directory, 0), 0);
  finish(start(directory, 0), 0);
  must(specpiCacheGetDirectory(&there));
  assert_string_equal(there.path, directory);
  assert_int_equal(there.files, 4);
  assert_true(there.bytes >= 4 * 4096);
  assert_int_equal(there.writes, 4);
  assert_int_equal(there.hits, 4);
  must(specpiCacheClearDirectory());
  must(specpiCacheGetDirectory(&there));
  assert_int_equal(there.files + there.bytes + there.writes + there.hits, 0);
  must(specpiCacheSetDirectory(NULL));
  must(specpiCacheGetDirectory(&there));
  assert_string_equal(there.path, "");
}

static void tells_what_it_does(void **state) {
  (void)state;
  assert_int_equal(setenv("SPECPI_TRACE", "cache", 1), 0);
  acted one = finish(start(directory, 0), 0);
  assert_int_equal(one.lines, 4);
  assert_non_null(strstr(one.text, "specpi: cache: a program of "));
  assert_non_null(strstr(one.text, " bytes was built\n"));
  one_file();
  store((const unsigned char *)"x", 1);
  one = finish(start(directory, 0), 0);
  assert_int_equal(unsetenv("SPECPI_TRACE"), 0);
  assert_int_equal(one.lines, 5);
  assert_non_null(strstr(one.text, " bytes was read from the directory\n"));
  assert_non_null(strstr(one.text,
                         "specpi: cache: a program in the directory is not used: it is shorter "
                         "than its header\n"));
}

/* Waits until a process has opened the lock's file in the directory. */
static void wait_for_lock_file(pid_t process) {
  char list[64];
  snprintf(list, sizeof list, "/proc/%ld/fd", (long)process);
  for (;;) {
    DIR *stream = opendir(list);
    assert_non_null(stream);
    for (struct dirent *one; (one = readdir(stream));) {
      char target[PATH_MAX] = "";
      if (readlinkat(dirfd(stream), one->d_name, target, sizeof target - 1) > 0 &&
          strstr(target, "/" CACHE_LOCK_FILE)) {
        closedir(stream);
        return;
      }
    }
    closedir(stream);
    assert_int_equal(waitpid(process, NULL, WNOHANG), 0);
    usleep(1000);
  }
}

/* Starts a process that holds the locks of all keys until it is killed. */
static pid_t hold_all(void) {
  const pid_t holder = tests_fork();
  if (holder > 0)
    return holder;
  char name[PATH_MAX + 64];
  snprintf(name, sizeof name, "%s/%s", directory, CACHE_LOCK_FILE);
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  char hidden[PATH_MAX + 64];
  snprintf(hidden, sizeof hidden, "%s/.locked", directory);
  /* The file is locked before it has its name, so nobody can open it unlocked. */
  const int file = open(hidden, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0 && fcntl(file, F_OFD_SETLK, &all) == 0 && rename(hidden, name) == 0)
    for (;;)
      pause();
  _exit(1);
}

/*
 * Many processes get the same programs from an empty directory. The process that holds the locks is
 * killed. Then one of the others builds each program, and all get it.
 */
static void one_of_several_processes_builds_each_program(void **state) {
  (void)state;
  enum { PROCESSES = 8 };
  pid_t children[PROCESSES];
  uint64_t built = 0;
  char name[PATH_MAX + 64];
  snprintf(name, sizeof name, "%s/%s", directory, CACHE_LOCK_FILE);
  const pid_t holder = hold_all();
  while (access(name, F_OK) != 0) {
    assert_int_equal(waitpid(holder, NULL, WNOHANG), 0);
    usleep(1000);
  }
  for (unsigned i = 0; i < PROCESSES; i++)
    children[i] = start(directory, i);
  for (unsigned i = 0; i < PROCESSES; i++)
    wait_for_lock_file(children[i]);
  assert_int_equal(one_file(), 0);
  assert_int_equal(kill(holder, SIGKILL), 0);
  assert_int_equal(waitpid(holder, NULL, 0), holder);
  for (unsigned i = 0; i < PROCESSES; i++) {
    const acted one = finish(children[i], i);
    assert_int_equal(one.counts.builds + one.counts.disk_hits, 4);
    assert_int_equal(one.counts.disk_writes, one.counts.builds);
    assert_int_equal(one.counts.disk_rejected, 0);
    assert_int_equal(one.counts.disk_failures, 0);
    assert_int_equal(one.lines, 0);
    built += one.counts.builds;
  }
  assert_int_equal(built, 4);
  assert_int_equal(one_file(), 4);
}

static void said_once(const char *dir, const char *why) {
  const acted one = finish(start(dir, 0), 0);
  assert_int_equal(one.counts.builds, 4);
  assert_int_equal(one.counts.disk_writes, 0);
  assert_true(one.counts.disk_failures >= 1);
  if (one.lines != 1 || !strstr(one.text, why) || !strstr(one.text, dir))
    fail_msg("\"%s\" was said, not one line with \"%s\"", one.text, why);
}

static void unusable_directories_are_said_once(void **state) {
  (void)state;
  said_once("relative/path", "not absolute");
  assert_int_equal(chmod(directory, 0750), 0);
  said_once(directory, "mode 0750");
  assert_int_equal(chmod(directory, 0700), 0);
  char file[PATH_MAX];
  snprintf(file, sizeof file, "%s/file", base);
  FILE *made = fopen(file, "w");
  assert_non_null(made);
  fclose(made);
  said_once(file, "Not a directory");
}

/* The directory becomes unusable after the program set it. */
DIRECTORY_TEST(a_directory_that_goes_bad_is_reported_once) {
  assert_int_equal(rmdir(directory), 0);
  FILE *made = fopen(directory, "w");
  assert_non_null(made);
  fclose(made);
  specpi_bundle input = report_bundle();
  char name[PATH_MAX];
  snprintf(name, sizeof name, "%s/err", base);
  fflush(stderr);
  const int kept = dup(STDERR_FILENO);
  const int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  assert_true(kept >= 0 && file >= 0);
  dup2(file, STDERR_FILENO);
  for (int32_t tile = 1; tile <= 3; tile++)
    check_tile(input, tile);
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  char text[1024] = "";
  assert_true(pread(file, text, sizeof text - 1, 0) > 0);
  close(file);
  const char *end = strchr(text, '\n');
  if (!end || end[1] != '\0')
    fail_msg("\"%s\" is not one line", text);
  const specpi_cache_statistics since = counted_since(&before);
  assert_int_equal(since.builds, 3);
  assert_true(since.disk_failures >= 3);
  assert_error(specpiCacheClearDirectory(), SPECPI_ERROR_DIRECTORY, "cannot be cleared");
  assert_int_equal(unlink(directory), 0);
  specpiBundleRelease(input);
}

int main(int argc, char **argv) {
  own_path = argv[0];
  if (argc > 1)
    return act();
#define ROW(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  /* Not for CUDA: if the environment names the directory, the CUDA plugin stores its own builds
   * there too. cuda.build-cache and tools.cuda test that. */
  const struct CMUnitTest of_environment[] = {
      ROW(the_next_process_reads),
      ROW(variables_of_compilers_count),
      ROW(the_next_process_finds_the_usual_directory),
      ROW(tells_what_it_does),
      ROW(one_of_several_processes_builds_each_program),
      ROW(unusable_directories_are_said_once),
  };
  const int failed = tests_run(NULL, NULL);
  return support_is_cuda() ? failed : failed + cmocka_run_group_tests(of_environment, NULL, NULL);
}

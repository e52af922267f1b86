/*
 * Trying a Level Zero driver in a child process: drivers that work, crash, exit and hang, and what
 * is remembered of them. The loader is this file's, so that its drivers do what a case wants.
 */
#define _GNU_SOURCE /* asprintf, pthread_barrier_t */
#include "check.h"

#include "../../plugins/level_zero/probe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What a case's driver does in a step. */
typedef enum deed { NOTHING, CRASH, STACK, EXIT, QUIT, HANG, FORK, CLOSE } deed;

static deed at_init, at_drivers, at_devices, at_properties;
static ze_result_t init_result;
static pid_t tester;
static char folder[4096]; /* the cache of all cases */

/* What the children of a case saw; shared with them. */
static struct {
  atomic_int children;
  atomic_int properties;
  atomic_bool is_noisy; /* stderr was not silent, a signal was handled, or a core was allowed */
} *seen;

static void act(deed deed) {
  if (getpid() == tester)
    abort();
  switch (deed) {
  case NOTHING:
    break;
  case CRASH:
    fprintf(stderr, "this must not be seen\n");
    raise(SIGSEGV);
    break;
  case STACK:
    raise(SIGABRT);
    break;
  case EXIT:
    exit(7);
  case QUIT:
    _exit(0);
  case HANG:
    for (;;)
      pause();
  case FORK:
    /* A helper of the driver's, which keeps the pipe while the driver dies. */
    if (fork() == 0) {
      sleep(3);
      _exit(0);
    }
    raise(SIGBUS);
    break;
  case CLOSE:
    for (int file = 3; file < 64; file++)
      close(file);
    raise(SIGILL);
    break;
  }
}

static void note_child(void) {
  struct rlimit core;
  struct sigaction action;
  struct stat error;
  struct stat null;
  atomic_fetch_add(&seen->children, 1);
  if (getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_cur != 0 ||
      sigaction(SIGSEGV, NULL, &action) != 0 || action.sa_handler != SIG_DFL ||
      fstat(STDERR_FILENO, &error) != 0 || stat("/dev/null", &null) != 0 ||
      error.st_rdev != null.st_rdev)
    atomic_store(&seen->is_noisy, true);
}

static ze_result_t init(ze_init_flags_t flags) {
  assert_int_equal(flags, 0);
  note_child();
  act(at_init);
  return init_result;
}

static ze_result_t driver_get(uint32_t *count, ze_driver_handle_t *drivers) {
  act(at_drivers);
  *count = 1;
  if (drivers)
    drivers[0] = (ze_driver_handle_t)&at_init;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t device_get(ze_driver_handle_t driver, uint32_t *count,
                              ze_device_handle_t *devices) {
  assert_ptr_equal(driver, &at_init);
  act(at_devices);
  *count = 2;
  for (int i = 0; devices && i < 2; i++)
    devices[i] = (ze_device_handle_t)&at_devices;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t properties_get(ze_device_handle_t device, ze_device_properties_t *properties) {
  assert_ptr_equal(device, &at_devices);
  (void)properties;
  act(at_properties);
  atomic_fetch_add(&seen->properties, 1);
  return ZE_RESULT_SUCCESS;
}

static const level_zero_driver loader = {.Init = init,
                                         .DriverGet = driver_get,
                                         .DeviceGet = device_get,
                                         .DeviceGetProperties = properties_get};

/* ---- What there is for every case ---- */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)status;
  (void)type;
  (void)place;
  return remove(path);
}

static int begin(void **state) {
  (void)state;
  nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  at_init = at_drivers = at_devices = at_properties = NOTHING;
  init_result = ZE_RESULT_SUCCESS;
  memset((void *)seen, 0, sizeof *seen);
  setenv("XDG_CACHE_HOME", folder, 1);
  unsetenv("SPECPI_LEVEL_ZERO_PROBE_SECONDS");
  unsetenv("ZE_ENABLE_ALT_DRIVERS");
  setenv("ZE_ENABLE_ALT_DRIVERS", "/nowhere/libze_none.so", 1);
  return 0;
}

/* No child is left over, as a zombie or alive. */
static int finish(void **state) {
  (void)state;
  errno = 0;
  return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : -1;
}

static probe_answer ask(void) {
  probe_answer answer;
  memset(&answer, 0xa5, sizeof answer);
  probe_ask(&loader, &answer);
  return answer;
}

static int children(void) {
  return atomic_load(&seen->children);
}

/* The one file of the cache, which the caller frees; NULL when there is none. */
static char *cache_file(void) {
  char *path = NULL;
  char *below;
  assert_true(asprintf(&below, "%s/specpi", folder) > 0);
  DIR *open = opendir(below);
  for (struct dirent *entry; open && (entry = readdir(open));) {
    if (entry->d_name[0] == '.')
      continue;
    assert_null(path);
    assert_true(asprintf(&path, "%s/%s", below, entry->d_name) > 0);
  }
  if (open)
    closedir(open);
  free(below);
  return path;
}

static void expect_refused(const probe_answer *answer, const char *sentence) {
  char reason[4096];
  assert_false(probe_allows(answer, reason, sizeof reason));
  assert_string_equal(reason, sentence);
}

/* Tried in a child once, and the same answer after that without one. */
static void expect_crash(probe_outcome outcome, int number, probe_step step, const char *sentence) {
  for (int i = 0; i < 3; i++) {
    const probe_answer answer = ask();
    assert_int_equal(answer.outcome, outcome);
    assert_int_equal(answer.number, number);
    assert_int_equal(answer.step, step);
    expect_refused(&answer, sentence);
    assert_int_equal(children(), 1);
  }
  assert_false(atomic_load(&seen->is_noisy));
}

/* ---- What drivers do ---- */

static void works(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    const probe_answer answer = ask();
    char reason[64] = "as it was";
    assert_int_equal(answer.outcome, PROBE_WORKS);
    assert_int_equal(answer.init, ZE_RESULT_SUCCESS);
    assert_int_equal(answer.file_count, 0);
    assert_true(probe_allows(&answer, reason, sizeof reason));
    assert_string_equal(reason, "as it was");
  }
  assert_int_equal(children(), 1);
  assert_int_equal(atomic_load(&seen->properties), 2);
  assert_false(atomic_load(&seen->is_noisy));
}

static void crash_at_init(void **state) {
  (void)state;
  at_init = CRASH;
  expect_crash(PROBE_SIGNAL, SIGSEGV, PROBE_STEP_INIT,
               "the Level Zero driver is not used: it ends a process with signal 11 (Segmentation "
               "fault) in zeInit");
}

static void crash_at_drivers(void **state) {
  (void)state;
  at_drivers = STACK;
  expect_crash(PROBE_SIGNAL, SIGABRT, PROBE_STEP_DRIVERS,
               "the Level Zero driver is not used: it ends a process with signal 6 (Aborted) in "
               "zeDriverGet");
}

static void crash_at_devices(void **state) {
  (void)state;
  at_devices = CRASH;
  expect_crash(PROBE_SIGNAL, SIGSEGV, PROBE_STEP_DEVICES,
               "the Level Zero driver is not used: it ends a process with signal 11 (Segmentation "
               "fault) in zeDeviceGet");
}

static void crash_at_properties(void **state) {
  (void)state;
  at_properties = CRASH;
  expect_crash(PROBE_SIGNAL, SIGSEGV, PROBE_STEP_PROPERTIES,
               "the Level Zero driver is not used: it ends a process with signal 11 (Segmentation "
               "fault) in zeDeviceGetProperties");
}

/* As Intel's driver does on a machine without a GPU. */
static void crash_after_failure(void **state) {
  (void)state;
  init_result = ZE_RESULT_ERROR_UNINITIALIZED;
  at_drivers = CRASH;
  expect_crash(PROBE_SIGNAL, SIGSEGV, PROBE_STEP_DRIVERS,
               "zeInit failed with 0x78000001 (ZE_RESULT_ERROR_UNINITIALIZED): no driver with a "
               "device was found; the Level Zero driver is not used: after that it ends a process "
               "with signal 11 (Segmentation fault) in zeDriverGet");
}

static void exits(void **state) {
  (void)state;
  at_drivers = EXIT;
  expect_crash(PROBE_EXIT, 7, PROBE_STEP_DRIVERS,
               "the Level Zero driver is not used: it ends a process with exit status 7 in "
               "zeDriverGet");
}

/* Ending well is ending all the same. */
static void quits(void **state) {
  (void)state;
  at_init = QUIT;
  expect_crash(PROBE_EXIT, 0, PROBE_STEP_INIT,
               "the Level Zero driver is not used: it ends a process with exit status 0 in zeInit");
}

static void leaves_a_process(void **state) {
  (void)state;
  at_drivers = FORK;
  struct timespec start;
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  expect_crash(PROBE_SIGNAL, SIGBUS, PROBE_STEP_DRIVERS,
               "the Level Zero driver is not used: it ends a process with signal 7 (Bus error) in "
               "zeDriverGet");
  clock_gettime(CLOCK_MONOTONIC, &end);
  assert_true(end.tv_sec - start.tv_sec < 3);
}

static void closes_files(void **state) {
  (void)state;
  at_drivers = CLOSE;
  expect_crash(PROBE_SIGNAL, SIGILL, PROBE_STEP_DRIVERS,
               "the Level Zero driver is not used: it ends a process with signal 4 (Illegal "
               "instruction) in zeDriverGet");
}

static void hangs(void **state) {
  (void)state;
  at_drivers = HANG;
  setenv("SPECPI_LEVEL_ZERO_PROBE_SECONDS", "1", 1);
  expect_crash(PROBE_HANGS, 0, PROBE_STEP_DRIVERS,
               "the Level Zero driver is not used: it does not return from zeDriverGet");
}

/* A failure that may be gone a moment later is not remembered. */
static void fails_for_now(void **state) {
  (void)state;
  init_result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (int i = 1; i <= 2; i++) {
    const probe_answer answer = ask();
    assert_int_equal(answer.outcome, PROBE_WORKS);
    expect_refused(&answer, "zeInit failed with 0x70000002");
    assert_int_equal(children(), i);
  }
  assert_null(cache_file());
}

/* In a child of the test's, for root has to become somebody whose processes can be limited. */
static _Noreturn void ask_without_processes(void) {
  const struct rlimit none = {0, 0};
  probe_answer answer = {.outcome = PROBE_WORKS};
  if ((geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) ||
      setrlimit(RLIMIT_NPROC, &none) != 0)
    _exit(2);
  answer = ask();
  char reason[4096];
  _exit(answer.outcome == PROBE_UNKNOWN && !probe_allows(&answer, reason, sizeof reason) &&
                strcmp(reason,
                       "the Level Zero driver is not used: it could not be tried in a child "
                       "process: Resource temporarily unavailable") == 0
            ? 0
            : 1);
}

static void no_process(void **state) {
  (void)state;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0)
    ask_without_processes();
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(children(), 0);
}

static void no_files(void **state) {
  (void)state;
  struct rlimit before;
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  const struct rlimit none = {3, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
  const probe_answer answer = ask();
  setrlimit(RLIMIT_NOFILE, &before);
  assert_int_equal(answer.outcome, PROBE_UNKNOWN);
  expect_refused(&answer, "the Level Zero driver is not used: it could not be tried in a child "
                          "process: Too many open files");
  assert_int_equal(children(), 0);
}

/* ---- Beside an application ---- */

static atomic_int handled;

static void handle(int number) {
  (void)number;
  atomic_fetch_add(&handled, 1);
}

/* Its handlers and its mask are its own: nothing of them acts in the child. */
static void application_handlers(void **state) {
  (void)state;
  struct sigaction before;
  const struct sigaction action = {.sa_handler = handle};
  sigset_t mask;
  sigset_t old;
  sigemptyset(&mask);
  sigaddset(&mask, SIGSEGV);
  assert_int_equal(sigaction(SIGSEGV, &action, &before), 0);
  assert_int_equal(pthread_sigmask(SIG_BLOCK, &mask, &old), 0);
  at_drivers = CRASH;
  const probe_answer answer = ask();
  struct sigaction after;
  assert_int_equal(sigaction(SIGSEGV, &before, &after), 0);
  assert_int_equal(pthread_sigmask(SIG_SETMASK, &old, &mask), 0);
  assert_true(after.sa_handler == handle);
  assert_true(sigismember(&mask, SIGSEGV));
  assert_int_equal(atomic_load(&handled), 0);
  assert_int_equal(answer.outcome, PROBE_SIGNAL);
  assert_int_equal(answer.number, SIGSEGV);
  assert_false(atomic_load(&seen->is_noisy));
}

/* An application that wants no zombies: the kernel reaps the child. */
static void application_ignores_children(void **state) {
  (void)state;
  struct sigaction before;
  const struct sigaction action = {.sa_handler = SIG_IGN};
  assert_int_equal(sigaction(SIGCHLD, &action, &before), 0);
  const probe_answer good = ask();
  setenv("ZE_OTHER", "1", 1);
  at_drivers = CRASH;
  const probe_answer bad = ask();
  unsetenv("ZE_OTHER");
  sigaction(SIGCHLD, &before, NULL);
  assert_int_equal(good.outcome, PROBE_WORKS);
  assert_int_equal(bad.outcome, PROBE_EXIT);
  expect_refused(&bad, "the Level Zero driver is not used: it ends a process in zeDriverGet");
}

/* A child of the application's that ends meanwhile stays for the application to wait for. */
static void application_child(void **state) {
  (void)state;
  const pid_t own = fork();
  assert_true(own >= 0);
  if (own == 0)
    _exit(42);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  int status;
  assert_int_equal(waitpid(own, &status, 0), own);
  assert_int_equal(WEXITSTATUS(status), 42);
}

enum { THREADS = 8 };
static pthread_barrier_t start;

static void *ask_in_thread(void *data) {
  pthread_barrier_wait(&start);
  *(probe_answer *)data = ask();
  return NULL;
}

static void threads(void **state) {
  (void)state;
  pthread_t ids[THREADS];
  static probe_answer answers[THREADS];
  at_drivers = CRASH;
  assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&ids[i], NULL, ask_in_thread, &answers[i]), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(ids[i], NULL), 0);
  pthread_barrier_destroy(&start);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(answers[i].outcome, PROBE_SIGNAL);
  free(cache_file());
}

static void processes(void **state) {
  (void)state;
  pid_t ids[THREADS];
  at_drivers = CRASH;
  for (int i = 0; i < THREADS; i++) {
    ids[i] = fork();
    assert_true(ids[i] >= 0);
    if (ids[i] == 0) {
      tester = getpid();
      _exit(ask().outcome == PROBE_SIGNAL ? 0 : 1);
    }
  }
  for (int i = 0; i < THREADS; i++) {
    int status;
    assert_int_equal(waitpid(ids[i], &status, 0), ids[i]);
    assert_int_equal(status, 0);
  }
  const int before = children();
  assert_int_equal(ask().outcome, PROBE_SIGNAL);
  assert_int_equal(children(), before);
}

/* ---- What an answer depends on ---- */

/* With this variable a driver may be another one. */
static void expect_own_answer(const char *name, const char *value) {
  const int before = children();
  setenv(name, value, 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  assert_int_equal(children(), before + 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  assert_int_equal(children(), before + 1);
  unsetenv(name);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  assert_int_equal(children(), before + 1);
}

static void environment(void **state) {
  (void)state;
  assert_int_equal(ask().outcome, PROBE_WORKS);
  expect_own_answer("ZE_AFFINITY_MASK", "0");
  expect_own_answer("ZE_FLAT_DEVICE_HIERARCHY", "FLAT");
  expect_own_answer("ZET_ENABLE_METRICS", "1");
  expect_own_answer("FAKE_ZE_CRASH", "zeDriverGet");
  expect_own_answer("LD_LIBRARY_PATH", "/nowhere");
  expect_own_answer("NEOReadDebugKeys", "1");
}

/* Only with the first of them Intel's driver reads the others. */
static void debug_keys(void **state) {
  (void)state;
  assert_int_equal(ask().outcome, PROBE_WORKS);
  setenv("SetCommandStreamReceiver", "1", 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  assert_int_equal(children(), 1);
  unsetenv("SetCommandStreamReceiver");
  setenv("NEOReadDebugKeys", "1", 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  expect_own_answer("SetCommandStreamReceiver", "1");
  unsetenv("NEOReadDebugKeys");
}

static void other_variables(void **state) {
  (void)state;
  assert_int_equal(ask().outcome, PROBE_WORKS);
  setenv("SOMETHING_ELSE", "1", 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  unsetenv("SOMETHING_ELSE");
  assert_int_equal(children(), 1);
}

static void write_file(const char *path, const char *text, mode_t mode) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
  assert_int_equal(fchmod(file, mode), 0);
  close(file);
}

/* The file of the driver is another one: by its size, and by its time. */
static void driver_file(void **state) {
  (void)state;
  char path[4200];
  assert_int_equal(mkdir(folder, 0700), 0);
  snprintf(path, sizeof path, "%s/libze_test.so", folder);
  setenv("ZE_ENABLE_ALT_DRIVERS", path, 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  write_file(path, "no library", 0600);
  ask();
  ask();
  assert_int_equal(children(), 2);
  write_file(path, "no library at all", 0600);
  ask();
  ask();
  assert_int_equal(children(), 3);
  const struct timespec times[2] = {{1000, 0}, {1000, 0}};
  assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
  ask();
  ask();
  assert_int_equal(children(), 4);
}

/* A driver that the child has loaded is named, and looked at before an answer is believed. */
static void loaded_driver(void **state) {
  (void)state;
  setenv("ZE_ENABLE_ALT_DRIVERS", "libm.so.6", 1);
  at_drivers = CRASH;
  probe_answer answer = ask();
  assert_int_equal(answer.file_count, 1);
  assert_non_null(strstr(answer.files[0].path, "libm.so.6"));
  char sentence[2048];
  snprintf(sentence, sizeof sentence,
           "the Level Zero driver %s is not used: it ends a process with signal 11 (Segmentation "
           "fault) in zeDriverGet",
           answer.files[0].path);
  expect_refused(&answer, sentence);
  answer = ask();
  assert_int_equal(children(), 1);
  expect_refused(&answer, sentence);
}

/* ---- Files that are not to be trusted ---- */

static char *read_all(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *text = malloc(1 << 16);
  assert_non_null(text);
  *size = fread(text, 1, (1 << 16) - 1, file);
  text[*size] = '\0';
  fclose(file);
  return text;
}

static void write_bytes(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

/* Every beginning of a good file, and every file with one byte changed, is asked about again. */
static void damaged(void **state) {
  (void)state;
  at_drivers = CRASH;
  assert_int_equal(ask().outcome, PROBE_SIGNAL);
  char *path = cache_file();
  size_t size;
  char *good = read_all(path, &size);
  char *key = probe_key(&loader);
  probe_answer answer;
  assert_true(probe_recall(key, &answer));
  for (size_t length = 0; length < size; length++) {
    write_bytes(path, good, length);
    assert_false(probe_recall(key, &answer));
  }
  for (size_t at = 0; at < size; at++) {
    const char byte = good[at];
    good[at] = (char)(byte ^ 0x10);
    write_bytes(path, good, size);
    if (probe_recall(key, &answer))
      /* Digits of the answer itself are as good as any; what they say is in its bounds. */
      assert_true(answer.outcome < PROBE_UNKNOWN && answer.step < PROBE_STEP_COUNT &&
                  answer.number >= 0 && answer.number < 256 && answer.file_count == 0);
    good[at] = byte;
  }
  write_bytes(path, good, size);
  assert_true(probe_recall(key, &answer));
  good[size] = 'x';
  write_bytes(path, good, size + 1);
  assert_false(probe_recall(key, &answer));
  free(key);
  free(good);
  free(path);
}

/* Numbers out of bounds, of another boot, of another version. */
static void hostile_text(void **state) {
  (void)state;
  static const char *const lines[] = {"9 2 11 0 0 0",
                                      "1 9 11 0 0 0",
                                      "1 2 256 0 0 0",
                                      "1 2 -1 0 0 0",
                                      "1 2 11 0 99 0",
                                      "1 2 11 0 3 0",
                                      "1 2 11 0 0 -1",
                                      "1 2 11 0 0",
                                      "3 2 0 0 0 1",
                                      "",
                                      "1 2 11 99999999999999999999 0 0",
                                      "4 0 0 0 0 0",
                                      "+1 2 11 0 0 0",
                                      " 1 2 11 0 0 0"};
  at_drivers = CRASH;
  assert_int_equal(ask().outcome, PROBE_SIGNAL);
  char *path = cache_file();
  size_t size;
  char *good = read_all(path, &size);
  char *key = probe_key(&loader);
  probe_answer answer;
  char *title = strtok(good, "\n");
  char *boot = strtok(NULL, "\n");
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    char *text;
    assert_true(asprintf(&text, "%s\n%s\n%s\n%s", title, boot, lines[i], key) > 0);
    write_bytes(path, text, strlen(text));
    assert_false(probe_recall(key, &answer));
    free(text);
  }
  char *text;
  assert_true(asprintf(&text, "%s\n00000000-%s\n1 2 11 0 0 0\n%s", title, boot + 9, key) > 0);
  write_bytes(path, text, strlen(text));
  assert_false(probe_recall(key, &answer));
  free(text);
  assert_true(asprintf(&text, "%s\n%s\n1 2 11 0 0 0\n%s", title, boot, key) > 0);
  write_bytes(path, text, strlen(text));
  assert_true(probe_recall(key, &answer));
  free(text);
  free(key);
  free(good);
  free(path);
}

/* Files and folders that others can write, links, pipes and large files are not read. */
static void hostile_files(void **state) {
  (void)state;
  at_drivers = CRASH;
  ask();
  char *path = cache_file();
  char *key = probe_key(&loader);
  char below[4200];
  char aside[4300];
  snprintf(below, sizeof below, "%s/specpi", folder);
  snprintf(aside, sizeof aside, "%s/aside", folder);
  probe_answer answer;
  assert_true(probe_recall(key, &answer));
  chmod(path, 0620);
  assert_false(probe_recall(key, &answer));
  chmod(path, 0602);
  assert_false(probe_recall(key, &answer));
  chmod(path, 0600);
  chmod(below, 0777);
  assert_false(probe_recall(key, &answer));
  chmod(below, 0700);
  assert_true(probe_recall(key, &answer));
  assert_int_equal(rename(path, aside), 0);
  assert_int_equal(symlink(aside, path), 0);
  assert_false(probe_recall(key, &answer));
  unlink(path);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_false(probe_recall(key, &answer));
  unlink(path);
  assert_int_equal(mkdir(path, 0700), 0);
  assert_false(probe_recall(key, &answer));
  rmdir(path);
  assert_int_equal(rename(aside, path), 0);
  assert_int_equal(truncate(path, 1 << 24), 0);
  assert_false(probe_recall(key, &answer));
  free(key);
  free(path);
}

/* Without a place for answers each process tries for itself. */
static void no_cache(void **state) {
  (void)state;
  write_file(folder, "no folder", 0600);
  at_drivers = CRASH;
  for (int i = 1; i <= 2; i++) {
    assert_int_equal(ask().outcome, PROBE_SIGNAL);
    assert_int_equal(children(), i);
  }
  unlink(folder);
  setenv("XDG_CACHE_HOME", "not/absolute", 1);
  char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
  unsetenv("HOME");
  assert_int_equal(ask().outcome, PROBE_SIGNAL);
  assert_int_equal(children(), 3);
  /* And HOME serves where XDG_CACHE_HOME does not. */
  assert_int_equal(mkdir(folder, 0700), 0);
  setenv("HOME", folder, 1);
  for (int i = 0; i < 2; i++)
    assert_int_equal(ask().outcome, PROBE_SIGNAL);
  assert_int_equal(children(), 4);
  if (home)
    setenv("HOME", home, 1);
  free(home);
}

/* Words that are no number of seconds are passed over. */
static void time_limit_words(void **state) {
  (void)state;
  static const char *const words[] = {"", "0", "-1", "x", "1x", "601", "99999999999999999999"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    setenv("SPECPI_LEVEL_ZERO_PROBE_SECONDS", words[i], 1);
    assert_int_equal(ask().outcome, PROBE_WORKS);
  }
}

int main(void) {
  const char *cache = getenv("XDG_CACHE_HOME");
  if (!cache) {
    fprintf(stderr, "XDG_CACHE_HOME is not set\n");
    return 1;
  }
  snprintf(folder, sizeof folder, "%s", cache);
  tester = getpid();
  seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (seen == MAP_FAILED)
    return 1;
#define PROBE_TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
  const struct CMUnitTest tests[] = {
      PROBE_TEST(works),
      PROBE_TEST(crash_at_init),
      PROBE_TEST(crash_at_drivers),
      PROBE_TEST(crash_at_devices),
      PROBE_TEST(crash_at_properties),
      PROBE_TEST(crash_after_failure),
      PROBE_TEST(exits),
      PROBE_TEST(quits),
      PROBE_TEST(leaves_a_process),
      PROBE_TEST(closes_files),
      PROBE_TEST(hangs),
      PROBE_TEST(fails_for_now),
      PROBE_TEST(no_process),
      PROBE_TEST(no_files),
      PROBE_TEST(application_handlers),
      PROBE_TEST(application_ignores_children),
      PROBE_TEST(application_child),
      PROBE_TEST(threads),
      PROBE_TEST(processes),
      PROBE_TEST(environment),
      PROBE_TEST(debug_keys),
      PROBE_TEST(other_variables),
      PROBE_TEST(driver_file),
      PROBE_TEST(loaded_driver),
      PROBE_TEST(damaged),
      PROBE_TEST(hostile_text),
      PROBE_TEST(hostile_files),
      PROBE_TEST(no_cache),
      PROBE_TEST(time_limit_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

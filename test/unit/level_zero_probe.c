/*
 * Trying a Level Zero driver in a child process: drivers that work, crash, exit and hang, in an
 * application with its own signal handlers, children and threads.
 */
#define _GNU_SOURCE /* setresuid, pthread_barrier_t */
#include "level_zero_probe_world.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- Behaviour of drivers ---- */

PROBE_TEST(a_working_driver_is_tried_once) {
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

PROBE_TEST(a_crash_in_zeinit_is_reported) {
  at_init = CRASH;
  expect_crash(PROBE_SIGNAL, SIGSEGV, PROBE_STEP_INIT,
               "the Level Zero driver is not used: it ends a process with signal 11 (Segmentation "
               "fault) in zeInit");
}

PROBE_TEST(a_crash_in_zedriverget_is_reported) {
  at_drivers = STACK;
  expect_crash(PROBE_SIGNAL, SIGABRT, PROBE_STEP_DRIVERS,
               "the Level Zero driver is not used: it ends a process with signal 6 (Aborted) in "
               "zeDriverGet");
}

PROBE_TEST(a_crash_in_zedeviceget_is_reported) {
  at_devices = CRASH;
  expect_crash(PROBE_SIGNAL, SIGSEGV, PROBE_STEP_DEVICES,
               "the Level Zero driver is not used: it ends a process with signal 11 (Segmentation "
               "fault) in zeDeviceGet");
}

PROBE_TEST(a_crash_in_zedevicegetproperties_is_reported) {
  at_properties = CRASH;
  expect_crash(PROBE_SIGNAL, SIGSEGV, PROBE_STEP_PROPERTIES,
               "the Level Zero driver is not used: it ends a process with signal 11 (Segmentation "
               "fault) in zeDeviceGetProperties");
}

/* Intel's driver crashes like this on a machine without a GPU. */
PROBE_TEST(a_crash_after_a_failure_is_reported) {
  init_result = ZE_RESULT_ERROR_UNINITIALIZED;
  at_drivers = CRASH;
  expect_crash(PROBE_SIGNAL, SIGSEGV, PROBE_STEP_DRIVERS,
               "zeInit failed with 0x78000001 (ZE_RESULT_ERROR_UNINITIALIZED): no driver with a "
               "device was found; the Level Zero driver is not used: after that it ends a process "
               "with signal 11 (Segmentation fault) in zeDriverGet");
}

/*
 * The message names all drivers that the child loaded, and is cut at the end of its buffer.
 */
PROBE_TEST(the_message_names_all_drivers) {
  probe_answer answer = {.outcome = PROBE_SIGNAL,
                         .step = PROBE_STEP_DRIVERS,
                         .number = SIGSEGV,
                         .file_count = 2,
                         .files = {{.path = "/a.so"}, {.path = "/b.so"}}};
  expect_refused(&answer, "the Level Zero drivers /a.so, /b.so are not used: one of them ends a "
                          "process with signal 11 (Segmentation fault) in zeDriverGet; "
                          "ZE_ENABLE_ALT_DRIVERS can name those to use, with commas between");
  answer.init = ZE_RESULT_ERROR_UNINITIALIZED;
  char reason[4096];
  assert_false(probe_allows(&answer, reason, sizeof reason));
  assert_non_null(strstr(reason, "; the Level Zero drivers /a.so, /b.so are not used: after that "
                                 "one of them ends a process"));
  char small[120];
  memset(small, 'x', sizeof small);
  assert_false(probe_allows(&answer, small, sizeof small));
  assert_memory_equal(small, reason, sizeof small - 1);
  assert_int_equal(small[sizeof small - 1], 0);
}

PROBE_TEST(a_driver_that_exits_is_refused) {
  at_drivers = EXIT;
  expect_crash(PROBE_EXIT, 7, PROBE_STEP_DRIVERS,
               "the Level Zero driver is not used: it ends a process with exit status 7 in "
               "zeDriverGet");
}

/* A driver that ends the process is refused even if the exit status is 0. */
PROBE_TEST(a_driver_that_exits_with_0_is_refused) {
  at_init = QUIT;
  expect_crash(PROBE_EXIT, 0, PROBE_STEP_INIT,
               "the Level Zero driver is not used: it ends a process with exit status 0 in zeInit");
}

PROBE_TEST(a_driver_that_leaves_a_process_is_refused) {
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

PROBE_TEST(a_driver_that_closes_files_is_refused) {
  at_drivers = CLOSE;
  expect_crash(PROBE_SIGNAL, SIGILL, PROBE_STEP_DRIVERS,
               "the Level Zero driver is not used: it ends a process with signal 4 (Illegal "
               "instruction) in zeDriverGet");
}

PROBE_TEST(a_driver_that_hangs_is_refused) {
  at_drivers = HANG;
  setenv("SPECPI_LEVEL_ZERO_PROBE_SECONDS", "1", 1);
  expect_crash(PROBE_HANGS, 0, PROBE_STEP_DRIVERS,
               "the Level Zero driver is not used: it does not return from zeDriverGet");
}

/* A temporary failure is not stored. */
PROBE_TEST(a_temporary_failure_is_not_stored) {
  init_result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (int i = 1; i <= 2; i++) {
    const probe_answer answer = ask();
    assert_int_equal(answer.outcome, PROBE_WORKS);
    expect_refused(&answer, "zeInit failed with 0x70000002");
    assert_int_equal(children(), i);
  }
  assert_null(cache_file());
}

/* Runs in a child of the test, because root has to change the user for the limit to take effect. */
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

PROBE_TEST(without_a_process_the_driver_is_refused) {
  const pid_t child = tests_fork();
  if (child == 0)
    ask_without_processes();
  tests_join(child);
  assert_int_equal(children(), 0);
}

PROBE_TEST(without_descriptors_the_driver_is_refused) {
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

/* ---- In an application ---- */

static atomic_int handled;

static void handle(int number) {
  (void)number;
  atomic_fetch_add(&handled, 1);
}

/* The application's signal handlers and mask have no effect in the child. */
PROBE_TEST(the_applications_handlers_are_not_called) {
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

/* The application ignores SIGCHLD, so that the kernel reaps its children. */
PROBE_TEST(an_application_may_ignore_children) {
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
  expect_refused(&bad, "the Level Zero driver is not used: it ends a process with signal 11 "
                       "(Segmentation fault) in zeDriverGet");
}

/* Like a daemon, the application has no standard streams. */
PROBE_TEST(a_daemon_can_try_a_driver) {
  const pid_t child = tests_fork();
  if (child == 0) {
    tester = getpid();
    for (int file = 0; file <= 2; file++)
      close(file);
    _exit(ask().outcome == PROBE_WORKS ? 0 : 1);
  }
  tests_join(child);
  assert_int_equal(children(), 1);
}

static void note_exit(void) {
  if (getpid() != tester)
    atomic_store(&seen->is_noisy, true);
}

/* If a driver calls exit(), the application's atexit functions do not run in the child. */
PROBE_TEST(functions_at_exit_do_not_run) {
  assert_int_equal(atexit(note_exit), 0);
  at_drivers = EXIT;
  assert_int_equal(ask().outcome, PROBE_EXIT);
  assert_false(atomic_load(&seen->is_noisy));
}

/* The child closes pipes, so that their readers do not wait for it. It keeps device files, which
 * the driver may need. */
PROBE_TEST(the_child_closes_pipes_and_keeps_devices) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  closed_file = ends[1];
  kept_file = open("/dev/zero", O_RDONLY);
  assert_true(kept_file > 0);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  assert_int_equal(children(), 1);
  assert_false(atomic_load(&seen->is_noisy));
  assert_int_not_equal(fcntl(closed_file, F_GETFD), -1);
  close(ends[0]);
  close(ends[1]);
  close(kept_file);
}

/* If another child of the application ends meanwhile, the application can still wait for it. */
PROBE_TEST(other_children_can_be_waited_for) {
  const pid_t own = tests_fork();
  if (own == 0)
    _exit(42);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  assert_int_equal(tests_status(own), 42);
}

/* The application's wait() does not report the probe's child, and gets no SIGCHLD for it. */
static void *wait_always(void *data) {
  while (!atomic_load((atomic_bool *)data))
    if (waitpid(-1, NULL, WNOHANG) > 0)
      atomic_fetch_add(&handled, 1);
  return NULL;
}

PROBE_TEST(no_wait_reports_the_child) {
  struct sigaction before;
  const struct sigaction action = {.sa_handler = handle};
  static atomic_bool is_done;
  pthread_t waiter;
  atomic_store(&handled, 0);
  assert_int_equal(sigaction(SIGCHLD, &action, &before), 0);
  assert_int_equal(pthread_create(&waiter, NULL, wait_always, &is_done), 0);
  at_drivers = CRASH;
  for (int i = 0; i < 20; i++) {
    char number[16];
    snprintf(number, sizeof number, "%d", i);
    setenv("ZE_OTHER", number, 1);
    assert_int_equal(ask().outcome, PROBE_SIGNAL);
  }
  unsetenv("ZE_OTHER");
  assert_int_equal(children(), 20);
  atomic_store(&is_done, true);
  assert_int_equal(pthread_join(waiter, NULL), 0);
  sigaction(SIGCHLD, &before, NULL);
  assert_int_equal(atomic_load(&handled), 0);
}

enum { THREADS = 8 };
static pthread_barrier_t start;

static void *ask_in_thread(void *data) {
  pthread_barrier_wait(&start);
  *(probe_answer *)data = ask();
  return NULL;
}

PROBE_TEST(threads_get_the_same_answer) {
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

PROBE_TEST(processes_share_the_stored_answer) {
  pid_t ids[THREADS];
  at_drivers = CRASH;
  for (int i = 0; i < THREADS; i++) {
    ids[i] = tests_fork();
    if (ids[i] == 0) {
      tester = getpid();
      _exit(ask().outcome == PROBE_SIGNAL ? 0 : 1);
    }
  }
  for (int i = 0; i < THREADS; i++)
    tests_join(ids[i]);
  const int before = children();
  assert_int_equal(ask().outcome, PROBE_SIGNAL);
  assert_int_equal(children(), before);
}

int main(void) {
  if (!open_probe_world())
    return 1;
  return tests_run(NULL, NULL);
}

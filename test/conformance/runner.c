/* Runs each test in a process of its own, or several consecutive tests in one (--share). */
#define _GNU_SOURCE /* memfd_create, sigabbrev_np, sigdescr_np */
#include "check.h"
#include "fixture.h"
#include "junit.h"

#include <errno.h>
#include <fnmatch.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
/* cmocka.h needs three of the headers above to be included first. */
#include <cmocka.h>

/* The exit status of a skipped test in ctest and automake. */
enum { STATUS_SKIPPED = 77 };

int job_slot;

/* A slot: a process and the test that it runs. */
typedef struct job {
  conformance_test *test;
  pid_t process; /* 0: none */
  int tests;     /* a socket, to send tests to the process and receive each test's status */
  int begun;     /* tests sent to the process */
  int output;    /* a file in memory with the process's output */
  struct timespec start;
  int timeout; /* seconds */
  bool timed_out;
} job;

static double seconds_since(const struct timespec *start) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static const conformance_test *current;
static bool current_ended;

/*
 * The function that cmocka runs. It removes cmocka's signal handlers, because they use longjmp,
 * which is wrong when a signal arrives in another thread.
 */
static void run_current(void **state) {
  (void)state;
  static const int signals[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    signal(signals[i], SIG_DFL);
  current->run();
  fixture_release();
  current_ended = true;
}

/* Runs a test; returns the exit status that it would have as a process of its own. */
static int run_one(const conformance_test *test, int slot) {
  shared->skipped[slot][0] = '\0';
  shared->built[slot] = false;
  current = test;
  current_ended = false;
  const struct CMUnitTest tests[] = {{test->name, run_current, NULL, NULL, NULL}};
  const int failed = cmocka_run_group_tests_name(test->name, tests, NULL, NULL);
  fflush(NULL);
  return failed != 0 ? 1 : shared->skipped[slot][0] ? STATUS_SKIPPED : 0;
}

/* Runs tests in a child process until the parent sends no more; exits with the last one's status.
 */
static _Noreturn void child(const char *file, int slot, int tests, int output) {
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  job_slot = slot;
  char text[TEXT_SIZE];
  if (!plugin_load(file, text)) {
    fprintf(stderr, "%s\n", text);
    exit(1);
  }
  const conformance_test *test;
  int status = 1;
  while (read(tests, &test, sizeof test) == sizeof test) {
    status = run_one(test, slot);
    if (write(tests, &status, sizeof status) != sizeof status)
      exit(1);
  }
  /* After a test that ended early objects are still in use, so it cannot be torn down. */
  bool parameter = false; /* libsycl passes a pointer to one */
  if (current_ended && pi.piTearDown(&parameter) != PI_SUCCESS) {
    fprintf(stderr, "piTearDown fails\n");
    exit(1);
  }
  exit(status);
}

/* Returns the output of a test, without cmocka's own lines; the caller frees it. */
static char *read_output(int output) {
  char *text = NULL;
  size_t size = 0;
  lseek(output, 0, SEEK_SET);
  FILE *stream = fdopen(dup(output), "r");
  FILE *to = open_memstream(&text, &size);
  if (!stream || !to) {
    perror("pi-conformance: the output of a test");
    exit(2);
  }
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stream) >= 0)
    if (strncmp(line, "[ ", 2) != 0 && strncmp(line, "[=", 2) != 0 && line[0] != '\n')
      fprintf(to, "%s%s", line, strchr(line, '\n') ? "" : "\n");
  free(line);
  fclose(stream);
  fclose(to);
  return text;
}

/* Prints a test's output, indented. */
static void show_output(const char *text) {
  while (*text) {
    const int length = (int)strcspn(text, "\n");
    printf("    %.*s\n", length, text);
    text += length + 1;
  }
}

/*
 * Returns the time limit of a test, which is shorter for tests that are known not to return.
 */
static int timeout_of(const conformance_test *test, const run_options *options) {
  enum { SHORT = 5 };
  const char *reason = known_reason(options->known, test->name);
  const bool returns = !reason || !strstr(reason, "never returns");
  return returns || options->timeout < SHORT ? options->timeout : SHORT;
}

static void start_process(job *slot, int index, const run_options *options) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    perror("pi-conformance: socketpair");
    exit(2);
  }
  fflush(NULL);
  *slot = (job){.tests = ends[0], .output = memfd_create("output", MFD_CLOEXEC)};
  const pid_t parent = getpid();
  slot->process = fork();
  if (slot->process == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGCHLD, SIG_DFL);
    /* If the parent is killed, the socket reports no end of file, because processes forked later
     * have copies of its other end; so this process asks for a signal. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
      _exit(1);
    child(options->plugin, index, ends[1], slot->output);
  }
  if (slot->process < 0) {
    perror("pi-conformance: fork");
    exit(2);
  }
  close(ends[1]);
}

static void start(job *slot, int index, conformance_test *test, const run_options *options) {
  if (slot->process == 0)
    start_process(slot, index, options);
  slot->test = test;
  slot->begun++;
  slot->timeout = timeout_of(test, options);
  clock_gettime(CLOCK_MONOTONIC, &slot->start);
  /* Sending fails if the process has ended because it could not load the plugin. */
  send(slot->tests, &test, sizeof test, MSG_NOSIGNAL);
}

/* Closes the socket, after which the process ends. */
static void close_tests(job *slot) {
  /* Closing alone has no effect, because the processes of other slots have copies. */
  shutdown(slot->tests, SHUT_RDWR);
  close(slot->tests);
  slot->tests = -1;
}

/* Describes how a process ended, in text; "" for an exit with an expected status. */
static void describe_end(const job *slot, int status, char *text, size_t size) {
  text[0] = '\0';
  if (slot->timed_out)
    snprintf(text, size, "still running after %d seconds", slot->timeout);
  else if (WIFSIGNALED(status))
    snprintf(text, size, "killed by SIG%s (%s)", sigabbrev_np(WTERMSIG(status)),
             sigdescr_np(WTERMSIG(status)));
  else if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 1 &&
           WEXITSTATUS(status) != STATUS_SKIPPED)
    snprintf(text, size, "ended with exit status %d", WEXITSTATUS(status));
}

/* Returns the outcome of a test whose process has ended; text receives its line. */
static test_outcome judge(const job *slot, int index, int status, const run_options *options,
                          char text[TEXT_SIZE]) {
  const char *reason = known_reason(options->known, slot->test->name);
  const int code = WIFEXITED(status) && !slot->timed_out ? WEXITSTATUS(status) : -1;
  char end[TEXT_SIZE / 2];
  describe_end(slot, status, end, sizeof end);
  if (code == STATUS_SKIPPED) {
    snprintf(text, TEXT_SIZE, ": %s", shared->skipped[index]);
    return TEST_SKIPPED;
  }
  if (code == 0 && reason) {
    /* A test that fails sometimes has the same outcome in every run. */
    const bool sometimes = strncmp(reason, "sometimes ", strlen("sometimes ")) == 0;
    snprintf(text, TEXT_SIZE,
             sometimes ? " passed: %s" : ": passed, but is listed as a known failure (%s)", reason);
    return sometimes ? TEST_KNOWN : TEST_FAILED;
  }
  if (code == 0) {
    snprintf(text, TEXT_SIZE, " (%.2f s)", seconds_since(&slot->start));
    return shared->built[index] ? TEST_BUILT : TEST_PASSED;
  }
  if (reason) {
    snprintf(text, TEXT_SIZE, "%s%s: %s", *end ? " " : "", end, reason);
    return TEST_KNOWN;
  }
  snprintf(text, TEXT_SIZE, "%s%s", *end ? ": " : "", end);
  return TEST_FAILED;
}

/* The name of an outcome, and its colour. */
static const struct {
  const char *word;
  int colour;
} outcomes[] = {
#define OUTCOME(name, word, colour) {word, colour},
    TEST_OUTCOMES(OUTCOME)
#undef OUTCOME
};

static bool has_colours(void) {
  const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
  return isatty(STDOUT_FILENO) && !(none && *none) && kind && *kind && strcmp(kind, "dumb") != 0;
}

static void print_outcome(int ended, int count, test_outcome outcome, const char *test,
                          const char *text) {
  char colour[16] = "";
  if (has_colours())
    snprintf(colour, sizeof colour, "\033[%dm", outcomes[outcome].colour);
  printf("[%*d/%d] %s%-10s%s %s%s\n", snprintf(NULL, 0, "%d", count), ended, count, colour,
         outcomes[outcome].word, *colour ? "\033[0m" : "", test, text);
}

static void finish(job *slot, int index, int status, const run_options *options,
                   run_totals *totals) {
  char text[TEXT_SIZE];
  const double seconds = seconds_since(&slot->start);
  const test_outcome outcome = judge(slot, index, status, options, text);
  totals->tests[outcome]++;
  int ended = 0;
  for (int i = 0; i < TEST_OUTCOME_COUNT; i++)
    ended += totals->tests[i];
  print_outcome(ended, options->count, outcome, slot->test->name, text);
  if (outcome == TEST_FAILED)
    slot->test->failed = true;
  if (options->outcomes)
    fprintf(options->outcomes, "%s %s\n", slot->test->name, outcomes[outcome].word);
  char *output = read_output(slot->output);
  if (outcome == TEST_FAILED || options->verbose)
    show_output(output);
  if (options->junit)
    junit_add(options->junit, slot->test->name, outcome, seconds, text, output);
  free(output);
  fflush(stdout);
}

/* Returns the first test from `test` on that matches the filter. */
static conformance_test *wanted(conformance_test *test, const run_options *options) {
  while (test && options->filter && fnmatch(options->filter, test->name, 0) != 0)
    test = test->next;
  return test;
}

int run_here(const run_options *options) {
  char text[TEXT_SIZE];
  if (!plugin_load(options->plugin, text)) {
    fprintf(stderr, "pi-conformance: %s\n", text);
    return 2;
  }
  const int status = run_one(wanted(conformance_tests, options), job_slot);
  if (status == STATUS_SKIPPED)
    printf("skipped: %s\n", shared->skipped[job_slot]);
  bool parameter = false;
  if (current_ended && pi.piTearDown(&parameter) != PI_SUCCESS) {
    fprintf(stderr, "piTearDown fails\n");
    return 1;
  }
  return status;
}

/* State of a run: the tests not yet started, and the slots for running tests. */
typedef struct suite {
  const run_options *options;
  conformance_test *next; /* NULL: all have begun */
  job jobs[MAX_JOBS];
  run_totals totals;
} suite;

static void start_next(suite *all, int index) {
  conformance_test *test = all->next;
  all->next = wanted(test->next, all->options);
  start(&all->jobs[index], index, test, all->options);
}

/* Returns whether the test needs a process of its own: it loads the plugin or tears it down. */
static bool is_alone(const conformance_test *test) {
  return strncmp(test->name, "plugin.", strlen("plugin.")) == 0;
}

/*
 * Returns whether a process whose test had this status may run the next one. It may not after a
 * test that was expected to fail, even if that one passed.
 */
static bool goes_on(const suite *all, int index, int status) {
  const job *slot = &all->jobs[index];
  return status == 0 && !shared->built[index] && slot->begun < all->options->share && all->next &&
         !known_reason(all->options->known, slot->test->name) && !is_alone(slot->test) &&
         !is_alone(all->next);
}

/* Receives the status of a finished test, if there is one; starts the next test in its process, or
 * lets the process end. */
static void receive(suite *all, int index) {
  job *slot = &all->jobs[index];
  int status;
  if (slot->tests < 0 || recv(slot->tests, &status, sizeof status, MSG_DONTWAIT) != sizeof status)
    return;
  if (!goes_on(all, index, status)) {
    close_tests(slot); /* the test's outcome is judged when its process has ended */
    return;
  }
  finish(slot, index, 0, all->options, &all->totals);
  if (ftruncate(slot->output, 0) != 0)
    perror("pi-conformance: ftruncate");
  lseek(slot->output, 0, SEEK_SET);
  start_next(all, index);
}

static void collect(suite *all, int index) {
  job *slot = &all->jobs[index];
  int status;
  if (!slot->timed_out)
    receive(all, index);
  if (waitpid(slot->process, &status, WNOHANG) == slot->process) {
    finish(slot, index, status, all->options, &all->totals);
    if (slot->tests >= 0)
      close(slot->tests);
    close(slot->output);
    slot->process = 0;
  } else if (!slot->timed_out && seconds_since(&slot->start) > slot->timeout) {
    slot->timed_out = true;
    kill(slot->process, SIGKILL);
  }
}

static void on_child(int signal) {
  (void)signal; /* the signal only interrupts the wait */
}

/* Waits until a test or a process ends, at most 0.1 seconds. */
static void wait_a_moment(const suite *all) {
  struct pollfd ends[MAX_JOBS];
  const int jobs = all->options->jobs;
  for (int i = 0; i < jobs; i++)
    ends[i] =
        (struct pollfd){.fd = all->jobs[i].process ? all->jobs[i].tests : -1, .events = POLLIN};
  sigset_t none;
  sigemptyset(&none);
  const struct timespec moment = {0, 100 * 1000 * 1000};
  if (ppoll(ends, (nfds_t)jobs, &moment, &none) < 0 && errno != EINTR)
    perror("pi-conformance: ppoll");
}

run_totals run_suite(const run_options *options) {
  /* SIGCHLD is blocked except during the wait, so that none is missed. */
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, NULL);
  signal(SIGCHLD, on_child);

  suite all = {.options = options, .next = wanted(conformance_tests, options)};
  struct timespec begin;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (;;) {
    int running = 0;
    for (int i = 0; i < options->jobs; i++) {
      if (!all.jobs[i].process && all.next)
        start_next(&all, i);
      running += all.jobs[i].process != 0;
    }
    if (running == 0) {
      all.totals.seconds = seconds_since(&begin);
      return all.totals;
    }
    wait_a_moment(&all);
    for (int i = 0; i < options->jobs; i++)
      if (all.jobs[i].process)
        collect(&all, i);
  }
}

/* Queries a text as runtimes do: first its size, then the text with a buffer of that size. */
static void probe_text(info_call *call, void *object, pi_uint32 query, char text[TEXT_SIZE]) {
  size_t size = 0;
  if (call(object, query, 0, NULL, &size) != PI_SUCCESS || size >= TEXT_SIZE ||
      call(object, query, size, text, NULL) != PI_SUCCESS)
    text[0] = '\0';
}

INFO_CALL(platform_info, pi_platform, pi_platform_info, piPlatformGetInfo)
INFO_CALL(device_info, pi_device, pi_device_info, piDeviceGetInfo)

/* Reports that the plugin has no platform, or no device, with the plugin's own error message. */
static void nothing_to_test(const pi_function_table *table, const char *file, const char *what) {
  char *words = NULL;
  table->piPluginGetLastError(&words);
  const bool any = words && *words;
  snprintf(shared->error, TEXT_SIZE, "%s has no %s to test on%s%s", file, what, any ? ": " : "",
           any ? words : "");
}

static void probe(const char *file) {
  if (!plugin_load(file, shared->error))
    return;
  memcpy(shared->version, plugin.PluginVersion, PI_VERSION_SIZE - 1);
  const pi_function_table *table = &plugin.PiFunctionTable;
  pi_uint32 count = 0;
  pi_platform platform;
  pi_device device;
  if (table->piPlatformsGet(0, NULL, &count) != PI_SUCCESS || count == 0 ||
      table->piPlatformsGet(1, &platform, NULL) != PI_SUCCESS) {
    nothing_to_test(table, file, "platform");
    return;
  }
  probe_text(platform_info, platform, PI_PLATFORM_INFO_NAME, shared->platform);
  if (table->piPlatformGetInfo(platform, PI_EXT_PLATFORM_INFO_BACKEND, sizeof shared->backend,
                               &shared->backend, NULL) != PI_SUCCESS)
    shared->backend = PI_EXT_PLATFORM_BACKEND_UNKNOWN;
  count = 0;
  if (table->piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 0, NULL, &count) != PI_SUCCESS ||
      count == 0 ||
      table->piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 1, &device, NULL) != PI_SUCCESS) {
    nothing_to_test(table, file, "device");
    return;
  }
  probe_text(device_info, device, PI_DEVICE_INFO_NAME, shared->device);
}

bool run_probe(const char *file) {
  fflush(NULL);
  const pid_t process = fork();
  if (process == 0) {
    probe(file);
    _exit(0);
  }
  int status = 0;
  if (process < 0 || waitpid(process, &status, 0) != process) {
    snprintf(shared->error, TEXT_SIZE, "fork failed");
    return false;
  }
  if (WIFSIGNALED(status))
    snprintf(shared->error, TEXT_SIZE, "%s crashes when it is loaded: SIG%s", file,
             sigabbrev_np(WTERMSIG(status)));
  memset(shared->entries, 0, sizeof shared->entries);
  return shared->error[0] == '\0';
}

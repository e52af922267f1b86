/*
 * The frame of the suite: the list of tests, the plugin's table as the tests see it, and what
 * the process of a test shares with the one that started it.
 */
#ifndef CONFORMANCE_HARNESS_H
#define CONFORMANCE_HARNESS_H

#include <pi/pi.h>
#include <stdatomic.h>
#include <stdio.h>

/* One test; TEST makes and registers it. */
typedef struct conformance_test {
  const char *name; /* "group.what" */
  void (*run)(void);
  struct conformance_test *next;
  bool failed; /* unexpectedly, in run_suite */
} conformance_test;

/* The registered tests, in the order of the files and within a file from top to bottom. */
extern conformance_test *conformance_tests;

/* Appends a test to conformance_tests; before main only. */
void conformance_register(conformance_test *test);

/*
 * TEST(group, what) { ... }: defines the test group.what, where group is the file. It runs in
 * a process of its own with the plugin freshly loaded, unless run_options has it otherwise.
 */
#define TEST(group, what)                                                                          \
  static void group##_##what(void);                                                                \
  static conformance_test test_##group##_##what = {#group "." #what, group##_##what, NULL, false}; \
  __attribute__((constructor)) static void register_##group##_##what(void) {                       \
    conformance_register(&test_##group##_##what);                                                  \
  }                                                                                                \
  static void group##_##what(void)

enum { TEXT_SIZE = 512, MAX_JOBS = 64 };

/* Counts of an entry's calls, and of the results that a test had to see. */
typedef struct entry_counts {
  atomic_uint calls;
  atomic_uint good; /* success, or UNSUPPORTED_FEATURE where that is a right answer */
  atomic_uint bad;  /* the refusal of a bad input */
} entry_counts;

/* Memory that the starting process and all test processes see. */
typedef struct shared_state {
  entry_counts entries[PI_FUNCTION_COUNT];
  /* of the plugin, written by the first process */
  char error[TEXT_SIZE]; /* why it cannot be loaded, or "" */
  char version[PI_VERSION_SIZE];
  char platform[TEXT_SIZE]; /* name of the first platform, "" without one */
  pi_uint32 backend;        /* what it says it is, a pi_platform_backend */
  char device[TEXT_SIZE];   /* name of its first device */
  /* Why good (1) or bad (0) input of an entry cannot be shown on this device; "" mostly. */
  char not_shown[PI_FUNCTION_COUNT][2][TEXT_SIZE / 4];
  /* Why the test of each running job was skipped. */
  char skipped[MAX_JOBS][TEXT_SIZE];
  /* Returns whether it left out what a device that computes nothing cannot show. */
  bool built[MAX_JOBS];
} shared_state;

extern shared_state *shared;

/* The table which the tests call: the plugin's, each call counted. See table.c. */
extern const pi_function_table pi;

/* The table that piPluginInit filled. */
extern pi_plugin plugin;

/*
 * The device builds code and computes nothing (--builds-only): a test ends where the plugin has
 * accepted a command, because all that follows depends on what the device does. Set before the
 * tests begin.
 */
extern bool builds_only;

/* Contexts have all devices of the platform, and commands are for the last one. Set as above. */
extern bool all_devices;

/*
 * Opens the plugin file and fills the table. False, with the reason in text, when the file
 * cannot be loaded, refuses version 15.47 or leaves an entry empty.
 */
bool plugin_load(const char *file, char text[TEXT_SIZE]);

/* piPluginInit of the loaded file, for tests of that function. */
extern piPluginInit_fn *plugin_init;

/* The index of the entry which this thread called last, and what it returned. */
extern _Thread_local int last_entry;

/* The name of an entry, e.g. "piMemRelease". */
const char *entry_name(int entry);

/*
 * Prints the entries that no test called, or called with good or bad input only; returns
 * how many gaps there are.
 */
int coverage_report(void);

/* Tests that fail on a given plugin, with reasons; see known.c for the file's form. */
typedef struct known_failures known_failures;

/*
 * Reads a file of known failures and keeps what applies to this plugin. NULL, with a message
 * on stderr that names the line, when it cannot be read or is malformed.
 */
known_failures *known_read(const char *file, const char *plugin_version, const char *platform_name);

/* The reason why the test is expected to fail, or NULL. */
const char *known_reason(const known_failures *known, const char *test);

void known_free(known_failures *known);

/*
 * X(NAME, word, colour): what became of a test, and ANSI's number of its colour at a terminal. A
 * failure that is not expected stands out.
 */
#define TEST_OUTCOMES(X)                                                                           \
  X(PASSED, "passed", 32)                                                                          \
  X(BUILT, "built", 32) /* with builds_only: passed as far as a device that computes nothing */    \
  X(SKIPPED, "skipped", 33) /* could not judge */                                                  \
  X(KNOWN, "known", 33)     /* failed, as was expected */                                          \
  X(FAILED, "FAILED", 31)   /* or passed, and is listed as a known failure */

typedef enum test_outcome {
#define TEST_OUTCOME(name, word, colour) TEST_##name,
  TEST_OUTCOMES(TEST_OUTCOME)
#undef TEST_OUTCOME
      TEST_OUTCOME_COUNT
} test_outcome;

struct junit_report;

typedef struct run_options {
  const char *plugin;
  const char *filter;         /* a glob, or NULL for all */
  FILE *outcomes;             /* receives "TEST outcome" lines; may be NULL */
  struct junit_report *junit; /* receives all tests; may be NULL */
  const known_failures *known;
  int count; /* tests that match */
  int jobs;
  int share;   /* tests that one process may run */
  int timeout; /* seconds for one test */
  bool verbose;
} run_options;

typedef struct run_totals {
  int tests[TEST_OUTCOME_COUNT];
  double seconds;
} run_totals;

/*
 * Fills shared->version and its neighbours in a process of its own. False when the plugin
 * cannot be loaded or crashes while it is; shared->error says why.
 */
bool run_probe(const char *file);

/* Runs the tests that match, as many in a process as may share one, and prints one line for each.
 */
run_totals run_suite(const run_options *options);

/* Runs the first test that matches in this process, for a debugger. Returns the exit status. */
int run_here(const run_options *options);

#endif

/*
 * The parts that the whole suite shares: the list of tests, the plugin's table as tests call it,
 * and the memory that a test's process shares with the process that started it.
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
  bool failed; /* run_suite: the test failed unexpectedly */
} conformance_test;

/* The registered tests, in the order of the files and within a file from top to bottom. */
extern conformance_test *conformance_tests;

/* Appends a test to conformance_tests; before main only. */
void conformance_register(conformance_test *test);

/*
 * TEST(group, what) { ... }: defines the test group.what, where group is the file. It runs in a
 * process of its own with the plugin freshly loaded, unless run_options.share lets tests share one.
 */
#define TEST(group, what)                                                                          \
  static void group##_##what(void);                                                                \
  static conformance_test test_##group##_##what = {#group "." #what, group##_##what, NULL, false}; \
  __attribute__((constructor)) static void register_##group##_##what(void) {                       \
    conformance_register(&test_##group##_##what);                                                  \
  }                                                                                                \
  static void group##_##what(void)

enum { TEXT_SIZE = 512, MAX_JOBS = 64 };

/* Counts of an entry's calls, and of the calls whose result a test checked. */
typedef struct entry_counts {
  atomic_uint calls;
  atomic_uint good; /* success, or UNSUPPORTED_FEATURE where that is a right answer */
  atomic_uint bad;  /* the refusal of a bad input */
} entry_counts;

/* Memory shared by the starting process and all processes of tests. */
typedef struct shared_state {
  entry_counts entries[PI_FUNCTION_COUNT];
  /* The plugin's facts, which run_probe's process fills in. */
  char error[TEXT_SIZE]; /* why it cannot be loaded, or "" */
  char version[PI_VERSION_SIZE];
  char platform[TEXT_SIZE]; /* name of the first platform, "" without one */
  pi_uint32 backend;        /* that platform's pi_platform_backend */
  char device[TEXT_SIZE];   /* name of that platform's first device */
  /* Why no test can give good (1) or bad (0) input to an entry on this device; "" if one can. */
  char not_shown[PI_FUNCTION_COUNT][2][TEXT_SIZE / 4];
  /* Per job: why its test was skipped. */
  char skipped[MAX_JOBS][TEXT_SIZE];
  /* Per job: whether its test left out checks because the device computes nothing. */
  bool built[MAX_JOBS];
} shared_state;

extern shared_state *shared;

/* The table that tests call: it counts each call and passes it to the plugin. See table.c. */
extern const pi_function_table pi;

/* The table that piPluginInit filled. */
extern pi_plugin plugin;

/*
 * --builds-only: the device builds code and computes nothing. A test ends when the plugin has
 * accepted a command, because later checks depend on its result. Set before the tests begin.
 */
extern bool builds_only;

/* --all-devices: contexts have all devices of the platform, and commands go to the last one. Set
 * before the tests begin. */
extern bool all_devices;

/*
 * Opens the plugin file and fills the table. False, with the reason in text, when the file
 * cannot be loaded, refuses version 15.47 or leaves an entry empty.
 */
bool plugin_load(const char *file, char text[TEXT_SIZE]);

/* piPluginInit of the loaded file, for the tests of piPluginInit. */
extern piPluginInit_fn *plugin_init;

/* Index of the entry that this thread called last. */
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
 * Reads a file of known failures and keeps the entries for this plugin. If the file cannot be read
 * or is malformed, prints a message that names the line and returns NULL.
 */
known_failures *known_read(const char *file, const char *plugin_version, const char *platform_name);

/* The reason why the test is expected to fail, or NULL. */
const char *known_reason(const known_failures *known, const char *test);

void known_free(known_failures *known);

/*
 * X(NAME, word, colour): outcomes of tests, and ANSI's number of the colour at a terminal. An
 * unexpected failure is in capitals, to stand out.
 */
#define TEST_OUTCOMES(X)                                                                           \
  X(PASSED, "passed", 32)                                                                          \
  X(BUILT, "built", 32)     /* with builds_only: passed all checks that need no computed result */ \
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
 * Loads the plugin in a process of its own and fills in the plugin's facts in `shared`. Returns
 * false, with the reason in shared->error, when the plugin cannot be loaded or crashes.
 */
bool run_probe(const char *file);

/* Runs the tests that match, up to options->share of them per process; prints a line for each. */
run_totals run_suite(const run_options *options);

/* Runs the first test that matches in this process, for a debugger. Returns the exit status. */
int run_here(const run_options *options);

#endif

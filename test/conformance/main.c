/*
 * pi-conformance: tests any PI plugin against what the PI 15.47 header promises.
 * docs/internals/conformance.md says how to run and read it.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "harness.h"
#include "junit.h"
#include "modules.h"

#include "../../plugins/base/nearest.h"

#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char usage[] =
    "Usage: pi-conformance --plugin FILE [OPTION...]\n"
    "Tests a Plugin Interface plugin of version " PI_VERSION_STRING ".\n"
    "\n"
    "  -p, --plugin=FILE    the plugin's shared library\n"
    "  -l, --list           print the names of the tests and stop\n"
    "  -f, --filter=GLOB    run only the tests whose names match, e.g. 'constants.*'\n"
    "  -j, --jobs=N         tests that run at the same time (default 1)\n"
    "  -s, --share=N        tests that follow one another in one process, as long as they pass\n"
    "                       (default 1)\n"
    "  -P, --preload=LIBRARY\n"
    "                       open a library of the driver once, for all processes, by its path, or "
    "by\n"
    "                       its name where the system looks for libraries; may be repeated\n"
    "  -t, --timeout=S      seconds that one test may take (default 60)\n"
    "  -k, --known=FILE     tests that are expected to fail on this plugin\n"
    "  -C, --code=FORM      what the kernels are: spirv, ptx-patch or ptx-emulate (default: "
    "ptx-patch\n"
    "                       on a platform that says it is CUDA, spirv on others)\n"
    "  -b, --builds-only    the device builds code and computes nothing: a test ends where a "
    "command\n"
    "                       is accepted\n"
    "  -a, --all-devices    contexts have all devices of the platform, and commands are for the "
    "last\n"
    "  -o, --outcomes=FILE  write a line \"TEST OUTCOME\" for each test\n"
    "  -J, --junit=FILE     write all outcomes with their times as JUnit's XML\n"
    "  -d, --debug          run the one test that matches in this process, for a debugger:\n"
    "                       gdb --args pi-conformance --plugin FILE --filter TEST --debug\n"
    "  -c, --coverage       fail when an entry was not called with good and bad input;\n"
    "                       judged only when the whole suite ran\n"
    "  -v, --verbose        show the output of tests that passed, too\n"
    "  -h, --help           this text\n"
    "  -V, --version        print the version\n"
    "\n"
    "The plugin's driver is found as the plugin finds it; each test has its own process, unless\n"
    "--share says otherwise.\n"
    "Exit status: 0 when nothing failed and something ran, 1 otherwise, 2 for a bad command\n"
    "line, or a plugin that cannot be loaded or has no device.\n";

/* Returns a whole number from 1 to max, or ends the program. */
static int positive(const char *option, const char *text, long max) {
  char *end;
  const long value = strtol(text, &end, 10);
  if (end == text || *end || value < 1 || value > max) {
    fprintf(stderr, "pi-conformance: --%s takes a number from 1 to %ld, not \"%s\"\n", option, max,
            text);
    exit(2);
  }
  return (int)value;
}

/* Returns the form of code with this name, or ends the program. */
static code_form form_of(const char *text) {
  static const char *const names[] = {
#define CODE_NAME(name, option) option,
      CODE_FORMS(CODE_NAME)
#undef CODE_NAME
  };
  for (int i = 0; i < CODE_FORM_COUNT; i++)
    if (strcmp(names[i], text) == 0)
      return (code_form)i;
  fprintf(stderr, "pi-conformance: --code takes spirv, ptx-patch or ptx-emulate, not \"%s\"\n",
          text);
  exit(2);
}

/* Opens the file for the tests' outcomes, or ends the program. */
static FILE *open_outcomes(const char *name) {
  FILE *file = fopen(name, "we");
  if (file)
    return file;
  fprintf(stderr, "pi-conformance: %s: %s\n", name, strerror(errno));
  exit(2);
}

/* Opens the file for JUnit's XML, or ends the program. */
static struct junit_report *open_junit(const char *name) {
  struct junit_report *report = junit_open(name);
  if (report)
    return report;
  fprintf(stderr, "pi-conformance: %s: %s\n", name, strerror(errno));
  exit(2);
}

/*
 * Opens a library that the driver would else load in the process of each test, which may take
 * longer than the test. The library's constructors run here; nothing else in it is called.
 */
static void preload(const char *file) {
  if (dlopen(file, RTLD_NOW | RTLD_LOCAL))
    return;
  fprintf(stderr, "pi-conformance: --preload: %s\n", dlerror());
  exit(2);
}

/* Counts the names that match, and prints them if wanted. */
static int list(const char *filter, bool print) {
  int count = 0;
  for (const conformance_test *test = conformance_tests; test; test = test->next)
    if (!filter || fnmatch(filter, test->name, 0) == 0) {
      count++;
      if (print)
        puts(test->name);
    }
  return count;
}

/* The command line: the runner's options and the program's own. */
typedef struct request {
  run_options run;
  const char *known_file;
  bool only_list;
  bool coverage;
  bool debug;
  code_form wanted; /* CODE_FORM_COUNT: the form that the platform takes */
} request;

static const struct option long_options[] = {
    {"plugin", required_argument, NULL, 'p'},
    {"list", no_argument, NULL, 'l'},
    {"filter", required_argument, NULL, 'f'},
    {"jobs", required_argument, NULL, 'j'},
    {"share", required_argument, NULL, 's'},
    {"preload", required_argument, NULL, 'P'},
    {"timeout", required_argument, NULL, 't'},
    {"known", required_argument, NULL, 'k'},
    {"builds-only", no_argument, NULL, 'b'},
    {"outcomes", required_argument, NULL, 'o'},
    {"junit", required_argument, NULL, 'J'},
    {"coverage", no_argument, NULL, 'c'},
    {"code", required_argument, NULL, 'C'},
    {"verbose", no_argument, NULL, 'v'},
    {"debug", no_argument, NULL, 'd'},
    {"help", no_argument, NULL, 'h'},
    {"all-devices", no_argument, NULL, 'a'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

/* Reads the command line, or ends the program. */
static request read_options(int argc, char **argv) {
  request request = {.run = {.jobs = 1, .share = 1, .timeout = 60}, .wanted = CODE_FORM_COUNT};
  for (int c;
       (c = getopt_long(argc, argv, "p:lf:j:s:P:t:k:bao:J:cC:dvhV", long_options, NULL)) != -1;) {
    switch (c) {
    case 'p':
      request.run.plugin = optarg;
      break;
    case 'l':
      request.only_list = true;
      break;
    case 'f':
      request.run.filter = optarg;
      break;
    case 'j':
      request.run.jobs = positive("jobs", optarg, MAX_JOBS);
      break;
    case 's':
      request.run.share = positive("share", optarg, 10000);
      break;
    case 'P':
      preload(optarg);
      break;
    case 't':
      request.run.timeout = positive("timeout", optarg, 3600);
      break;
    case 'k':
      request.known_file = optarg;
      break;
    case 'b':
      builds_only = true;
      break;
    case 'a':
      all_devices = true;
      break;
    case 'o':
      request.run.outcomes = open_outcomes(optarg);
      break;
    case 'J':
      request.run.junit = open_junit(optarg);
      break;
    case 'c':
      request.coverage = true;
      break;
    case 'd':
      request.debug = true;
      break;
    case 'C':
      request.wanted = form_of(optarg);
      break;
    case 'v':
      request.run.verbose = true;
      break;
    case 'h':
      fputs(usage, stdout);
      exit(0);
    case 'V':
      puts("pi-conformance " CONFORMANCE_VERSION ", PI " PI_VERSION_STRING);
      exit(0);
    default:
      nearest_option("pi-conformance", argv[optind - 1], long_options);
      exit(2);
    }
  }
  if (request.only_list || (request.run.plugin && optind == argc))
    return request;
  if (request.run.plugin)
    fprintf(stderr, "pi-conformance: \"%s\" is no option; --help lists them\n", argv[optind]);
  else
    fputs("pi-conformance: --plugin=FILE is missing; --help lists the options\n", stderr);
  exit(2);
}

/*
 * Returns the plugin's absolute path, in static memory, or ends the program. An absolute path is
 * needed because dlopen searches for a name without a slash, in LD_LIBRARY_PATH first.
 */
static const char *plugin_path(const char *file) {
  static char path[PATH_MAX];
  if (realpath(file, path))
    return path;
  fprintf(stderr, "pi-conformance: %s: %s\n", file, strerror(errno));
  exit(2);
}

/* Loads the plugin once, prints its version and platform, and chooses the form of code; or ends the
 * program. */
static void introduce_plugin(const request *request) {
  void *memory =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    perror("pi-conformance: mmap");
    exit(2);
  }
  shared = memory;
  if (!run_probe(request->run.plugin)) {
    fprintf(stderr, "pi-conformance: %s\n", shared->error);
    exit(2);
  }
  const bool cuda = shared->backend == PI_EXT_PLATFORM_BACKEND_CUDA;
  code_in_use = request->wanted != CODE_FORM_COUNT ? request->wanted
                : cuda                             ? CODE_PTX_PATCH
                                                   : CODE_SPIRV;
  printf("plugin %s, version %s\nplatform \"%s\", device \"%s\"\n", request->run.plugin,
         shared->version, shared->platform, shared->device);
}

/* Prints the totals and the coverage; returns the exit status. */
static int conclude(const request *request, const run_totals *totals) {
  const int *tests = totals->tests;
  int gaps = 0;
  if (request->coverage && request->run.filter)
    puts("coverage: not judged, because only a part of the suite ran");
  else if (request->coverage)
    gaps = coverage_report();
  if (tests[TEST_FAILED] > 0)
    puts("These tests failed:");
  for (const conformance_test *test = conformance_tests; test; test = test->next)
    if (test->failed)
      printf("    %s\n", test->name);
  printf("%d test%s in %.2f s\n", request->run.count, request->run.count == 1 ? "" : "s",
         totals->seconds);
  if (builds_only)
    printf("%d passed as far as their first command\n", tests[TEST_BUILT]);
  if (tests[TEST_KNOWN] > 0)
    printf("%d known failures\n", tests[TEST_KNOWN]);
  printf("%d passed, %d failed, %d skipped\n", tests[TEST_PASSED], tests[TEST_FAILED],
         tests[TEST_SKIPPED]);
  return tests[TEST_FAILED] == 0 && gaps == 0 && tests[TEST_PASSED] > 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  request request = read_options(argc, argv);
  request.run.count = list(request.run.filter, request.only_list);
  if (request.run.count == 0) {
    fprintf(stderr, "pi-conformance: no test's name matches \"%s\"; --list prints them\n",
            request.run.filter);
    return 2;
  }
  if (request.only_list)
    return 0;
  if (request.debug && request.run.count != 1) {
    fprintf(stderr, "pi-conformance: --debug takes one test, and --filter leaves %d\n",
            request.run.count);
    return 2;
  }
  request.run.plugin = plugin_path(request.run.plugin);
  introduce_plugin(&request);
  if (request.debug)
    return run_here(&request.run);

  known_failures *known = NULL;
  if (request.known_file) {
    known = known_read(request.known_file, shared->version, shared->platform);
    if (!known)
      return 2;
  }
  request.run.known = known;
  const run_totals totals = run_suite(&request.run);
  known_free(known);
  if (request.run.outcomes && fclose(request.run.outcomes) != 0) {
    perror("pi-conformance: --outcomes");
    return 2;
  }
  if (request.run.junit && !junit_close(request.run.junit, request.run.plugin, &totals)) {
    perror("pi-conformance: --junit");
    return 2;
  }
  return conclude(&request, &totals);
}

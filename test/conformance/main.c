/*
 * pi-conformance: tests any PI plugin against what the PI 15.47 header promises.
 * docs/conformance.md says how to run and read it.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "harness.h"
#include "modules.h"

#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
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
    "  -P, --preload=FILE   open a library of the driver once, for all processes; may be repeated\n"
    "  -t, --timeout=S      seconds that one test may take (default 60)\n"
    "  -k, --known=FILE     tests that are expected to fail on this plugin\n"
    "  -C, --code=FORM      what the kernels are: spirv, ptx-patch or ptx-emulate (default: "
    "ptx-patch\n"
    "                       on a platform that says it is CUDA, spirv on others)\n"
    "  -b, --builds-only    the device builds code and computes nothing: a test ends where a "
    "command\n"
    "                       is accepted\n"
    "  -o, --outcomes=FILE  write a line \"TEST OUTCOME\" for each test\n"
    "  -c, --coverage       fail when an entry was not called with good and bad input;\n"
    "                       judged only when the whole suite ran\n"
    "  -v, --verbose        show the output of tests that passed, too\n"
    "  -h, --help           this text\n"
    "\n"
    "The plugin's driver is found as the plugin finds it; each test has its own process, unless\n"
    "--share says otherwise.\n"
    "Exit status: 0 when nothing failed and something ran, 1 otherwise, 2 for a bad command\n"
    "line, or a plugin that cannot be loaded or has no device.\n";

/* A whole number from 1 to max, or ends the program. */
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

/* The form with this name, or ends the program. */
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

/* The file for the tests' outcomes, or ends the program. */
static FILE *open_outcomes(const char *name) {
  FILE *file = fopen(name, "we");
  if (file)
    return file;
  fprintf(stderr, "pi-conformance: %s: %s\n", name, strerror(errno));
  exit(2);
}

/*
 * Opens a library that the plugin's driver would open in the process of each test, where linking it
 * may take longer than the test. Nothing in it is called; its constructors run here.
 */
static void preload(const char *file) {
  if (dlopen(file, RTLD_NOW | RTLD_LOCAL))
    return;
  fprintf(stderr, "pi-conformance: --preload: %s\n", dlerror());
  exit(2);
}

static void list(const char *filter) {
  for (const conformance_test *test = conformance_tests; test; test = test->next)
    if (!filter || fnmatch(filter, test->name, 0) == 0)
      puts(test->name);
}

int main(int argc, char **argv) {
  static const struct option options[] = {
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
      {"coverage", no_argument, NULL, 'c'},
      {"code", required_argument, NULL, 'C'},
      {"verbose", no_argument, NULL, 'v'},
      {"help", no_argument, NULL, 'h'},
      {NULL, 0, NULL, 0},
  };
  run_options run = {.jobs = 1, .share = 1, .timeout = 60};
  const char *known_file = NULL;
  bool only_list = false;
  bool coverage = false;
  code_form wanted = CODE_FORM_COUNT;
  for (int c; (c = getopt_long(argc, argv, "p:lf:j:s:P:t:k:bo:cC:vh", options, NULL)) != -1;) {
    switch (c) {
    case 'p':
      run.plugin = optarg;
      break;
    case 'l':
      only_list = true;
      break;
    case 'f':
      run.filter = optarg;
      break;
    case 'j':
      run.jobs = positive("jobs", optarg, MAX_JOBS);
      break;
    case 's':
      run.share = positive("share", optarg, 10000);
      break;
    case 'P':
      preload(optarg);
      break;
    case 't':
      run.timeout = positive("timeout", optarg, 3600);
      break;
    case 'k':
      known_file = optarg;
      break;
    case 'b':
      builds_only = true;
      break;
    case 'o':
      run.outcomes = open_outcomes(optarg);
      break;
    case 'c':
      coverage = true;
      break;
    case 'C':
      wanted = form_of(optarg);
      break;
    case 'v':
      run.verbose = true;
      break;
    case 'h':
      fputs(usage, stdout);
      return 0;
    default:
      return 2;
    }
  }
  if (only_list) {
    list(run.filter);
    return 0;
  }
  if (!run.plugin || optind != argc) {
    fputs(usage, stderr);
    return 2;
  }

  void *memory =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    perror("pi-conformance: mmap");
    return 2;
  }
  shared = memory;
  if (!run_probe(run.plugin)) {
    fprintf(stderr, "pi-conformance: %s\n", shared->error);
    return 2;
  }
  const bool cuda = shared->backend == PI_EXT_PLATFORM_BACKEND_CUDA;
  code_in_use = wanted != CODE_FORM_COUNT ? wanted : cuda ? CODE_PTX_PATCH : CODE_SPIRV;
  printf("plugin %s, version %s\nplatform \"%s\", device \"%s\"\n", run.plugin, shared->version,
         shared->platform, shared->device);

  known_failures *known = NULL;
  if (known_file) {
    known = known_read(known_file, shared->version, shared->platform);
    if (!known)
      return 2;
  }
  run.known = known;
  const run_totals totals = run_suite(&run);
  known_free(known);
  if (run.outcomes && fclose(run.outcomes) != 0) {
    perror("pi-conformance: --outcomes");
    return 2;
  }

  int gaps = 0;
  if (coverage && run.filter)
    puts("coverage: not judged, because only a part of the suite ran");
  else if (coverage)
    gaps = coverage_report();
  const int *tests = totals.tests;
  if (builds_only)
    printf("%d passed as far as their first command\n", tests[TEST_BUILT]);
  if (tests[TEST_KNOWN] > 0)
    printf("%d known failures\n", tests[TEST_KNOWN]);
  printf("%d passed, %d failed, %d skipped\n", tests[TEST_PASSED], tests[TEST_FAILED],
         tests[TEST_SKIPPED]);
  return tests[TEST_FAILED] == 0 && gaps == 0 && tests[TEST_PASSED] > 0 ? 0 : 1;
}

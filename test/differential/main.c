/*
 * Checks that random kernels in SPIR-V have equal results on Intel's CPU runtime and on CUDA. A
 * machine with only one of the two reads the other's results from a directory.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "../property/child.h"
#include "../property/memory.h"
#include "case.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "Usage: differential [--seed N] [--count N] [--first N] [--on SELECTOR] [--wanted SELECTOR]\n"
    "         [--print] [--shrink] [--keep-going] [--dump DIR] [--pack DIR | --packed DIR]\n"
    "Runs random kernels on two devices and compares. Exits with 1 when results differ, and with "
    "77\n"
    "when a device is not there.\n"
    "\n"
    "  --seed N      the seed, otherwise one from the clock; it is printed\n"
    "  --count N     how many modules of kernels, 40 if not given\n"
    "  --first N     the number of the first module, to see one again\n"
    "  --on S        the device that is tested, cuda:* if not given\n"
    "  --wanted S    the one whose results are right, opencl:cpu if not given\n"
    "  --print       print the source of the first module, and run nothing\n"
    "  --shrink      leave out of a kernel that fails all that is not needed for it\n"
    "  --keep-going  go on after a failure\n"
    "  --dump DIR    write what is wrong there, otherwise into the current directory\n"
    "  --pack DIR    write modules and wanted results there, and test nothing\n"
    "  --packed DIR  test these: no compiler and no other device is needed\n";

typedef struct options {
  uint64_t seed;
  uint32_t count, first;
  const char *on, *wanted, *dump, *pack, *packed;
  bool print, shrink, keep_going;
} options;

enum { WANTED, TESTED };
enum { EXIT_SKIPPED = 77 };

static const tools programs = {.clang = DIFFERENTIAL_CLANG,
                               .opt = DIFFERENTIAL_OPT,
                               .llvm_spirv = DIFFERENTIAL_LLVM_SPIRV,
                               .prelude = DIFFERENTIAL_PRELUDE};

static uint64_t read_number(const char *text, uint64_t most) {
  char *end;
  const unsigned long long number = strtoull(text, &end, 0);
  if (end == text || *end != '\0' || number > most) {
    fputs(usage, stderr);
    exit(2);
  }
  return number;
}

static void take_option(int letter, options *to) {
  switch (letter) {
  case 's':
    to->seed = read_number(optarg, UINT64_MAX);
    return;
  case 'c':
    to->count = (uint32_t)read_number(optarg, 1000000);
    return;
  case 'f':
    to->first = (uint32_t)read_number(optarg, 1000000);
    return;
  case 'o':
    to->on = optarg;
    return;
  case 'w':
    to->wanted = optarg;
    return;
  case 'd':
    to->dump = optarg;
    return;
  case 'P':
    to->pack = optarg;
    return;
  case 'R':
    to->packed = optarg;
    return;
  case 'p':
    to->print = true;
    return;
  case 'h':
    to->shrink = true;
    return;
  case 'k':
    to->keep_going = true;
    return;
  default:
    fputs(usage, stderr);
    exit(2);
  }
}

static options read_options(int argc, char **argv) {
  static const struct option known[] = {
      {"seed", required_argument, NULL, 's'},   {"count", required_argument, NULL, 'c'},
      {"first", required_argument, NULL, 'f'},  {"on", required_argument, NULL, 'o'},
      {"wanted", required_argument, NULL, 'w'}, {"dump", required_argument, NULL, 'd'},
      {"pack", required_argument, NULL, 'P'},   {"packed", required_argument, NULL, 'R'},
      {"print", no_argument, NULL, 'p'},        {"shrink", no_argument, NULL, 'h'},
      {"keep-going", no_argument, NULL, 'k'},   {0}};
  options options = {.seed = (uint64_t)time(NULL),
                     .count = 40,
                     .on = "cuda:*",
                     .wanted = "opencl:cpu",
                     .dump = "."};
  for (int letter; (letter = getopt_long(argc, argv, "", known, NULL)) != -1;)
    take_option(letter, &options);
  return options;
}

/* ---- One case ---- */

/* The outcome of a case; problem is NULL if the results are equal. */
typedef struct outcome {
  const char *problem;
  uint32_t kernel; /* the kernel with the problem, or ALL_KERNELS */
  bool broken;     /* unknown, because the compiler or the device of the expected results failed */
} outcome;

static outcome run_case(test_case *test) {
  static results wanted;
  static results found;
  outcome ret = {.kernel = ALL_KERNELS, .broken = true};
  size_t size;
  const void *module = case_compile(test, &programs, &size, &ret.problem);
  if (module == NULL)
    return ret;
  device_choose(WANTED);
  if (!case_run(test, module, size, &wanted, &ret.problem))
    return ret;
  device_choose(TESTED);
  ret.broken = false;
  if (case_run(test, module, size, &found, &ret.problem))
    ret.problem = case_compare(test, &wanted, &found, &ret.kernel);
  return ret;
}

/* Returns whether the case still has the same kind of failure: other results, or no build. */
static bool still_fails(test_case *test, const void *data) {
  const bool differs = *(const bool *)data;
  const outcome now = run_case(test);
  return now.problem != NULL && !now.broken && (now.kernel != ALL_KERNELS) == differs;
}

/* Reduces a case to one kernel that fails alone; returns whether there is one. */
static bool isolate(test_case *test, const outcome *of, bool differs) {
  for (uint32_t i = 0; i < KERNELS; i++) {
    test->only = of->kernel == ALL_KERNELS ? i : of->kernel;
    if (still_fails(test, &differs))
      return true;
  }
  test->only = ALL_KERNELS;
  return false;
}

static void report(const options *with, test_case *test, outcome of) {
  const bool differs = of.kernel != ALL_KERNELS;
  printf("case %u is wrong: %s\n", test->index, of.problem);
  if (with->shrink && !of.broken && isolate(test, &of, differs)) {
    case_shrink(test, still_fails, &differs);
    of = run_case(test);
    printf("as small as it gets: %s\n", of.problem != NULL ? of.problem : "?");
  }
  const char *path =
      memory_format("%s/differential-%" PRIu64 "-%u.cl", with->dump, test->seed, test->index);
  const char *source = case_write(test);
  work_write(path, source, strlen(source));
  printf("  see %s; again: --seed %" PRIu64 " --first %u --count 1%s\n", path, test->seed,
         test->index, with->shrink ? "" : ", --shrink makes it small");
}

/* ---- All cases ---- */

static const char *packed_path(const char *directory, const test_case *of, const char *ending) {
  return memory_format("%s/%" PRIu64 "-%u.%s", directory, of->seed, of->index, ending);
}

static bool pack_case(const options *with, test_case *test) {
  static results wanted;
  const char *why;
  size_t size;
  const void *module = case_compile(test, &programs, &size, &why);
  if (module == NULL || !case_run(test, module, size, &wanted, &why)) {
    printf("case %u cannot be packed: %s\n", test->index, why);
    return false;
  }
  work_write(packed_path(with->pack, test, "spv"), module, size);
  work_write(packed_path(with->pack, test, "wanted"), &wanted, sizeof wanted);
  return true;
}

static bool run_packed(const options *with, test_case *test) {
  static results found;
  const char *problem;
  uint32_t kernel;
  size_t size;
  size_t wanted_size;
  const void *module = work_read(packed_path(with->packed, test, "spv"), &size);
  const results *wanted = work_read(packed_path(with->packed, test, "wanted"), &wanted_size);
  if (wanted_size != sizeof *wanted)
    property_die("%s is not of this program", packed_path(with->packed, test, "wanted"));
  if (case_run(test, module, size, &found, &problem))
    problem = case_compare(test, wanted, &found, &kernel);
  if (problem != NULL)
    printf("case %u of seed %" PRIu64 " is wrong: %s\n", test->index, test->seed, problem);
  return problem == NULL;
}

/* Returns whether there is another case; the number of packed cases is limited. */
static bool has_case(const options *with, uint32_t index) {
  const test_case test = {.seed = with->seed, .index = index};
  return with->packed == NULL || access(packed_path(with->packed, &test, "spv"), R_OK) == 0;
}

static bool run_one(const options *with, uint32_t index) {
  static test_case test;
  case_make(with->seed, index, &test);
  if (with->pack != NULL)
    return pack_case(with, &test);
  if (with->packed != NULL)
    return run_packed(with, &test);
  const outcome of = run_case(&test);
  if (of.problem != NULL)
    report(with, &test, of);
  return of.problem == NULL;
}

/* Opens the devices; exits as skipped if one is missing. */
static void open_devices(const options *with) {
  const char *const selectors[] = {with->packed != NULL ? NULL : with->wanted,
                                   with->pack != NULL ? NULL : with->on};
  for (size_t i = 0; i < 2; i++) {
    if (selectors[i] == NULL)
      continue;
    if (!device_open(selectors[i])) {
      printf("skipped: there is no device %s\n", selectors[i]);
      exit(EXIT_SKIPPED);
    }
    printf("device: %s\n", device_name());
  }
}

int main(int argc, char **argv) {
  const options with = read_options(argc, argv);
  uint32_t failures = 0;
  uint32_t done = 0;
  if (with.print) {
    static test_case test;
    case_make(with.seed, with.first, &test);
    fputs(case_write(&test), stdout);
    memory_free_all();
    return 0;
  }
  printf("seed %" PRIu64 "\n", with.seed);
  open_devices(&with);
  if (with.pack != NULL)
    mkdir(with.pack, 0777);
  for (uint32_t i = with.first; done < with.count && has_case(&with, i); i++) {
    failures += !run_one(&with, i);
    done++;
    if (failures != 0 && !with.keep_going)
      break;
    memory_free_all();
    fflush(stdout);
  }
  memory_free_all();
  device_close();
  work_remove();
  memory_free_all();
  printf("%u modules of %d kernels, %d items each: %u failures\n", done, KERNELS, ITEMS, failures);
  return failures != 0 || done == 0;
}

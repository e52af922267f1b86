/*
 * Random constants of random types, with random defaults and values. Kernels must read the host's
 * values, and the defaults of other constants, natively and from the buffer.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "check.h"
#include "child.h"
#include "device.h"
#include "memory.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const char usage[] =
    "Usage: property [--seed N] [--count N] [--first N] [--dump DIR] [--keep-going]\n"
    "Checks random modules on the device. Exits with 1 when one is wrong.\n"
    "\n"
    "  --seed N      the seed, otherwise one from the clock; it is printed\n"
    "  --count N     how many cases, 40 if not given\n"
    "  --first N     the number of the first case, to see one again\n"
    "  --dump DIR    write what is wrong into directories there, otherwise into the current one\n"
    "  --keep-going  go on after a failure\n"
    "  --print       print the first case and what the host sets, and check nothing\n";

typedef struct options {
  uint64_t seed;
  uint32_t count, first;
  const char *dump;
  bool keep_going;
  bool print;
} options;

static const tools programs = {.clang = PROPERTY_CLANG,
                               .llvm_spirv = PROPERTY_LLVM_SPIRV,
                               .spirv_val = PROPERTY_SPIRV_VAL,
                               .ptxas = PROPERTY_PTXAS};

static uint64_t read_number(const char *text, uint64_t most) {
  char *end;
  const unsigned long long number = strtoull(text, &end, 0);
  if (end == text || *end != '\0' || number > most) {
    fputs(usage, stderr);
    exit(2);
  }
  return number;
}

static options read_options(int argc, char **argv) {
  static const struct option known[] = {{"seed", required_argument, NULL, 's'},
                                        {"count", required_argument, NULL, 'c'},
                                        {"first", required_argument, NULL, 'f'},
                                        {"dump", required_argument, NULL, 'd'},
                                        {"keep-going", no_argument, NULL, 'k'},
                                        {"print", no_argument, NULL, 'p'},
                                        {0}};
  options options = {.seed = (uint64_t)time(NULL), .count = 40, .dump = "."};
  for (int letter; (letter = getopt_long(argc, argv, "", known, NULL)) != -1;)
    switch (letter) {
    case 's':
      options.seed = read_number(optarg, UINT64_MAX);
      break;
    case 'c':
      options.count = (uint32_t)read_number(optarg, UINT32_MAX);
      break;
    case 'f':
      options.first = (uint32_t)read_number(optarg, UINT32_MAX);
      break;
    case 'd':
      options.dump = optarg;
      break;
    case 'k':
      options.keep_going = true;
      break;
    case 'p':
      options.print = true;
      break;
    default:
      fputs(usage, stderr);
      exit(2);
    }
  return options;
}

static const char *source(const test_case *of) {
  return of->in_c ? case_write_c(of) : case_write_ir(of);
}

/* Writes the files that are needed to reproduce a failure. */
static void dump(const options *with, const test_case *of) {
  const char *directory =
      memory_format("%s/property-%" PRIu64 "-%u", with->dump, of->seed, of->index);
  mkdir(directory, 0777);
  const struct {
    const char *name, *text;
  } files[] = {{of->in_c ? "test.cl" : "test.ll", source(of)},
               {"values.txt", case_describe(of)},
               {"failure.txt", check_error()},
               {"lowered.ll", check_lowered()}};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    if (files[i].text != NULL)
      work_write(memory_format("%s/%s", directory, files[i].name), files[i].text,
                 strlen(files[i].text));
  printf("case %u is wrong: %s\n  see %s; again: --seed %" PRIu64 " --first %u --count 1\n",
         of->index, check_error(), directory, of->seed, of->index);
}

int main(int argc, char **argv) {
  const options with = read_options(argc, argv);
  static test_case test;
  if (with.print) {
    case_make(with.seed, with.first, &test);
    printf("%s%s", source(&test), case_describe(&test));
    memory_free_all();
    return 0;
  }
  printf("seed %" PRIu64 "\n", with.seed);
  if (!device_open(NULL))
    property_die("there is no device; specpi doctor says why");
  check_counts counts = {0};
  uint32_t failures = 0;
  for (uint32_t i = 0; i < with.count && (failures == 0 || with.keep_going); i++) {
    case_make(with.seed, with.first + i, &test);
    size_t size;
    const char *module = case_module(&test, &programs, &size);
    if (module == NULL || !case_check(&test, &programs, module, size, &counts)) {
      failures++;
      dump(&with, &test);
    }
    memory_free_all();
  }
  printf("%u cases on %s: %" PRIu64 " records, %" PRIu64 " programs, %" PRIu64
         " leaves equal to what the host wants, %" PRIu64 " undefined ones, %" PRIu64
         " places in PTX, %u failures\n",
         with.count, device_name(), counts.constants, counts.programs, counts.leaves, counts.holes,
         counts.places, failures);
  device_close();
  work_remove();
  memory_free_all();
  /* A run that compares nothing fails. */
  return failures == 0 && counts.leaves > 0 ? 0 : 1;
}

/*
 * Damaged SPIR-V: each build ends with PTX or with one message, and leaves no process, descriptor
 * or file. Modules are cut at every word, and changed at random.
 */
#define _GNU_SOURCE /* getopt_long */
#include "../../plugins/base/error.h"
#include "../../plugins/code/codegen.h"
#include "../property/random.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static const char usage[] =
    "usage: codegen-damage [--seed N] [--first N] [--count N] [--seconds N] [--write FILE]\n"
    "         CODEGEN MODULE...\n"
    "Builds damaged copies of SPIR-V modules. --count random ones of each, and those that are cut "
    "at\n"
    "a word, of the first module at every one; or random ones for some --seconds. --write\n"
    "keeps the copy --first of the first module in a file, and builds nothing.\n";

enum {
  LIMIT_MS = 5000,
  MEMORY_MAX_KB = 9 << 19, /* the generator's own limit of 4 GB, and its code */
  HEADER_WORDS = 5,
  WORDS_MAX = 1 << 18,
};

typedef struct options {
  uint64_t seed;
  uint32_t first, count, seconds;
  const char *write;
} options;

typedef struct module {
  uint32_t words[WORDS_MAX];
  size_t count;
} module;

/* Number of builds with each outcome. */
typedef struct tally {
  uint32_t built, refused, ended, stopped;
} tally;

static void die(const char *what, const char *name) {
  fprintf(stderr, "codegen-damage: %s: %s\n", what, name);
  exit(2);
}

static void read_module(const char *path, module *ret) {
  FILE *file = fopen(path, "rb");
  if (!file)
    die("cannot be read", path);
  ret->count = fread(ret->words, sizeof ret->words[0], WORDS_MAX, file);
  if (!feof(file) || ret->count <= HEADER_WORDS)
    die("is too large or no module", path);
  fclose(file);
}

/* ---- Damage ---- */

/* Returns the index of the first word of a random instruction. */
static size_t pick_instruction(generator *from, const module *module) {
  size_t starts = 0;
  for (size_t at = HEADER_WORDS; at < module->count && module->words[at] >> 16 != 0;
       at += module->words[at] >> 16)
    starts++;
  size_t left = random_below(from, (uint32_t)starts);
  size_t at = HEADER_WORDS;
  for (; left > 0; left--)
    at += module->words[at] >> 16;
  return at;
}

static void flip_bit(generator *from, module *module) {
  module->words[random_below(from, (uint32_t)module->count)] ^= 1u << random_below(from, 32);
}

static void set_word(generator *from, module *module) {
  static const uint32_t special[] = {0,          1,          0xffff,     0x10000,   0x7fffffff,
                                     0x80000000, 0xfffffffe, 0xffffffff, 0xffff0000};
  const uint32_t choice = random_below(from, 16);
  module->words[random_below(from, (uint32_t)module->count)] =
      choice < sizeof special / sizeof special[0] ? special[choice] : (uint32_t)random_bits(from);
}

/* Replaces a random operand by an id: one of the module, or one past its bound. */
static void set_id(generator *from, module *module) {
  const size_t at = pick_instruction(from, module);
  const uint32_t size = module->words[at] >> 16;
  const uint32_t bound = module->words[3];
  if (size < 2 || at + size > module->count)
    return;
  module->words[at + 1 + random_below(from, size - 1)] =
      random_chance(from, 80) ? random_below(from, bound + 1) : bound + random_below(from, 1000);
}

/* Changes the word count or the opcode of a random instruction. */
static void set_head(generator *from, module *module) {
  const size_t at = pick_instruction(from, module);
  const uint32_t size = module->words[at] >> 16;
  switch (random_below(from, 4)) {
  case 0:
    module->words[at] = (module->words[at] & 0xffff) | random_below(from, 0x10000) << 16;
    break;
  case 1:
    module->words[at] += 0x10000;
    break;
  case 2:
    module->words[at] = size << 16 | random_below(from, 450);
    break;
  default:
    module->words[at] = size << 16 | (uint32_t)random_bits(from) >> 16;
  }
}

/* Makes a count, width or length of a type large. */
static void set_type(generator *from, module *module) {
  static const uint32_t large[] = {0,          3,          17,        1024,       0xffff,
                                   0x00ffffff, 0x01000000, 0x7ffffff, 0x40000000, 0xffffffff};
  for (uint32_t tries = 0; tries < 200; tries++) {
    const size_t at = pick_instruction(from, module);
    const uint32_t opcode = module->words[at] & 0xffff;
    const uint32_t size = module->words[at] >> 16;
    /* OpTypeInt to OpTypeFunction, and OpConstant, which holds the length of an array. */
    if (((opcode < 21 || opcode > 33) && opcode != 43) || size < 3 || at + size > module->count)
      continue;
    module->words[at + 2 + random_below(from, size - 2)] = large[random_below(from, 10)];
    if (opcode == 43 && size > 4)
      module->words[at + 4] = random_chance(from, 50) ? 0x7fffffff : 1;
    return;
  }
}

static void move_words(module *module, size_t to, size_t from) {
  memmove(module->words + to, module->words + from,
          (module->count - from) * sizeof module->words[0]);
  module->count = module->count - from + to;
}

static void remove_instruction(generator *from, module *module) {
  const size_t at = pick_instruction(from, module);
  const size_t size = module->words[at] >> 16;
  if (at + size <= module->count)
    move_words(module, at, at + size);
}

static void repeat_instruction(generator *from, module *module) {
  const size_t at = pick_instruction(from, module);
  const size_t to = random_chance(from, 50) ? at : pick_instruction(from, module);
  const size_t size = module->words[at] >> 16;
  uint32_t copy[64];
  if (size > sizeof copy / sizeof copy[0] || at + size > module->count ||
      module->count + size > WORDS_MAX)
    return;
  memcpy(copy, module->words + at, size * sizeof copy[0]);
  move_words(module, to + size, to);
  memcpy(module->words + to, copy, size * sizeof copy[0]);
}

static void cut(generator *from, module *module) {
  module->count = 1 + random_below(from, (uint32_t)module->count - 1);
}

static void damage(const module *whole, uint64_t seed, uint32_t index, module *ret) {
  static void (*const ways[])(generator *, module *) = {
      flip_bit,           set_word,          set_id, set_id, set_head, set_type,
      remove_instruction, repeat_instruction};
  generator from = random_start(seed, index);
  memcpy(ret->words, whole->words, whole->count * sizeof whole->words[0]);
  ret->count = whole->count;
  const uint32_t times = 1 + random_below(&from, 3);
  for (uint32_t i = 0; i < times && ret->count > HEADER_WORDS + 1; i++)
    ways[random_below(&from, sizeof ways / sizeof ways[0])](&from, ret);
  if (random_chance(&from, 3))
    cut(&from, ret);
}

/* ---- Builds ---- */

/* Builds a module. Returns false, and prints why, if the outcome is neither PTX nor one message. */
static bool build(codegen *generators, const module *module, size_t words, tally *to) {
  const codegen_request request = {.module = module->words,
                                   .size = words * sizeof module->words[0],
                                   .gpu = "sm_80",
                                   .optimization = 1,
                                   .no_offset = true,
                                   .libdevice = ""};
  codegen_answer answer = {0};
  const char *message;
  const pi_result result = codegen_build(generators, &request, &answer);
  if (result == PI_SUCCESS) {
    const bool good = strlen(answer.ptx) == answer.size && strstr(answer.ptx, ".version") != NULL;
    free(answer.ptx);
    free(answer.log);
    to->built++;
    if (!good)
      printf("the answer is no PTX\n");
    return good;
  }
  plugin_error_last(&message);
  if (strstr(message, " and was stopped"))
    to->stopped++;
  else if (strncmp(message, "the code generator ", 19) == 0)
    to->ended++;
  else
    to->refused++;
  const bool known = result == PI_ERROR_BUILD_PROGRAM_FAILURE ||
                     result == PI_ERROR_OUT_OF_HOST_MEMORY || result == PI_ERROR_INVALID_VALUE;
  if (known && strlen(message) > 10 && !strchr(message, '\n'))
    return true;
  printf("result %d is no error with one message: %s\n", (int)result, message);
  return false;
}

/* ---- Leftovers ---- */

static unsigned count_entries(const char *path) {
  unsigned count = 0;
  DIR *directory = opendir(path);
  if (!directory)
    die("cannot be read", path);
  for (const struct dirent *entry; (entry = readdir(directory));)
    count += entry->d_name[0] != '.';
  closedir(directory);
  return count;
}

/* Counts the files in /tmp whose names look like those of the generator. */
static unsigned count_ours(void) {
  unsigned count = 0;
  DIR *directory = opendir("/tmp");
  for (const struct dirent *entry; directory && (entry = readdir(directory));)
    count += strstr(entry->d_name, "spirv") != NULL || strstr(entry->d_name, "codegen") != NULL;
  if (directory)
    closedir(directory);
  return count;
}

/*
 * Returns whether all processes, descriptors and files are gone, and no process used more memory
 * than MEMORY_MAX_KB.
 */
static bool check_leftovers(unsigned descriptors, unsigned files) {
  struct rusage usage;
  bool good = true;
  if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD) {
    printf("a process is left\n");
    good = false;
  }
  if (count_entries("/proc/self/fd") != descriptors) {
    printf("there are %u descriptors, %u before\n", count_entries("/proc/self/fd"), descriptors);
    good = false;
  }
  if (count_ours() > files) {
    printf("files are left in /tmp\n");
    good = false;
  }
  getrusage(RUSAGE_CHILDREN, &usage);
  printf("the largest process had %ld MB\n", usage.ru_maxrss >> 10);
  if (usage.ru_maxrss > MEMORY_MAX_KB) {
    printf("that is too much\n");
    good = false;
  }
  return good;
}

/* ---- Runs ---- */

static bool run_random(codegen *generators, const options *with, const module *whole,
                       const char *name, tally *to) {
  static module copy;
  const time_t end = time(NULL) + with->seconds;
  for (uint32_t i = with->first;
       with->seconds != 0 ? time(NULL) < end : i < with->first + with->count; i++) {
    damage(whole, with->seed, i, &copy);
    if (build(generators, &copy, copy.count, to))
      continue;
    printf("%s: again: --seed %" PRIu64 " --first %u --count 1, --write FILE keeps it\n", name,
           with->seed, i);
    return false;
  }
  return true;
}

/* Builds a module cut at about `count` places, or, for count 0, at every word. */
static bool run_cut(codegen *generators, const module *whole, const char *name, size_t count,
                    tally *to) {
  const size_t step = count == 0 || whole->count < count ? 1 : whole->count / count;
  for (size_t words = 0; words < whole->count; words += step)
    if (!build(generators, whole, words, to)) {
      printf("%s, cut at word %zu\n", name, words);
      return false;
    }
  return true;
}

static void write_copy(const options *with, const module *whole) {
  static module copy;
  damage(whole, with->seed, with->first, &copy);
  FILE *file = fopen(with->write, "wb");
  if (!file || fwrite(copy.words, sizeof copy.words[0], copy.count, file) != copy.count ||
      fclose(file) != 0)
    die("cannot be written", with->write);
}

static bool run_all(const options *with, const char *program, char **paths, int count) {
  static module whole;
  tally sum = {0};
  bool good = true;
  const unsigned descriptors = count_entries("/proc/self/fd");
  const unsigned files = count_ours();
  codegen *generators;
  if (codegen_create(program, LIMIT_MS, &generators) != PI_SUCCESS)
    die("no memory", program);
  for (int i = 0; i < count && good; i++) {
    read_module(paths[i], &whole);
    good = run_random(generators, with, &whole, paths[i], &sum);
    if (good && with->seconds == 0 && with->first == 0)
      good = run_cut(generators, &whole, paths[i], i == 0 ? 0 : with->count, &sum);
  }
  codegen_free(generators);
  good = check_leftovers(descriptors, files) && good;
  printf("%u built, %u refused, %u ended by themselves, %u stopped\n", sum.built, sum.refused,
         sum.ended, sum.stopped);
  /* If nothing was refused, the run damaged nothing. */
  return good && sum.refused + sum.ended + sum.stopped > 0;
}

int main(int argc, char **argv) {
  static const struct option known[] = {
      {"seed", required_argument, NULL, 's'},  {"first", required_argument, NULL, 'f'},
      {"count", required_argument, NULL, 'c'}, {"seconds", required_argument, NULL, 't'},
      {"write", required_argument, NULL, 'w'}, {0}};
  options with = {.seed = 1, .count = 100};
  for (int letter; (letter = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    const uint64_t number = optarg ? strtoull(optarg, NULL, 0) : 0;
    if (letter == 's')
      with.seed = number;
    else if (letter == 'f')
      with.first = (uint32_t)number;
    else if (letter == 'c')
      with.count = (uint32_t)number;
    else if (letter == 't')
      with.seconds = (uint32_t)number;
    else if (letter == 'w')
      with.write = optarg;
    else
      die("wrong arguments", usage);
  }
  if (argc - optind < 2)
    die("wrong arguments", usage);
  if (with.write) {
    static module whole;
    read_module(argv[optind + 1], &whole);
    write_copy(&with, &whole);
    return 0;
  }
  printf("seed %" PRIu64 "\n", with.seed);
  return !run_all(&with, argv[optind], argv + optind + 1, argc - optind - 1);
}

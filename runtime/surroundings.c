#define _POSIX_C_SOURCE 200809L /* getline */
#include "surroundings.h"

#include "../plugins/base/os.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/*
 * X(prefix): prefixes of environment variables that change the code that drivers' compilers make.
 */
#define COMPILER_VARIABLES(X)                                                                      \
  X("CL_CONFIG_") /* Intel's OpenCL runtime for CPUs */                                            \
  X("CUDA_FORCE_")                                                                                 \
  X("IGC_") /* Intel's compiler for GPUs */                                                        \
  X("NEO")  /* Intel's driver for GPUs */                                                          \
  X("POCL_")

static cache_hash hash;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool is_of_compilers(const char *variable) {
#define COMPILER_VARIABLE(prefix) || strncmp(variable, prefix, sizeof prefix - 1) == 0
  return false COMPILER_VARIABLES(COMPILER_VARIABLE);
#undef COMPILER_VARIABLE
}

/*
 * Adds a text's hash to the sum. A sum does not depend on the order, and shells pass variables in
 * any order.
 */
static void add_text(const char *text) {
  const cache_hash one = cache_hash_make(text, strlen(text));
  hash.low += one.low;
  hash.high += one.high;
}

/* Adds the features of the first processor, which stand for those of all. */
static void add_processor(void) {
  FILE *list = fopen("/proc/cpuinfo", "re");
  char *line = NULL;
  size_t size = 0;
  while (list && getline(&line, &size, list) > 0)
    if (strncmp(line, "flags", 5) == 0 || strncmp(line, "Features", 8) == 0) {
      add_text(line);
      break;
    }
  free(line);
  if (list)
    fclose(list);
}

static void make_hash(void) {
  /* If this is set, Intel's driver for GPUs reads variables of any name. */
  const bool is_all = os_environment_safe("NEOReadDebugKeys") != NULL;
  for (char **variable = environ; variable && *variable; variable++)
    if (is_all || is_of_compilers(*variable))
      add_text(*variable);
  add_processor();
}

cache_hash surroundings_hash(void) {
  pthread_once(&once, make_hash);
  return hash;
}

#define _POSIX_C_SOURCE 200809L /* getline */
#include "surroundings.h"

#include "../plugins/base/os.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/* X(prefix): how the names begin of the variables that change what compilers of drivers make. */
#define COMPILER_VARIABLES(X)                                                                      \
  X("CL_CONFIG_") /* Intel's OpenCL runtime for CPUs */                                            \
  X("CUDA_FORCE_")                                                                                 \
  X("IGC_") /* Intel's compiler for GPUs */                                                        \
  X("NEO")  /* and its driver */                                                                   \
  X("POCL_")

static cache_hash hash;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool is_of_compilers(const char *variable) {
#define COMPILER_VARIABLE(prefix) || strncmp(variable, prefix, sizeof prefix - 1) == 0
  return false COMPILER_VARIABLES(COMPILER_VARIABLE);
#undef COMPILER_VARIABLE
}

/* A sum, because shells pass variables on in any order. */
static void add_text(const char *text) {
  const cache_hash one = cache_hash_make(text, strlen(text));
  hash.low += one.low;
  hash.high += one.high;
}

/* The first processor's line stands for all. */
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
  /* With this one set Intel's driver for GPUs reads keys of any name. */
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

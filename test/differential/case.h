/* A case: a module of random kernels, random values of its constants, and the kernels' results. */
#ifndef DIFFERENTIAL_CASE_H
#define DIFFERENTIAL_CASE_H

#include "kernel.h"

#include "../property/device.h"

#include <stdbool.h>

enum { KERNELS = 2, ALL_KERNELS = KERNELS };

typedef struct test_case {
  uint64_t seed;
  uint32_t index;
  uint32_t only; /* the only kernel in the module, or ALL_KERNELS */
  kernel kernels[KERNELS];
  device_value values[CONSTANTS];
  int32_t numbers[CONSTANTS]; /* the numbers that values point to */
  size_t value_count;         /* 0 to use the defaults */
} test_case;

/* The output of a case's kernels: each work-item's numbers, and the counters. */
typedef struct results {
  struct {
    uint64_t items[ITEMS][COLUMNS];
    uint32_t counters[COUNTERS];
  } kernels[KERNELS];
} results;

typedef struct tools {
  const char *clang, *opt, *llvm_spirv, *prelude;
} tools;

void case_make(uint64_t seed, uint32_t index, test_case *ret);

/* Returns the module's source, until memory_free_all. */
const char *case_write(test_case *of);

/* Returns the SPIR-V module, or NULL with a message in *why if it cannot be compiled. */
const void *case_compile(test_case *of, const tools *with, size_t *size, const char **why);

/* Runs a module on the current device. Returns false on failure, with a message in *why. */
bool case_run(const test_case *of, const void *module, size_t size, results *ret, const char **why);

/* Returns NULL if the results are equal, otherwise a message about the first difference, in
 * *kernel. */
const char *case_compare(const test_case *of, const results *wanted, const results *found,
                         uint32_t *kernel);

/*
 * Leaves out every part of a kernel that the case does not need to fail, one or many at a time.
 * fails() returns whether the case fails.
 */
void case_shrink(test_case *test, bool (*fails)(test_case *, const void *), const void *data);

#endif

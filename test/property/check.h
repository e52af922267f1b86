/* Lowers cases in each mode, runs them, and compares the values in their kernels. */
#ifndef PROPERTY_CHECK_H
#define PROPERTY_CHECK_H

#include "case.h"

/* X(name): the programs, whose paths come from CMake. Without ptxas its path is empty. */
#define PROPERTY_TOOLS(X)                                                                          \
  X(clang)                                                                                         \
  X(llvm_spirv)                                                                                    \
  X(spirv_val)                                                                                     \
  X(ptxas)

typedef struct tools {
#define PROPERTY_TOOL(name) const char *name;
  PROPERTY_TOOLS(PROPERTY_TOOL)
#undef PROPERTY_TOOL
} tools;

/* Counts of the checks, so that a run which checks nothing can fail. */
typedef struct check_counts {
  uint64_t constants, leaves, holes, programs, places;
} check_counts;

/* Returns a case as LLVM bitcode or assembly; NULL on failure. */
const char *case_module(const test_case *of, const tools *with, size_t *size);

/* Checks a case in all modes. Returns false after the first failure, with check_error's message. */
bool case_check(const test_case *of, const tools *with, const char *module, size_t size,
                check_counts *counts);
const char *check_error(void);

/* Returns the lowered module of the latest failure as LLVM assembly, or NULL. */
const char *check_lowered(void);

#endif

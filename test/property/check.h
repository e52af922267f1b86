/* Lowers a case in a mode, runs it, and compares what its kernels read. */
#ifndef PROPERTY_CHECK_H
#define PROPERTY_CHECK_H

#include "case.h"

/* X(name): the programs, whose paths CMake gives; that of ptxas is empty where there is none. */
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

/* Counts of the checks, so that a run which checks nothing is seen. */
typedef struct check_counts {
  uint64_t constants, leaves, holes, programs, places;
} check_counts;

/* Makes LLVM bitcode or assembly of a case. NULL on failure. */
const char *case_module(const test_case *of, const tools *with, size_t *size);

/* All modes; false after the first failure, which check_error has. */
bool case_check(const test_case *of, const tools *with, const char *module, size_t size,
                check_counts *counts);
const char *check_error(void);

/* The module as the compiler left it at a failure, as LLVM assembly, or NULL. */
const char *check_lowered(void);

#endif

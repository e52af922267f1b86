/*
 * The parts that the tests of finding a driver share. dlopen and dlsym are the test's, dlerror is
 * here: each case is a process of its own, with a driver as it wants it.
 */
#ifndef SPECPI_TEST_UNIT_DRIVER_CASES_H
#define SPECPI_TEST_UNIT_DRIVER_CASES_H

#include "check.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>

/* The driver's library of a case. */
extern bool has_library;
extern const char *missing;   /* a symbol that it lacks */
extern atomic_int open_count; /* how often it was opened */

/* The process of the case: others are children of its own. */
extern pid_t case_process;

/* A function of which only the address counts. */
void other_function(void);

/* C has no conversion between object and function pointers; copying the bytes is POSIX's way. */
#define AS_OBJECT(ret, function)                                                                   \
  do {                                                                                             \
    void (*as_object_function)(void) = (void (*)(void))(function);                                 \
    memcpy((ret), &as_object_function, sizeof as_object_function);                                 \
  } while (0)

/* piPlatformsGet finds nothing, and tells a note of this code and text. */
void expect_no_platform(int code, const char *note);
/* driver_load finds nothing, for this reason, which piPlatformsGet tells, too. */
void expect_no_driver(int code, const char *reason);

/* Cases of any plugin. A runtime of another version: the driver is left alone. */
void refused_runtime(void **state);
/* The table is filled. */
void known_runtime(void **state);
/* Eight at a time, for which the library is opened once. */
void threads(void **state);

/* Runs a case. */
void run_case(CMUnitTestFunction of_case);

/* X(CASE): a test for each, which runs it. */
#define CASE_TEST_FUNCTION(name)                                                                   \
  static void in_process_##name(void **state) {                                                    \
    (void)state;                                                                                   \
    run_case(name);                                                                                \
  }
#define CASE_TEST(name) cmocka_unit_test(in_process_##name),

#endif

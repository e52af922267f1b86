/*
 * Shared parts of the tests of finding a driver. Each case runs in a child process, with a fake
 * driver: the test defines dlopen and dlsym, this part defines dlerror.
 */
#ifndef SPECPI_TEST_UNIT_DRIVER_CASES_H
#define SPECPI_TEST_UNIT_DRIVER_CASES_H

#include "check.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>

/* True if the case has a driver library. */
extern bool has_library;
extern const char *missing;   /* a symbol that the library lacks */
extern atomic_int open_count; /* number of times the library was opened */

/* The process of the case, which may have child processes. */
extern pid_t case_process;

/* Stands for driver functions that no test calls. */
void other_function(void);

/* Copies a function pointer to an object pointer, which C cannot convert. */
#define AS_OBJECT(ret, function)                                                                   \
  do {                                                                                             \
    void (*as_object_function)(void) = (void (*)(void))(function);                                 \
    memcpy((ret), &as_object_function, sizeof as_object_function);                                 \
  } while (0)

/* Asserts that piPlatformsGet finds nothing and leaves a note with this code and text. */
void expect_no_platform(int code, const char *note);
/* Asserts that driver_load and piPlatformsGet find nothing, for this reason. */
void expect_no_driver(int code, const char *reason);

/* Cases for any plugin. For a runtime of another version the plugin does not open the library. */
void another_runtime_opens_no_library(void **state);
/* For a runtime of the plugin's version the plugin fills the table. */
void a_known_runtime_fills_the_table(void **state);
/* Eight threads load the driver at once; the library is opened once. */
void threads_open_the_library_once(void **state);

/* Runs a case in a child process. */
void run_case(CMUnitTestFunction of_case);

/* Defines a test that runs the case in a child process. */
#define CASE_TEST(name)                                                                            \
  TEST(name##_in_a_process) { run_case(name); }

/* CASE(name) { ... }: defines a case and its test. */
#define CASE(name)                                                                                 \
  static void name(void **state);                                                                  \
  CASE_TEST(name)                                                                                  \
  static void name(__attribute__((unused)) void **state)

#endif

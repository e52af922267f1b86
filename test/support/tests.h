/* cmocka, and a program's list of tests, which TEST fills in. */
#ifndef SPECPI_TEST_TESTS_H
#define SPECPI_TEST_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/types.h>

/*
 * TEST(name) { ... }: defines a test and adds it to the program's list, which has the order of the
 * program's files, and within a file from top to bottom. Its parameter is cmocka's `void **state`.
 */
#define TEST(name) TEST_WITH(name, NULL, NULL)

/* Does the same for a test with its own setup and teardown. */
#define TEST_WITH(name, setup, teardown)                                                           \
  static void name(void **state);                                                                  \
  __attribute__((constructor)) static void add_##name(void) {                                      \
    tests_add((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, setup, teardown));          \
  }                                                                                                \
  static void name(__attribute__((unused)) void **state)

/* Appends a test to the list; before main only. */
void tests_add(struct CMUnitTest test);

/*
 * Runs the listed tests, between the setup and the teardown of them all, which may be NULL. Returns
 * the exit status of main. A program without a main gets one that calls tests_run(NULL, NULL).
 */
int tests_run(CMFixtureFunction setup, CMFixtureFunction teardown);

/* Does the same and prints this name, for a program that runs its tests more than once. */
int tests_run_named(const char *group, CMFixtureFunction setup, CMFixtureFunction teardown);

/* Forks; a failure fails the test. */
pid_t tests_fork(void);

/* Waits for a child process. Returns its exit status, or -1 if a signal ended it. */
int tests_status(pid_t child);

/* Waits for a child process, which has to exit with 0. */
void tests_join(pid_t child);

#endif

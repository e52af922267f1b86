#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 256 };

static struct CMUnitTest tests[MOST];
static size_t test_count;

void tests_add(struct CMUnitTest test) {
  if (test_count == MOST)
    abort();
  tests[test_count++] = test;
}

int tests_run(CMFixtureFunction setup, CMFixtureFunction teardown) {
  return tests_run_named("tests", setup, teardown);
}

int tests_run_named(const char *group, CMFixtureFunction setup, CMFixtureFunction teardown) {
  if (test_count == 0) { /* cmocka would call this a success */
    fputs("no test is listed\n", stderr);
    return 1;
  }
  return _cmocka_run_group_tests(group, tests, test_count, setup, teardown);
}

pid_t tests_fork(void) {
  const pid_t child = fork();
  assert_true(child >= 0);
  return child;
}

int tests_status(pid_t child) {
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void tests_join(pid_t child) {
  assert_int_equal(tests_status(child), 0);
}

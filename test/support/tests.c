#include "tests.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Writes a run's outcomes as JUnit XML, for build servers. */
#ifndef CONFORMANCE_JUNIT_H
#define CONFORMANCE_JUNIT_H

#include "harness.h"

/* A report being written; only one thread may use it. */
typedef struct junit_report junit_report;

/* Opens the file, so that a wrong path is reported before the tests run. Returns NULL with errno.
 */
junit_report *junit_open(const char *path);

/*
 * Adds a test with its time. words: the end of the test's line on stdout; output: the text that the
 * test printed, for a failure. Characters that XML does not allow become question marks.
 */
void junit_add(junit_report *report, const char *name, test_outcome outcome, double seconds,
               const char *words, const char *output);

/* Writes the file, with the plugin's name and the totals, and frees the report; false with errno.
 */
bool junit_close(junit_report *report, const char *plugin, const run_totals *totals);

#endif

/* The outcomes of a run as JUnit's XML, which build servers show. */
#ifndef CONFORMANCE_JUNIT_H
#define CONFORMANCE_JUNIT_H

#include "harness.h"

/* A report in the making; one thread's. */
typedef struct junit_report junit_report;

/* Opens the file, so that a wrong path is known before the tests run. NULL with errno. */
junit_report *junit_open(const char *path);

/*
 * A test with its time. words: what its line says of it; output: what it printed, for a failure.
 * Bytes that XML cannot have become question marks.
 */
void junit_add(junit_report *report, const char *name, test_outcome outcome, double seconds,
               const char *words, const char *output);

/* Writes the file, with the plugin's name and the totals, and frees the report; false with errno.
 */
bool junit_close(junit_report *report, const char *plugin, const run_totals *totals);

#endif

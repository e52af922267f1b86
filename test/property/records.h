/* Compares the records of an output with the case. */
#ifndef PROPERTY_RECORDS_H
#define PROPERTY_RECORDS_H

#include "check.h"

/* Returns the constant of a name. Ends the program if the case has none. */
const constant *records_find(const test_case *of, const char *name);

/*
 * Returns whether every constant has the expected leaves, ids and defaults in its record, and the
 * sums of sizes and gaps are right.
 */
bool records_check(const test_case *of, specpi_compiler_output output, specpi_compiler_mode mode,
                   check_counts *counts);

/* Keeps a message for check_error; returns false. */
bool check_fail(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

#endif

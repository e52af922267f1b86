/* The records of an output, compared with what the case says. */
#ifndef PROPERTY_RECORDS_H
#define PROPERTY_RECORDS_H

#include "check.h"

/* The constant of a name. Ends the program when the case has none. */
const constant *records_find(const test_case *of, const char *name);

/*
 * Returns whether every constant is recorded with the leaves, ids and defaults that it must have,
 * and a runtime that adds sizes and gaps up comes out right.
 */
bool records_check(const test_case *of, specpi_compiler_output output, specpi_compiler_mode mode,
                   check_counts *counts);

/* Keeps a message for check_error; false. */
bool check_fail(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

#endif

/* Builds that fail, and what the compiler said. */
#ifndef SPECPI_BUILD_LOG_H
#define SPECPI_BUILD_LOG_H

#include "driver_error.h"

/*
 * The error for a failed call that compiled, built or linked: SPECPI_ERROR_BUILD_FAILED if the code
 * or the options were at fault, else as driver_error. program, which may be NULL, has the log: the
 * message quotes its start, and specpiGetBuildLog has all. To be called by the thread that made the
 * call, before its next one. options may be NULL.
 */
specpi_result build_failed(specpi_device device, pi_result result, const char *call,
                           pi_program program, const char *options) __attribute__((cold));

/* The log of a program, in new memory; NULL when there is none, no program, or no memory. */
char *build_log_read(specpi_device device, pi_program program);

/* Makes text, which is malloc's and may be NULL, what specpiGetBuildLog gives this thread. */
void build_log_keep(char *text);

#endif

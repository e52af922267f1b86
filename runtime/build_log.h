/* Errors of failed builds, and the compilers' output. */
#ifndef SPECPI_BUILD_LOG_H
#define SPECPI_BUILD_LOG_H

#include "driver_error.h"

/*
 * The error for a failed call that compiled, built or linked: SPECPI_ERROR_BUILD_FAILED if the code
 * or the options were at fault, else as driver_error. program, which may be NULL, has the log: the
 * message quotes its start, and specpiGetBuildLog returns all of it. Must be called by the thread
 * that made the failed call, before its next call. options may be NULL.
 */
specpi_result build_failed(specpi_device device, pi_result result, const char *call,
                           pi_program program, const char *options) __attribute__((cold));

/* The log of a program, in new memory; NULL when there is none, no program, or no memory. */
char *build_log_read(specpi_device device, pi_program program);

/* Sets the text that specpiGetBuildLog returns in this thread. Takes over text, which comes from
 * malloc or is NULL. */
void build_log_keep(char *text);

#endif

/*
 * Child processes that a benchmark measures in turns. A client waits for orders, one per line on
 * its standard input, and answers each with a line on its standard output. orders.h is the client's
 * side.
 */
#ifndef SPECPI_BENCH_CLIENT_H
#define SPECPI_BENCH_CLIENT_H

#include "measure.h"

#include <jansson.h>
#include <stdio.h>
#include <sys/types.h>

/* A running client. */
typedef struct bench_client {
  const char *who; /* for messages */
  pid_t process;
  FILE *orders, *answers;
  char device[256];
  char plugin[4096]; /* path of the plugin that the client has loaded */
} bench_client;

/*
 * Starts a NULL-terminated command, and waits until it reports that it is ready. The client does
 * not inherit the pipes of other clients. An error ends the program, as in all of these functions.
 * The caller must ignore SIGPIPE; if a client has ended, its missing answer is the error.
 */
bench_client bench_client_start(const char *who, char *const *command);

/* Ends a client, whose exit status has to be 0. */
void bench_client_stop(bench_client *of);

/* Ends the program unless the client's plugin is this file or a copy, as specpi run may load. */
void bench_client_check_plugin(const bench_client *of, const char *expected);

/* Nanoseconds per launch: elapsed time, and processor time of the launching thread. */
typedef struct bench_client_times {
  bench_series passed, thread;
} bench_client_times;

/* Makes the client do count launches. Adds the times per launch to *to, unless to is NULL. */
void bench_client_measure(bench_client *on, const char *order, int count, bench_client_times *to);

/* Returns the summaries of both series. */
json_t *bench_client_times_json(const bench_client_times *of);

#endif

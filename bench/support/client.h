/*
 * Programs that a bench runs beside itself, in turns: each waits for orders, one per line on its
 * standard input, and answers each with a line on its standard output (support/orders.h is their
 * side of it).
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
  char plugin[4096]; /* the file that is mapped in the client */
} bench_client;

/*
 * Starts command, whose last member is NULL, and waits until it says that it is ready. Pipes that
 * the bench has open are not the client's, so that clients do not hold each other's. As with all
 * of these functions, an error ends the program. The caller ignores SIGPIPE: a client that ended
 * shows by the answer that is missing.
 */
bench_client bench_client_start(const char *who, char *const *command);

/* Ends a client, whose exit status has to be 0. */
void bench_client_stop(bench_client *of);

/* Returns whether the client's plugin has the bytes of a file; specpi run gives clients a copy. */
void bench_client_check_plugin(const bench_client *of, const char *expected);

/* Nanoseconds per launch: what passed, and what the launching thread took of a processor. */
typedef struct bench_client_times {
  bench_series passed, thread;
} bench_client_times;

/* Has the client do count launches, and adds the times of one to times, unless that is NULL. */
void bench_client_measure(bench_client *on, const char *order, int count, bench_client_times *to);

/* The summaries of both. */
json_t *bench_client_times_json(const bench_client_times *of);

#endif

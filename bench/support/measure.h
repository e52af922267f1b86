/*
 * Times and what is said about them. A bench measures its variants in turns within one
 * process run, many rounds of them, so that whatever else the machine does hits all of them;
 * ratios and differences are taken within a round, and reported as median, minimum, maximum.
 */
#ifndef SPECPI_BENCH_MEASURE_H
#define SPECPI_BENCH_MEASURE_H

#include <stddef.h>

/* Nanoseconds of a clock that only goes forward. */
double bench_now(void);

/* Nanoseconds that the calling thread has spent on a processor. */
double bench_thread_time(void);

enum { BENCH_ROUNDS_MAX = 1024 };

/* One number per round. Starts as {0}. */
typedef struct bench_series {
  size_t count;
  double values[BENCH_ROUNDS_MAX];
} bench_series;

typedef struct bench_summary {
  double median, min, max;
  double low, high; /* between which the true median lies, with a confidence of about 95% */
} bench_summary;

/* Ends the program when there are already BENCH_ROUNDS_MAX numbers. */
void bench_add(bench_series *series, double value);

/* All are 0 for an empty series. */
bench_summary bench_summarize(const bench_series *series);

/* The summary of a[i] / b[i], and of a[i] - b[i]; the two have as many rounds. */
bench_summary bench_ratio(const bench_series *a, const bench_series *b);
bench_summary bench_difference(const bench_series *a, const bench_series *b);

#endif

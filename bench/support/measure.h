/*
 * Times and their summaries. A benchmark measures its variants in turns within one process, for
 * many rounds, so that other load on the machine affects all variants alike. Ratios and differences
 * are computed within a round, and reported as median, minimum and maximum.
 */
#ifndef SPECPI_BENCH_MEASURE_H
#define SPECPI_BENCH_MEASURE_H

#include <stddef.h>

/* Returns the nanoseconds of a monotonic clock. */
double bench_now(void);

/* Returns the processor time of the calling thread, in nanoseconds. */
double bench_thread_time(void);

enum { BENCH_ROUNDS_MAX = 1024 };

/* One number per round. Initialize it with {0}. */
typedef struct bench_series {
  size_t count;
  double values[BENCH_ROUNDS_MAX];
} bench_series;

typedef struct bench_summary {
  double median, min, max;
  double low, high; /* interval of the true median, with a confidence of about 95% */
} bench_summary;

/* Adds a number. Ends the program if there are already BENCH_ROUNDS_MAX. */
void bench_add(bench_series *series, double value);

/* Returns the summary of a series; all 0 for an empty one. */
bench_summary bench_summarize(const bench_series *series);

/* Return the summary of a[i] / b[i] and of a[i] - b[i]. Both series must have equal length. */
bench_summary bench_ratio(const bench_series *a, const bench_series *b);
bench_summary bench_difference(const bench_series *a, const bench_series *b);

#endif

#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "measure.h"

#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

double bench_now(void) {
  return read_clock(CLOCK_MONOTONIC);
}

double bench_thread_time(void) {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void bench_add(bench_series *series, double value) {
  if (series->count == BENCH_ROUNDS_MAX)
    bench_die("more than %d rounds", BENCH_ROUNDS_MAX);
  series->values[series->count++] = value;
}

static int compare_times(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/*
 * Returns how many of count sorted numbers are below the median's confidence interval; the same
 * number is above. Each number is below the true median with a probability of 1/2.
 */
static size_t count_outside(size_t count) {
  const double outside = ((double)count - 1.96 * sqrt((double)count)) / 2;
  return outside > 1 ? (size_t)outside - 1 : 0;
}

bench_summary bench_summarize(const bench_series *series) {
  const size_t count = series->count;
  if (count == 0)
    return (bench_summary){0};
  double sorted[BENCH_ROUNDS_MAX];
  memcpy(sorted, series->values, count * sizeof sorted[0]);
  qsort(sorted, count, sizeof sorted[0], compare_times);
  return (bench_summary){
      .median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0,
      .min = sorted[0],
      .max = sorted[count - 1],
      .low = sorted[count_outside(count)],
      .high = sorted[count - 1 - count_outside(count)],
  };
}

bench_summary bench_ratio(const bench_series *a, const bench_series *b) {
  bench_series ratios = {0};
  for (size_t i = 0; i < a->count; i++)
    bench_add(&ratios, a->values[i] / b->values[i]);
  return bench_summarize(&ratios);
}

bench_summary bench_difference(const bench_series *a, const bench_series *b) {
  bench_series differences = {0};
  for (size_t i = 0; i < a->count; i++)
    bench_add(&differences, a->values[i] - b->values[i]);
  return bench_summarize(&differences);
}

/* bench.measure: checks the median's confidence interval against the binomial distribution. */
#include "support/measure.h"
#include "support/report.h"

#include <math.h>
#include <stdio.h>

/* Returns the probability that of count numbers no more than most are below their true median. */
static double probability_of(size_t most, size_t count) {
  double sum = 0;
  for (size_t i = 0; i <= most; i++)
    sum += exp(lgamma((double)count + 1) - lgamma((double)i + 1) - lgamma((double)(count - i) + 1) -
               (double)count * log(2));
  return sum;
}

int main(void) {
  for (size_t count = 1; count <= 1001; count++) {
    bench_series series = {0};
    for (size_t i = 0; i < count; i++)
      bench_add(&series, (double)(count - i));
    const bench_summary of = bench_summarize(&series);
    const size_t below = (size_t)of.low - 1;
    if (of.low + of.high != (double)count + 1 || of.low > of.median)
      bench_die("of %zu numbers: %g to %g", count, of.low, of.high);
    const double outside = 2 * probability_of(below, count);
    /* For up to 5 numbers there is no such interval: all 5 are on one side in 1 of 16 cases. */
    if (count > 5 && (outside > 0.06 || (count > 50 && outside < 0.015)))
      bench_die("of %zu numbers %zu are below, which has a probability of %g", count, below,
                outside);
  }
  puts("intervals of 1 to 1001 numbers: as they should be");
  return 0;
}

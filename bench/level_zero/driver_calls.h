/* Counts the calls of the fake driver. */
#ifndef SPECPI_BENCH_LEVEL_ZERO_DRIVER_CALLS_H
#define SPECPI_BENCH_LEVEL_ZERO_DRIVER_CALLS_H

/* Returns the number of calls so far; 0 with another driver. */
unsigned long driver_calls(void);

#endif

/*
 * Launches of something of ours beside the driver's calls that a launch has to make,
 * cuLaunchKernel, and cuEventRecord where an event is wanted. A round is a burst that the GPU's
 * queue has space for, so that the time is the caller's, and a wait after it.
 */
#ifndef SPECPI_BENCH_CUDA_LAUNCH_H
#define SPECPI_BENCH_CUDA_LAUNCH_H

#include "driver.h"

#include "../support/report.h"

/* A burst's launches; the arguments are a pointer to an int, and numbers that it grows by. */
enum { LAUNCH_BURST = 256, LAUNCH_ARGUMENT_COUNT = 5, LAUNCH_NUMBER = 1 };

/* X(name, text): the kernel's launches. */
#define LAUNCH_KINDS(X)                                                                            \
  X(PLAIN, "launch")                                                                               \
  X(EVENT, "launch with an event, released")                                                       \
  X(ARGUMENTS, "5 arguments set, launch")

typedef enum launch_kind {
#define KIND(name, text) LAUNCH_##name,
  LAUNCH_KINDS(KIND)
#undef KIND
      LAUNCH_KIND_COUNT
} launch_kind;

/* Nanoseconds of a launch of ours, the mean of a burst, after which it waits. */
typedef double launch_time_fn(const void *ours, launch_kind kind);

/*
 * Measures both sides in turns, prints the table, and gives the rows. The driver's kernel is that
 * of launch.ptx in the directory. count is what ours has counted to, asked for at the end; a kernel
 * that has not run as often as it was launched ends the program.
 */
typedef int launch_count_fn(const void *ours);
json_t *launch_compare(const char *side, const char *images, unsigned rounds, const void *ours,
                       launch_time_fn *time_ours, launch_count_fn *count);

#endif

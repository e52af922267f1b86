/*
 * Compares launches through the plugin or the adapter with the driver's calls that they need:
 * cuLaunchKernel, and cuEventRecord for an event. A round is a burst of launches and then a wait.
 * The GPU's queue has space for a whole burst, so that the caller's time includes no waiting.
 */
#ifndef SPECPI_BENCH_CUDA_LAUNCH_H
#define SPECPI_BENCH_CUDA_LAUNCH_H

#include "driver.h"

#include "../support/report.h"

/* The launches of a burst. The kernel's arguments are a counter and numbers to add to it. */
enum { LAUNCH_BURST = 256, LAUNCH_ARGUMENT_COUNT = 5, LAUNCH_NUMBER = 1 };

/* X(name, text): kinds of launches. */
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

/* Makes a burst and waits. Returns the caller's nanoseconds per launch, without the wait. */
typedef double launch_time_fn(const void *ours, launch_kind kind);

/*
 * Measures both sides in turns, prints the table and returns its rows. The driver's side launches
 * the kernel in launch.ptx in the directory images. count returns our kernel's counter at the end.
 * Ends the program if a counter shows that a kernel did not run once per launch.
 */
typedef int launch_count_fn(const void *ours);
json_t *launch_compare(const char *side, const char *images, unsigned rounds, const void *ours,
                       launch_time_fn *time_ours, launch_count_fn *count);

#endif

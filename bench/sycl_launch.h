/*
 * The SYCL part of bench-sycl, with include/sycl. It launches kernels that count their launches,
 * and exports one kernel for launches without SYCL. An error ends the program.
 */
#ifndef SPECPI_BENCH_SYCL_LAUNCH_H
#define SPECPI_BENCH_SYCL_LAUNCH_H

#include <specpi/specpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The kernel of "pointers", for launches without SYCL. bytes is its only argument's value. The
 * caller must not release kernel.
 */
typedef struct bench_sycl_kernel {
  specpi_device device;
  specpi_kernel kernel;
  const void *bytes;
  size_t size;
} bench_sycl_kernel;

/* Opens the first device of ONEAPI_DEVICE_SELECTOR, and builds the kernels. */
bench_sycl_kernel bench_sycl_open(void);
void bench_sycl_close(void);

/*
 * X(name, text): command groups. bench_sycl_launch_<name>(n) submits n of them without waiting.
 */
#define BENCH_SYCL_GROUPS(X)                                                                       \
  X(pointers, "single_task, 4 pointers")                                                           \
  X(accessors, "single_task, 4 accessors")                                                         \
  X(constants, "single_task, 4 constants set")

#define BENCH_SYCL_DECLARE(name, text) void bench_sycl_launch_##name(unsigned n);
BENCH_SYCL_GROUPS(BENCH_SYCL_DECLARE)
#undef BENCH_SYCL_DECLARE

/* Waits for all submitted command groups. */
void bench_sycl_wait(void);

/*
 * Returns the number of kernels that ran, including launches without SYCL. Call it after waiting
 * for all of them.
 */
unsigned long bench_sycl_count(void);

#ifdef __cplusplus
}
#endif

#endif

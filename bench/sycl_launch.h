/*
 * The side of bench-sycl that is a SYCL program over include/sycl: launches of kernels that count
 * themselves, and what a program has to know that launches one of them without SYCL. An error ends
 * the program.
 */
#ifndef SPECPI_BENCH_SYCL_LAUNCH_H
#define SPECPI_BENCH_SYCL_LAUNCH_H

#include <specpi/specpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernel of "pointers", for launches without SYCL: its argument are these bytes. The kernel's
 * reference stays here. */
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
 * X(name, text): a command group; bench_sycl_launch_<name>(n) submits n of them, and does not wait.
 * X-macro list.
 */
#define BENCH_SYCL_GROUPS(X)                                                                       \
  X(pointers, "single_task, 4 pointers")                                                           \
  X(accessors, "single_task, 4 accessors")                                                         \
  X(constants, "single_task, 4 constants set")

#define BENCH_SYCL_DECLARE(name, text) void bench_sycl_launch_##name(unsigned n);
BENCH_SYCL_GROUPS(BENCH_SYCL_DECLARE)
#undef BENCH_SYCL_DECLARE

/* Waits for all of them. */
void bench_sycl_wait(void);

/*
 * The number of kernels that ran, those that were launched without SYCL, too; after the wait for
 * all.
 */
unsigned long bench_sycl_count(void);

#ifdef __cplusplus
}
#endif

#endif

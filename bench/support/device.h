/*
 * The device that a benchmark measures, through libspecpi and our own plugin. Each of these
 * functions ends the program with the plugin's message on an error.
 */
#ifndef SPECPI_BENCH_DEVICE_H
#define SPECPI_BENCH_DEVICE_H

#include "report.h"

#include <specpi/specpi.h>

typedef struct bench_device {
  const pi_function_table *pi; /* the plugin's own table */
  const char *plugin;          /* the plugin's path */
  const char *name;
  const char *driver_version;
  specpi_device specpi; /* for calls of specpi.h */
  pi_device device;
  pi_context context;
  pi_queue queue; /* in order, no profiling */
} bench_device;

/* Opens the first device of ONEAPI_DEVICE_SELECTOR, or of "opencl:cpu" if that is not set. */
bench_device bench_device_open(void);
void bench_device_close(bench_device *device);

/* Prints two lines: the device with its driver, and the plugin. */
void bench_device_print(const bench_device *device);

/* Returns the same information for a JSON file. */
json_t *bench_device_json(const bench_device *device);

/* Ends the program unless result is PI_SUCCESS. call is the function's name. */
void bench_check(const pi_function_table *pi, pi_result result, const char *call);

/* Calls a function of the device's plugin: BENCH_PI(&device, piQueueFinish, device.queue). */
#define BENCH_PI(of, function, ...)                                                                \
  bench_check((of)->pi, (of)->pi->function(__VA_ARGS__), #function)

/* Creates a program from a SPIR-V module, without building it. */
pi_program bench_program(const bench_device *device, const unsigned char *begin,
                         const unsigned char *end);

/* Builds the program, creates the kernel, and releases the program. */
pi_kernel bench_kernel(const bench_device *device, pi_program program, const char *name);

/* Creates a buffer of size bytes with a copy of data, which may be NULL. */
pi_mem bench_buffer(const bench_device *device, size_t size, const void *data);

/* Waits for all enqueued commands, and reads a buffer. */
void bench_read(const bench_device *device, pi_mem buffer, size_t size, void *data);

/* Set a kernel's argument to a buffer or a 32-bit integer. */
void bench_set_buffer(const bench_device *device, pi_kernel kernel, pi_uint32 index, pi_mem buffer);
void bench_set_int(const bench_device *device, pi_kernel kernel, pi_uint32 index, int value);

/* Launches a kernel of a built program with one work-item. Returns the number that it writes. */
uint32_t bench_number(const bench_device *device, pi_program program, const char *name);

#endif

/*
 * The device that a bench measures, through libspecpi and so through our own plugin. A bench
 * has nothing to go on with after an error, so each function here ends the program on one,
 * with the plugin's message.
 */
#ifndef SPECPI_BENCH_DEVICE_H
#define SPECPI_BENCH_DEVICE_H

#include "report.h"

#include <specpi/specpi.h>

typedef struct bench_device {
  const pi_function_table *pi; /* the plugin's own table */
  const char *plugin;          /* its file */
  const char *name;
  const char *driver_version;
  specpi_device specpi; /* for calls of specpi.h */
  pi_device device;
  pi_context context;
  pi_queue queue; /* in order, no profiling */
} bench_device;

/* The first device of ONEAPI_DEVICE_SELECTOR, or of "opencl:cpu" when that is not set. */
bench_device bench_device_open(void);
void bench_device_close(bench_device *device);

/* Prints two lines: the device with its driver, and the plugin. */
void bench_device_print(const bench_device *device);

/* The same for a JSON file. */
json_t *bench_device_json(const bench_device *device);

/* Ends the program unless result is PI_SUCCESS; call says what was called. */
void bench_check(const pi_function_table *pi, pi_result result, const char *call);

/* Calls a function of the device's plugin: BENCH_PI(&device, piQueueFinish, device.queue). */
#define BENCH_PI(of, function, ...)                                                                \
  bench_check((of)->pi, (of)->pi->function(__VA_ARGS__), #function)

/* A program from a SPIR-V module, not built. */
pi_program bench_program(const bench_device *device, const unsigned char *begin,
                         const unsigned char *end);

/* Builds the program, makes the kernel, and gives the program up. */
pi_kernel bench_kernel(const bench_device *device, pi_program program, const char *name);

/* A buffer of size bytes with a copy of data, which may be NULL. */
pi_mem bench_buffer(const bench_device *device, size_t size, const void *data);

/* Waits for all that is enqueued and reads a buffer. */
void bench_read(const bench_device *device, pi_mem buffer, size_t size, void *data);

/* Argument index is a buffer, or a 32-bit integer. */
void bench_set_buffer(const bench_device *device, pi_kernel kernel, pi_uint32 index, pi_mem buffer);
void bench_set_int(const bench_device *device, pi_kernel kernel, pi_uint32 index, int value);

/* Launches one work-item of a built program's kernel, which writes a number to its only argument.
 */
uint32_t bench_number(const bench_device *device, pi_program program, const char *name);

#endif

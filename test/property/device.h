/* The devices on which kernels run, through libspecpi and so through our plugins. */
#ifndef PROPERTY_DEVICE_H
#define PROPERTY_DEVICE_H

#include <pi/pi.h>

#include <stdbool.h>
#include <stddef.h>

/*
 * Opens the first device of a selector, or of ONEAPI_DEVICE_SELECTOR without one; it is the one
 * that all functions below are about. False when there is none; ends the program when it cannot be
 * used.
 */
bool device_open(const char *selector);
/* Makes a device the one again, by its number in the order of device_open. */
void device_choose(unsigned number);
/* Closes all. */
void device_close(void);
const char *device_name(void);

/* The latest failure of the functions below. */
const char *device_error(void);

/* A value of a constant for the program to be. */
typedef struct device_value {
  pi_uint32 id;
  size_t size;
  const void *value;
} device_value;

/* Makes a program of SPIR-V, sets constants, and builds it. The caller releases it. */
bool device_build(const void *spirv, size_t size, const device_value *values, size_t count,
                  pi_program *ret);
void device_release(pi_program program);

/* A buffer with a copy of size bytes, and one byte when size is 0. The caller releases it. */
bool device_buffer(const void *data, size_t size, pi_mem *ret);
bool device_read(pi_mem buffer, size_t size, void *data);
void device_release_buffer(pi_mem buffer);

enum { ARGUMENTS_MAX = 8 };

/* The arguments of a kernel: a buffer, or the number 7 where there is none. */
typedef struct device_arguments {
  pi_uint32 count;
  pi_mem items[ARGUMENTS_MAX];
  size_t global, local; /* how many work-items; one when global is 0 */
} device_arguments;

/* Runs a kernel to its end. */
bool device_launch(pi_program program, const char *kernel, const device_arguments *arguments);

#endif

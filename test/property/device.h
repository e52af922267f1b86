/* Devices for the kernels of a test, through libspecpi and this project's plugins. */
#ifndef PROPERTY_DEVICE_H
#define PROPERTY_DEVICE_H

#include <pi/pi.h>

#include <stdbool.h>
#include <stddef.h>

/*
 * Opens the first device of a selector, or of ONEAPI_DEVICE_SELECTOR if it is NULL, and makes it
 * the current device, which all functions below use. Returns false if there is none. Ends the
 * program if the device cannot be used.
 */
bool device_open(const char *selector);
/* Makes an opened device the current one; number counts the calls of device_open from 0. */
void device_choose(unsigned number);
/* Closes all devices. */
void device_close(void);
const char *device_name(void);

/* Returns the message of the latest failure of the functions below. */
const char *device_error(void);

/* A value of a constant for device_build. */
typedef struct device_value {
  pi_uint32 id;
  size_t size;
  const void *value;
} device_value;

/* Makes a program of SPIR-V, sets constants, and builds it. The caller releases it. */
bool device_build(const void *spirv, size_t size, const device_value *values, size_t count,
                  pi_program *ret);
void device_release(pi_program program);

/* Creates a buffer with a copy of size bytes, or of one byte if size is 0. The caller releases
 * it. */
bool device_buffer(const void *data, size_t size, pi_mem *ret);
bool device_read(pi_mem buffer, size_t size, void *data);
void device_release_buffer(pi_mem buffer);

enum { ARGUMENTS_MAX = 8 };

/* The arguments of a kernel: buffers; NULL stands for the number 7. */
typedef struct device_arguments {
  pi_uint32 count;
  pi_mem items[ARGUMENTS_MAX];
  size_t global, local; /* numbers of work-items; global 0 means one work-item */
} device_arguments;

/* Runs a kernel and waits for its end. */
bool device_launch(pi_program program, const char *kernel, const device_arguments *arguments);

#endif

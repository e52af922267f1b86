/* Variables and functions of a program's latest build, by name. */
#ifndef OBJECTS_PROGRAM_SYMBOL_H
#define OBJECTS_PROGRAM_SYMBOL_H

#include "program.h"
#include "sink.h"

/*
 * The address of a variable on a device, one of the program's context, and its size.
 * PI_ERROR_INVALID_VALUE: there is none of that name. PI_ERROR_INVALID_PROGRAM_EXECUTABLE: the
 * program is not built for the device.
 */
pi_result program_find_variable(pi_program program, pi_device device, const char *name,
                                size_t *size, void **ret);

/*
 * The address of a function on a device. PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE: the driver
 * returns none. PI_ERROR_INVALID_KERNEL_NAME: there is no such function; others as above.
 */
pi_result program_find_function(pi_program program, pi_device device, const char *name,
                                pi_uint64 *ret);

/* A copy of count bytes between a variable and host memory: either from or to is set. */
typedef struct variable_copy {
  pi_program program;
  const char *name;
  size_t count, offset;
  const void *from; /* of a write; NULL: it is a read */
  void *to;
} variable_copy;

/*
 * Enqueues the copy; the variable stays until it is done. PI_ERROR_INVALID_VALUE: a member is
 * missing, or the bytes leave the variable. PI_ERROR_INVALID_CONTEXT: the program is of another
 * context than the queue; and as program_find_variable.
 */
pi_result program_copy_variable(sink *sink, const variable_copy *copy);

#endif

/* Variables and functions of a program's latest build, by name. */
#ifndef OBJECTS_PROGRAM_SYMBOL_H
#define OBJECTS_PROGRAM_SYMBOL_H

#include "program.h"
#include "sink.h"

/*
 * The address and size of a variable on a device of the program's context. PI_ERROR_INVALID_VALUE:
 * no variable has the name. PI_ERROR_INVALID_PROGRAM_EXECUTABLE: the program is not built for the
 * device.
 */
pi_result program_find_variable(pi_program program, pi_device device, const char *name,
                                size_t *size, void **ret);

/*
 * The address of a function on a device. PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE: the driver
 * has no address of the function. PI_ERROR_INVALID_KERNEL_NAME: no function has the name. Also
 * PI_ERROR_INVALID_PROGRAM_EXECUTABLE.
 */
pi_result program_find_function(pi_program program, pi_device device, const char *name,
                                pi_uint64 *ret);

#endif

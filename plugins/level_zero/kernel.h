/* Kernels: functions of a build, and their arguments. */
#ifndef LEVEL_ZERO_KERNEL_H
#define LEVEL_ZERO_KERNEL_H

#include "../objects/launch_kernel.h"

#include "program.h"
#include "queue.h"

/*
 * Passes the driver the arguments that the instance does not have yet. The caller holds the
 * kernel's lock. An error of the driver gets a message with the argument's number.
 */
pi_result kernel_set_arguments(pi_kernel kernel, kernel_instance *instance);

#endif

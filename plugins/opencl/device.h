/* Queries about a device that the plugin's files share. */
#ifndef OPENCL_DEVICE_H
#define OPENCL_DEVICE_H

#include "opencl.h"

/*
 * Extension names that the plugin adds to those of a device's driver, each after a blank. Runtimes
 * look for this one before they use command buffers. Every device has command buffers, because the
 * plugin itself records them (command_buffer.c).
 */
#define OPENCL_ADDED_EXTENSIONS " ur_exp_command_buffer"

/*
 * Returns the OpenCL version of a device, 210 for 2.1. It may be lower than its platform's.
 * PI_ERROR_INVALID_DEVICE when the driver's text does not have the form "OpenCL 2.1 ...".
 */
pi_result opencl_device_version(cl_device_id device, unsigned *ret);

/*
 * Finds out whether the driver lists an extension for a device; name is its full name.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result opencl_device_has_extension(cl_device_id device, const char *name, bool *ret);

/*
 * Returns the devices of a context, at least one, in an array that the caller frees with free.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result opencl_context_devices(cl_context context, cl_device_id **ret, size_t *count);

/*
 * Returns the PI bits for one of the four atomic capabilities of a device. query is one of
 * PI_EXT_DEVICE_INFO_ATOMIC_{MEMORY,FENCE}_{ORDER,SCOPE}_CAPABILITIES.
 */
pi_result opencl_device_atomics(cl_device_id device, pi_device_info query, pi_uint64 *ret);

#endif

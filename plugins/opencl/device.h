/* Queries about a device that the plugin's files share. */
#ifndef OPENCL_DEVICE_H
#define OPENCL_DEVICE_H

#include "opencl.h"

/*
 * The extension names that a device reports to PI on top of its driver's, each with a
 * blank in front. Command buffers are recorded by this plugin itself, in command_buffer.c,
 * so every device has them, and this is the name by which a runtime finds that out.
 */
#define OPENCL_ADDED_EXTENSIONS " ur_exp_command_buffer"

/*
 * The OpenCL version of a device, 210 for 2.1: some platforms have devices older than
 * themselves. PI_ERROR_INVALID_DEVICE when the driver's text is not "OpenCL 2.1 ...".
 */
pi_result opencl_device_version(cl_device_id device, unsigned *ret);

/*
 * Finds out whether the driver lists an extension, by its whole name, for a device.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result opencl_device_has_extension(cl_device_id device, const char *name, bool *ret);

/*
 * The devices of a context in an array that the caller frees with free; at least one.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result opencl_context_devices(cl_context context, cl_device_id **ret, size_t *count);

/*
 * One of the four atomic capabilities of a device, as PI's bits: query is
 * PI_EXT_DEVICE_INFO_ATOMIC_{MEMORY,FENCE}_{ORDER,SCOPE}_CAPABILITIES.
 */
pi_result opencl_device_atomics(cl_device_id device, pi_device_info query, pi_uint64 *ret);

#endif

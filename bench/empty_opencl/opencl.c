/*
 * An EMPTY libOpenCL.so.1, for bench-calls only. It has one platform without devices, and functions
 * that do nothing and report success. With it a PI call's time is our plugin's time, without a
 * driver's noise. Its results mean nothing. This file has the functions that return some data;
 * nothing.c has all others.
 */
#include "nothing.h"

#include <stdbool.h>
#include <string.h>

#pragma GCC visibility push(default)

/* Its address is the handle of every object. */
static char object[64];

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint count, cl_platform_id *platforms,
                                                 cl_uint *available) {
  if (available)
    *available = 1;
  if (platforms && count > 0)
    platforms[0] = (cl_platform_id)(void *)object;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name,
                                                  size_t size, void *value, size_t *needed) {
  (void)platform;
  static const char version[] = "OpenCL 3.0 empty", text[] = "Empty OpenCL for bench-calls";
  const bool is_version = name == CL_PLATFORM_VERSION;
  const size_t length = is_version ? sizeof version : sizeof text;
  if (value && size < length)
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, is_version ? version : text, length);
  if (needed)
    *needed = length;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type type,
                                               cl_uint count, cl_device_id *devices,
                                               cl_uint *available) {
  (void)platform, (void)type, (void)count, (void)devices;
  if (available)
    *available = 0;
  return CL_DEVICE_NOT_FOUND;
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                                        const char *name) {
  (void)platform, (void)name;
  void *address;
  cl_int (*const function)(void) = bench_nothing;
  memcpy(&address, &function, sizeof address);
  return address;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il,
                                                          size_t length, cl_int *code) {
  (void)context, (void)il, (void)length;
  if (code)
    *code = CL_SUCCESS;
  return (cl_program)(void *)object;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                       cl_uint dimensions, const size_t *offset,
                                                       const size_t *global, const size_t *local,
                                                       cl_uint events, const cl_event *list,
                                                       cl_event *event) {
  (void)queue, (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local;
  (void)events, (void)list;
  if (event)
    *event = (cl_event)(void *)object;
  return CL_SUCCESS;
}

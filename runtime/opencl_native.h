/*
 * Direct calls of OpenCL, for functions that PI lacks, through the library that the OpenCL plugin
 * has loaded. Objects are OpenCL's own, to which the plugin's handles refer.
 */
#ifndef SPECPI_OPENCL_NATIVE_H
#define SPECPI_OPENCL_NATIVE_H

#include "image.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

/* X(name): the functions used that every OpenCL since 1.2 has. */
#define OPENCL_NATIVE_FUNCTIONS(X)                                                                 \
  X(CreateProgramWithBinary)                                                                       \
  X(CreateProgramWithBuiltInKernels)                                                               \
  X(CreateProgramWithSource)                                                                       \
  X(GetDeviceInfo)                                                                                 \
  X(GetProgramInfo)                                                                                \
  X(GetProgramBuildInfo)                                                                           \
  X(ReleaseProgram)                                                                                \
  X(RetainKernel)                                                                                  \
  X(RetainProgram)

/* X(name): the functions used that only newer OpenCL has. */
#define OPENCL_NATIVE_NEWER(X)                                                                     \
  X(CreateProgramWithIL)                                                                           \
  X(SetProgramSpecializationConstant)

typedef struct opencl_native {
#define OPENCL_NATIVE_MEMBER(name) __typeof__(cl##name) *name;
  OPENCL_NATIVE_FUNCTIONS(OPENCL_NATIVE_MEMBER)
  OPENCL_NATIVE_NEWER(OPENCL_NATIVE_MEMBER)
#undef OPENCL_NATIVE_MEMBER
} opencl_native;

/* OpenCL's functions, and OpenCL's objects for a device. */
typedef struct opencl_place {
  const opencl_native *cl;
  cl_device_id device;
  cl_context context;
} opencl_place;

/* SPECPI_ERROR_UNSUPPORTED: the device is not of the backend OpenCL, or the library lacks a
 * function. */
specpi_result opencl_native_place(specpi_device device, opencl_place *ret);

/* The error for a failed call: SPECPI_ERROR_DRIVER or SPECPI_ERROR_OUT_OF_MEMORY. */
specpi_result opencl_native_error(cl_int code, const char *call);

/*
 * Makes a cl_program of an image, which is not IMAGE_PROGRAM, for a device, without compiling it,
 * and returns it as PI's handle. Errors of the driver.
 */
specpi_result opencl_native_create(specpi_device device, specpi_image image, pi_program *ret);
/* The same, but returns the cl_program itself. */
specpi_result opencl_native_make(const opencl_place *at, specpi_image image, cl_program *ret);

/* Adds a reference to a cl_program, or releases one without a result. */
specpi_result opencl_native_retain(specpi_device device, void *program);
void opencl_native_release(specpi_device device, void *program);

#endif

/*
 * A useless libOpenCL.so.1 for tests. It has all functions that the plugin requires, and they
 * return CL_PLATFORM_NOT_FOUND_KHR, like an ICD loader without drivers. Linked with no_kernels.map,
 * it lacks clCreateKernel.
 */
#include "../../plugins/opencl/driver.h"

/* Defines OpenCL's symbols under other C names, because these functions have another type. */
#define USELESS(name)                                                                              \
  int useless_##name(void) __asm__("cl" #name);                                                    \
  int useless_##name(void) { return CL_PLATFORM_NOT_FOUND_KHR; }
OPENCL_REQUIRED(USELESS)

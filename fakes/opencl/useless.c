/*
 * A libOpenCL.so.1 that is of no use, for tests: every function that the plugin requires is
 * there and answers CL_PLATFORM_NOT_FOUND_KHR, as an ICD loader without drivers does.
 * Linked with no_kernels.map it lacks clCreateKernel.
 */
#include "../../plugins/opencl/driver.h"

/* Under another C name and type than OpenCL's: all take nothing and answer the same. */
#define USELESS(name)                                                                              \
  int useless_##name(void) __asm__("cl" #name);                                                    \
  int useless_##name(void) { return CL_PLATFORM_NOT_FOUND_KHR; }
OPENCL_REQUIRED(USELESS)

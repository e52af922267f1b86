#include "nothing.h"

cl_int bench_nothing(void) {
  return CL_SUCCESS;
}

/* Makes every function of the plugin's lists a weak alias; opencl.c defines stronger ones. */
#define NOTHING(name)                                                                              \
  __asm__(".weak cl" #name "\n.type cl" #name ", @function\n.set cl" #name ", bench_nothing");
OPENCL_REQUIRED(NOTHING)
OPENCL_OPTIONAL(NOTHING)

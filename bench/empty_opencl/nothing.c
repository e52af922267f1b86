#include "nothing.h"

cl_int bench_nothing(void) {
  return CL_SUCCESS;
}

/* All names of the plugin's list, as other names of it; those that opencl.c has are stronger. */
#define NOTHING(name)                                                                              \
  __asm__(".weak cl" #name "\n.type cl" #name ", @function\n.set cl" #name ", bench_nothing");
OPENCL_REQUIRED(NOTHING)
OPENCL_OPTIONAL(NOTHING)

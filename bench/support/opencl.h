/* OpenCL's functions for direct calls, as a program has them that links to libOpenCL. */
#ifndef SPECPI_BENCH_OPENCL_H
#define SPECPI_BENCH_OPENCL_H

#include "../../plugins/opencl/driver.h"

/* The required functions; NULL until bench_load_opencl. */
extern opencl_driver opencl;

/* Loads libOpenCL.so.1 for good. Ends the program if it or a required function is missing. */
void bench_load_opencl(void);

#endif

/* OpenCL's functions, for direct calls: what a program has that links libOpenCL. */
#ifndef SPECPI_BENCH_OPENCL_H
#define SPECPI_BENCH_OPENCL_H

#include "../../plugins/opencl/driver.h"

/* The required ones; NULL until bench_load_opencl. */
extern opencl_driver opencl;

/* Loads libOpenCL.so.1, which stays; ends the program when it, or one of the functions, is missing.
 */
void bench_load_opencl(void);

#endif

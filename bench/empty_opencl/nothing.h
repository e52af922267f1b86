#ifndef SPECPI_BENCH_NOTHING_H
#define SPECPI_BENCH_NOTHING_H

#include "../../plugins/opencl/driver.h"

/* The implementation of every function that only has to report success. */
cl_int bench_nothing(void);

#endif

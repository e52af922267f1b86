#ifndef SPECPI_BENCH_NOTHING_H
#define SPECPI_BENCH_NOTHING_H

#include "../../plugins/opencl/driver.h"

/* The body of every function that has nothing to answer. */
cl_int bench_nothing(void);

#endif

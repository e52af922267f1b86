#ifndef SPECPI_BENCH_NOTHING_H
#define SPECPI_BENCH_NOTHING_H

#include "../../plugins/opencl/driver.h"

/* What every function does that has nothing to answer: nothing. */
cl_int bench_nothing(void);

#endif

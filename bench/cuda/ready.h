/* Functions that ready.c and ready_directory.c share. */
#ifndef SPECPI_BENCH_CUDA_READY_H
#define SPECPI_BENCH_CUDA_READY_H

#include "bench.h"

enum { READY_KERNELS = 3 };

/* Creates the program of ready.native.spv without building it; NULL without a code generator. */
pi_program ready_open_native(const cuda_bench *bench, pi_context context);

/* Returns the milliseconds from a set's values to kernels, and releases the kernels. */
double ready_time_native(const cuda_bench *bench, pi_program program, unsigned set);

/* Ends the code generators of this process, so that the next build starts one. */
void ready_end_generators(void);

/*
 * Starts another process that builds with a directory, and loads the builds from it. Adds each
 * round's milliseconds of both. The process runs this program, with an environment variable by
 * which ready_directory_main recognizes it.
 */
void ready_measure_directory(unsigned rounds, bench_series *kept, bench_series *loaded);

/* Does that process's work, if this process is the one; else returns false. */
bool ready_directory_main(const cuda_bench *bench);

#endif

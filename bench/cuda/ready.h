/* The parts that both halves of the measure of builds share. */
#ifndef SPECPI_BENCH_CUDA_READY_H
#define SPECPI_BENCH_CUDA_READY_H

#include "bench.h"

enum { READY_KERNELS = 3 };

/* The program of ready.native.spv, not built; NULL where there is no code generator. */
pi_program ready_open_native(const cuda_bench *bench, pi_context context);

/* Milliseconds from the values of a set to kernels, which are given up again. */
double ready_time_native(const cuda_bench *bench, pi_program program, unsigned set);

/* Ends the code generators of this process, so that the next build starts one. */
void ready_end_generators(void);

/*
 * Has another process build with a directory, and load from it what it has built: milliseconds of
 * each round. The process is this program, with the environment that ready_directory_main knows it
 * by.
 */
void ready_measure_directory(unsigned rounds, bench_series *kept, bench_series *loaded);

/* That process: false where this is another one. */
bool ready_directory_main(const cuda_bench *bench);

#endif

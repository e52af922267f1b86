/* Programs: the code they are made of, their constants, and what a build gives. */
#ifndef PI_CUDA_PROGRAM_H
#define PI_CUDA_PROGRAM_H

#include "context.h"

#include "../common/ptx_image.h"

/*
 * The result of a build: code on the device. Kernels hold a reference, so that they keep their code
 * when the program is built again with other values.
 */
typedef struct cuda_build {
  atomic_uint references;
  pi_context context; /* a reference */
  CUmodule module;
  unsigned char *binary; /* the linked cubin and its trailer, see piProgramGetInfo */
  size_t binary_size;
  CUdeviceptr constants; /* mode emulate: the device's copy of the block of values; 0 otherwise */
  pi_ptx_image *image;   /* kernels and modes as the code says; NULL for code that says nothing */
} cuda_build;

struct pi_program_object; /* owned by program.c */

static inline void build_retain(cuda_build *build) {
  atomic_fetch_add_explicit(&build->references, 1, memory_order_relaxed);
}
void build_release(cuda_build *build);

void program_retain(pi_program program);
void program_release(pi_program program);

#endif

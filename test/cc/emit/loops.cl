// Loops with and without hints become valid SPIR-V at each level; with -O1 clang adds a hint to each.
// RUN: %specpi-cc -O0 --emit=spirv %s -o %t.0.spv
// RUN: %specpi-cc -O1 --emit=spirv %s -o %t.1.spv
// RUN: %specpi-cc -O2 --emit=spirv %s -o %t.2.spv 2> %t.said
// RUN: test ! -s %t.said
// RUN: %specpi-cc -O3 --emit=spirv %s -o %t.3.spv
#include <specpi/device.h>

SPECPI_CONSTANT(int, count, 4);

kernel void sums(global float *out, global const float *in) {
  for (int i = 0; i < specpi_get(count); i++)
    for (int j = 0; j < i; j++)
      out[i] += in[j];
}

// Drivers know the constant and unroll the loop, so clang's warning that it does not is left out.
kernel void unrolled(global float *out, global const float *in) {
#pragma unroll
  for (int i = 0; i < specpi_get(count); i++)
    out[i] += in[i];
}

kernel void hints(global int *out, global const int *in) {
  int i = 0;
#pragma nounroll
  do
    out[i] = in[i];
  while (++i < specpi_get(count));
  __attribute__((opencl_unroll_hint(4)))
  while (in[i] != 0) {
    if (in[i] == 7)
      break;
#pragma unroll 2
    for (int j = 0; j < i; j++)
      out[j] = in[i + j];
    i++;
  }
}

/* The final values of these loops must not be computed with integers of 33 or 65 bits. */
kernel void ends(global int *out, int n, global const long *in) {
  int narrow = 0;
  for (int i = 0; i < n; i++)
    narrow += i;
  long wide = 0;
  for (long i = 0; i < in[0]; i++)
    wide += i * i;
  out[0] = narrow;
  out[1] = (int)wide;
}

/* LLVM turns a loop that shifts an array into a memmove, which SPIR-V does not have. */
kernel void shifts(global int *out, global const int *in, int n) {
  int window[8];
  for (int i = 0; i < 8; i++)
    window[i] = in[i];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 7; k++)
      window[k] = window[k + 1];
    for (int k = 0; k < specpi_get(count); k++)
      out[k] = out[k + 1];
    window[7] = in[i];
  }
  out[0] = window[n & 7];
}

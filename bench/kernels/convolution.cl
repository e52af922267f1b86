/*
 * Each output is a sum of nine neighbours times their coefficients. The coefficients are the
 * constants: if the compiler knows them, a neighbour with coefficient 0 costs nothing.
 */
#include "constant.clh"

#define TAP(id)                                                                                    \
  {                                                                                                \
    const float coefficient = CONSTANT(id, 0.0f);                                                  \
    if (coefficient != 0.0f)                                                                       \
      sum += coefficient * in[first + (id) / 3 * stride + (id) % 3];                               \
  }

/* in has a border of one pixel around the output's size. */
kernel void convolution(global const float *restrict in, global float *restrict out, int stride,
                        global const float *restrict values) {
  const int x = (int)get_global_id(0);
  const int y = (int)get_global_id(1);
  const int first = y * stride + x;
  float sum = 0.0f;
  TAP(0)
  TAP(1)
  TAP(2)
  TAP(3)
  TAP(4)
  TAP(5)
  TAP(6)
  TAP(7)
  TAP(8)
  out[y * (int)get_global_size(0) + x] = sum;
}

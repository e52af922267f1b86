/* A polynomial, evaluated at many points. Its degree and coefficients are constants. */
#include "measured.clh"

enum { MOST = 32 };

typedef struct {
  float c[MOST];
} coefficients;

CONSTANT(int, degree, 15, 1)
CONSTANT(int, rounds, 8, 1)
CONSTANT(coefficients, p,
         LIST({0.25f, 0.125f, 0, -0.0625f, 0, 0.03125f, 0, 0, 0.25f, 0, -0.125f, 0, 0, 0.015625f, 0,
               0.0625f}),
         LIST({0, 1}))

__kernel void run(__global float *restrict out, __global const float *restrict in) {
  const int i = get_global_id(0);
  float x = in[i];
  for (int round = 0; round < get_rounds(); round++) {
    const coefficients p = get_p();
    float sum = p.c[get_degree()];
    for (int k = get_degree() - 1; k >= 0; k--)
      sum = sum * x + p.c[k];
    x = sum;
  }
  out[i] = x;
}

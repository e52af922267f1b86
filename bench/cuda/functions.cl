/* Calls functions of OpenCL's library. Constants choose the functions, their number and factors. */
#include "measured.clh"

#ifdef __CUDACC__
#define sin sinf
#define cos cosf
#define exp expf
#define log logf
#define pow powf
#define sqrt sqrtf
#define tanh tanhf
#endif

typedef struct {
  bool wave, decay, power, root, bend;
  int steps;
  float a, b;
} chosen;

CONSTANT(chosen, chosen_ones, LIST(true, true, true, true, true, 4, 0.75f, 1.5f),
         LIST(false, false, false, false, false, 1, 1, 1))

__kernel void run(__global float *restrict out, __global const float *restrict in) {
  const int i = get_global_id(0);
  const chosen on = get_chosen_ones();
  float x = in[i];
  for (int step = 0; step < on.steps; step++) {
    if (on.wave)
      x = sin(x * on.a) + cos(x * on.b);
    if (on.decay)
      x = exp(-x * x) + log(2 + x * x);
    if (on.power)
      x = pow(1 + x * x, on.a);
    if (on.root)
      x = sqrt(1 + x * x);
    if (on.bend)
      x = tanh(x * on.b);
  }
  out[i] = x;
}

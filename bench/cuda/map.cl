/*
 * An iterated map. The constants are flags that turn parts of a step on and off, factors, and the
 * number of steps.
 */
#include "measured.clh"

/* CLAMP: uses clamp, whose comparisons in libclc LLVM can optimize if it knows the values. */
#undef LIMIT
#ifdef CLAMP
#define LIMIT clamp
#else
#define LIMIT(x, low, high) fmin(fmax(x, low), high)
#endif
#ifdef __CUDACC__
#define clamp(x, low, high) fminf(fmaxf(x, low), high)
#endif

typedef struct {
  bool square, bend, turn, limit;
  float a, b, c;
} steps;

CONSTANT(steps, map, LIST(true, false, false, true, 0.75f, 0.125f, 1.5f),
         LIST(false, false, false, false, 1, 1, 1))
CONSTANT(int, count, 256, 1)

__kernel void run(__global float *restrict out, __global const float *restrict in) {
  const int i = get_global_id(0);
  float x = in[i];
  for (int step = 0; step < get_count(); step++) {
    const steps map = get_map();
    if (map.square)
      x = x * x * map.a;
    if (map.bend)
      x = sin(x) * map.b;
    if (map.turn)
      x = exp(-x * x);
    if (map.limit)
      x = LIMIT(x, -map.c, map.c);
    x = fma(x, map.a, map.b);
  }
  out[i] = x;
}

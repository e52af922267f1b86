/*
 * Computes the shade of a pixel. A constant switches most features off. The compiler can drop them
 * if it knows the constant; else they cost registers and function calls.
 */
#include "measured.clh"

enum { LIGHTS = 8, SAMPLES = 16 };

typedef struct {
  bool lit, shadows, fog, waves, noise, blur, grade, clamped;
  int lights, samples;
  float density, gain;
} features;

CONSTANT(features, on, LIST(true, false, false, false, false, false, true, true, 2, 4, 0.5f, 0.75f),
         LIST(false, false, false, false, false, false, false, false, 1, 1, 1, 1))
CONSTANT(int, width, 4096, 64)

HELPER float light(float x, float y, int number) {
  const float dx = x - 0.125f * number, dy = y + 0.25f * number;
  return 1 / (1 + dx * dx + dy * dy);
}

HELPER float shadow(__global const float *in, int at, float x, float y) {
  float depths[SAMPLES], sum = 0;
  for (int i = 0; i < get_on().samples; i++)
    depths[i] = in[at + i] * x + y;
  for (int i = 0; i < get_on().samples; i++)
    for (int j = 0; j < i; j++)
      sum += depths[i] < depths[j] ? depths[i] : depths[j];
  return sum;
}

HELPER float noise(float x, float y) {
  float sum = 0, size = 1;
  for (int i = 0; i < LIGHTS; i++, size *= 0.5f)
    sum += size * (x * size - (int)(x * size)) * (y * size - (int)(y * size));
  return sum;
}

__kernel void run(__global float *restrict out, __global const float *restrict in) {
  const int column = get_global_id(0), row = get_global_id(1);
  const int at = row * (get_width() + SAMPLES) + column;
  const features on = get_on();
  const float x = in[at], y = in[at + 1];
  float value = x;
  if (on.lit)
    for (int i = 0; i < on.lights; i++)
      value += light(x, y, i);
  if (on.shadows)
    value -= shadow(in, at, x, y);
  if (on.waves)
    for (int i = 0; i < on.samples; i++)
      value += x * x * (y - i) / (1 + value * value);
  if (on.noise)
    value += noise(x, y);
  if (on.blur) {
    float sum = 0;
    for (int i = 0; i < on.samples; i++)
      for (int j = 0; j < on.samples; j++)
        sum += in[at + i] * in[at + j];
    value += sum;
  }
  if (on.fog)
    value = value / (1 + on.density * x * x) + on.density * y;
  if (on.grade)
    value = value * on.gain + (1 - on.gain) * value * value;
  if (on.clamped)
    value = value < 0 ? 0 : value > 4 ? 4 : value;
  out[row * get_width() + column] = value;
}

/*
 * The measured kernels: their sizes and their constants' values. The sources of the typed variants
 * have the same values. This header is both C and C++20.
 */
#ifndef BENCH_WORKLOADS_H
#define BENCH_WORKLOADS_H

#include <stdbool.h>
#include <stddef.h>

enum { VALUES = 4 };

/* A constant's value; the same as in the source of the typed variants. */
typedef struct value {
  const char *name;
  const void *bytes;
  size_t size;
} value;

/* A kernel to measure. Its arguments are the result and the inputs, arrays of floats. */
typedef struct workload {
  const char *name;
  const char *title; /* in the chart */
  const char *text;
  size_t global[2], local[2];
  size_t results;
  size_t numbers; /* elements of each input */
  unsigned inputs;
  unsigned launches; /* per round */
  value values[VALUES];
} workload;

static const int four = 4, eight = 8, sixteen = 16, sixty_four = 64;
static const int sizes[] = {2048, 4096, 8192};
static const struct {
  float weights[9], factor;
} filter_value = {{1, 0, -1, 2, 0, -2, 1, 0, -1}, 0.125f};
static const struct {
  bool square, bend, turn, limit;
  float a, b, c;
} map_value = {true, false, false, true, 0.75f, 0.125f, 1.5f};
static const int map_count = 256, taps = 17, degree = 15;
static const float window_value[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1};
static const float polynomial_value[32] = {
    0.25f, 0.125f, 0, -0.0625f, 0, 0.03125f, 0, 0, 0.25f, 0, -0.125f, 0, 0, 0.015625f, 0, 0.0625f};
static const struct {
  bool lit, shadows, fog, waves, noise, blur, grade, clamped;
  int lights, samples;
  float density, gain;
} features_value = {.lit = true,
                    .grade = true,
                    .clamped = true,
                    .lights = 2,
                    .samples = 4,
                    .density = 0.5f,
                    .gain = 0.75f};
static const struct {
  bool wave, decay, power, root, bend;
  int steps;
  float a, b;
} functions_value = {true, true, true, true, true, 4, 0.75f, 1.5f};

#define VALUE(name, object)                                                                        \
  { name, &(object), sizeof(object) }

static const workload workloads[] = {
    {.name = "product",
     .title = "blocked matrix product",
     .text = "blocked matrix product, 2048 x 2048, blocks of 16 x 16",
     .global = {2048, 2048},
     .local = {16, 16},
     .results = 2048 * 2048,
     .numbers = 2048 * 2048,
     .inputs = 2,
     .launches = 4,
     .values = {VALUE("block", sixteen), VALUE("size", sizes[0])}},
    {.name = "filter",
     .title = "Sobel filter, 3 by 3",
     .text = "3x3 Sobel filter, 8192 x 8192 pixels",
     .global = {8192, 8192},
     .local = {32, 8},
     .results = 8192 * 8192,
     .numbers = 8194 * 8194,
     .inputs = 1,
     .launches = 8,
     .values = {VALUE("filter", filter_value), VALUE("width", sizes[2])}},
    {.name = "map",
     .title = "iterated map with flags",
     .text = "256 steps of an iterated map with 2 of 4 flags, 2^24 numbers",
     .global = {1 << 24, 1},
     .local = {256, 1},
     .results = 1 << 24,
     .numbers = 1 << 24,
     .inputs = 1,
     .launches = 4,
     .values = {VALUE("map", map_value), VALUE("count", map_count)}},
    {.name = "clamped",
     .title = "iterated map with flags, clamp()",
     .text = "the same map, its limit by the clamp of libclc",
     .global = {1 << 24, 1},
     .local = {256, 1},
     .results = 1 << 24,
     .numbers = 1 << 24,
     .inputs = 1,
     .launches = 4,
     .values = {VALUE("map", map_value), VALUE("count", map_count)}},
    {.name = "tile",
     .title = "register-tiled matrix product",
     .text = "matrix product, 2048 x 2048, a tile of 8 x 8 in the registers of a work-item",
     .global = {256, 256},
     .local = {16, 16},
     .results = 2048 * 2048,
     .numbers = 2048 * 2048,
     .inputs = 2,
     .launches = 4,
     .values = {VALUE("rows", eight), VALUE("columns", eight), VALUE("depth", eight),
                VALUE("size", sizes[0])}},
    {.name = "window",
     .title = "filter along columns, 17 taps",
     .text = "filter along columns, a window of 17 values in registers, 8192 x 8192 pixels",
     .global = {8192, 128},
     .local = {256, 1},
     .results = 8192 * 8192,
     .numbers = 8192 * (8192 + 16),
     .inputs = 1,
     .launches = 4,
     .values = {VALUE("taps", taps), VALUE("width", sizes[2]), VALUE("rows", sixty_four),
                VALUE("filter", window_value)}},
    {.name = "transform",
     .title = "Fourier transforms of 16 points",
     .text = "four Fourier transforms of 16 points in registers, 2^20 work-items",
     .global = {1 << 20, 1},
     .local = {256, 1},
     .results = 1 << 25,
     .numbers = 1 << 25,
     .inputs = 1,
     .launches = 4,
     .values = {VALUE("bits", four), VALUE("rounds", four)}},
    {.name = "features",
     .title = "shading, 3 of 8 features on",
     .text = "shades of 4096 x 4096 pixels, 3 of 8 features on",
     .global = {4096, 4096},
     .local = {32, 8},
     .results = 4096 * 4096,
     .numbers = (4096 + 16) * 4096 + 16,
     .inputs = 1,
     .launches = 8,
     .values = {VALUE("on", features_value), VALUE("width", sizes[1])}},
    {.name = "polynomial",
     .title = "polynomial of degree 15",
     .text = "8 rounds of a polynomial of degree 15, 2^24 numbers",
     .global = {1 << 24, 1},
     .local = {256, 1},
     .results = 1 << 24,
     .numbers = 1 << 24,
     .inputs = 1,
     .launches = 8,
     .values = {VALUE("degree", degree), VALUE("rounds", eight), VALUE("p", polynomial_value)}},
    {.name = "functions",
     .title = "sin, cos, exp, log, pow, sqrt, tanh",
     .text = "4 rounds of sin, cos, exp, log, pow, sqrt and tanh, 2^24 numbers",
     .global = {1 << 24, 1},
     .local = {256, 1},
     .results = 1 << 24,
     .numbers = 1 << 24,
     .inputs = 1,
     .launches = 4,
     .values = {VALUE("chosen_ones", functions_value)}},
};

#endif

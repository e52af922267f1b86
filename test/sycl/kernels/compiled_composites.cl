/* Named constants of many leaves; compiled.cpp has the same structures. */
#include <specpi/device.h>

/* Padding inside and at the end, and a structure in a structure. */
struct span {
  char kind;
  int length;
};
struct filter {
  struct span span;
  double taps[3];
  short shift;
};

/* An array of arrays. */
struct grid {
  float at[2][3];
};

struct composites {
  struct filter filter;
  struct grid grid;
  int last;
};

SPECPI_CONSTANT(struct filter, filter, {{5, 50}, {0.25, 0.5, 0.75}, -2});
SPECPI_CONSTANT(struct grid, grid, {{{1, 2, 3}, {4, 5, 6}}});
SPECPI_CONSTANT(int, last, 77);

kernel void write_composites(global struct composites *out) {
  out->filter = specpi_get(filter);
  out->grid = specpi_get(grid);
  out->last = specpi_get(last);
}

/* A second kernel of the image, which writes single elements of the constants. */
kernel void write_elements(global float *out) {
  const size_t i = get_global_id(0);
  out[i] = specpi_get(grid).at[i / 3][i % 3] * specpi_get(last);
}

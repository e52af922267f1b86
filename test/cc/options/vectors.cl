// Vectorizers would turn this loop into code with vectors of pointers, which SPIR-V lacks.
// RUN: %specpi-cc --emit=spirv %s -o %t.spv
// RUN: %spirv-val %t.spv
// RUN: %specpi-cc --emit=spirv -O3 %s -o %t.3.spv
// RUN: %spirv-val %t.3.spv
#include <specpi/device.h>
typedef struct {
  char bytes[53];
} text_t;
SPECPI_CONSTANT(text_t, text, {{1, 2, 3}});
__attribute__((noinline)) static void fill(text_t *to) {
  *to = specpi_get(text);
}
kernel void k(global char *out) {
  text_t filled;
  fill(&filled);
  const text_t value = filled;
  for (int i = 0; i < (int)sizeof value; i++)
    out[i] = ((const char *)&value)[i];
}

// clang's vectorizers would turn this loop into code with vectors of pointers, which SPIR-V lacks.
// RUN: %specpi-cc --emit=spirv %s -o %t.spv
// RUN: %spirv-val %t.spv
// RUN: %specpi-cc --emit=spirv -O3 %s -o %t.spv
// RUN: %specpi-cc -v --emit=bc %s -o %t.bc 2>&1 | %FileCheck %s --check-prefix=SPIR64
// SPIR64: -fno-slp-vectorize -fno-vectorize
// The user's options for vectorizers have priority. PTX can have such vectors.
// RUN: %specpi-cc -v --emit=bc --clang-option=-fvectorize %s -o %t.bc 2>&1 | %FileCheck %s --check-prefix=USER
// USER: -fno-vectorize {{.*}}-fvectorize
// RUN: %not %specpi-cc --emit=spirv --clang-option=-fvectorize %s -o %t.none 2>&1 | %FileCheck %s --check-prefix=FAILS
// FAILS: specpi-cc: {{.*}}vectors.cl: '{{.*}}llvm-spirv{{.*}}' {{failed|was ended}}
// RUN: %specpi-cc -v --emit=ptx %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=NVPTX64 --implicit-check-not=-fno-vectorize
// NVPTX64: -DSPECPI_TARGET_NVPTX64=1
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

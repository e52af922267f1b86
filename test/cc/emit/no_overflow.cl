// Additions of signed integers keep in SPIR-V that they do not overflow, so that the addresses of an
// array are one sum and offsets from it.
// RUN: %specpi-cc --emit=spirv %s -o %t.spv
// RUN: %spirv-val %t.spv
// RUN: %spirv-dis %t.spv | %FileCheck %s
// CHECK: OpExtension "SPV_KHR_no_integer_wrap_decoration"
// CHECK: OpDecorate %{{.*}} NoSignedWrap
// llvm-spirv 15 writes some decorations again, which SPIR-V forbids.
// RUN: %spirv-dis %t.spv | grep OpDecorate | sort | uniq -d | %FileCheck %s --check-prefix=AGAIN --allow-empty
// AGAIN-NOT: OpDecorate
// SPIR-V 1.4 has it without the extension.
// RUN: %specpi-cc --emit=spirv --spirv-version=1.4 %s -o %t.4.spv
// RUN: %spirv-dis %t.4.spv | %FileCheck %s --check-prefix=LATER --implicit-check-not=no_integer_wrap
// LATER: OpDecorate %{{.*}} NoSignedWrap
// For a runtime without the extension it is turned off.
// RUN: %specpi-cc --emit=spirv --llvm-spirv-option=--spirv-ext=-SPV_KHR_no_integer_wrap_decoration %s -o %t.none.spv
// RUN: %spirv-dis %t.none.spv | %FileCheck %s --check-prefix=NONE --implicit-check-not=Wrap --implicit-check-not=no_integer_wrap
// NONE: OpEntryPoint
// Seven of the eight stores have offsets.
// RUN: %specpi-cc --emit=ptx --spec-const=default --no-offset %t.spv -o - | grep -c 'st.global.f32.*rd[0-9]*+' | grep -x 7
#include <specpi/device.h>
SPECPI_CONSTANT(int, width, 64);
kernel void corners(global float *out, global const float *in) {
  const int x = get_global_id(0), y = get_global_id(1), row = y * specpi_get(width);
  for (int i = 0; i < 8; i++)
    out[row + x + i * 16] = in[x] + i;
}

// Every scalar type, with and without optimization: the same constants in each.
// RUN: %specpi-cc --emit=json -O0 %s -o %t.0.json
// RUN: %specpi-cc --emit=json -O2 %s -o %t.2.json
// RUN: cmp %t.0.json %t.2.json
// RUN: %FileCheck %s --input-file=%t.2.json
// RUN: %specpi-cc --emit=spirv -O0 %s -o %t.0.spv
// RUN: %specpi-cc --emit=spirv -O2 %s -o %t.2.spv
// RUN: %spirv-val %t.0.spv
// RUN: %spirv-val %t.2.spv
// RUN: %spirv-dis %t.2.spv | %FileCheck %s --check-prefix=SPIRV
// RUN: %specpi-cc --emit=json --spec-const=emulate -O0 %s | %FileCheck %s --check-prefix=BUFFER
// RUN: %specpi-cc --emit=json --spec-const=emulate -O2 %s | %FileCheck %s --check-prefix=BUFFER
#include <specpi/device.h>
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
// CHECK: {"name": "flag", "kind": "scalar", "descriptors": [{"id": 0, "offset": 0, "size": 1}], "default": "01"}
SPECPI_CONSTANT(bool, flag, true);
// CHECK-SAME: {"name": "c", "kind": "scalar", "descriptors": [{"id": 1, "offset": 0, "size": 1}], "default": "fe"}
SPECPI_CONSTANT(char, c, -2);
// CHECK-SAME: {"name": "uc", "kind": "scalar", "descriptors": [{"id": 2, "offset": 0, "size": 1}], "default": "c8"}
SPECPI_CONSTANT(uchar, uc, 200);
// CHECK-SAME: {"name": "s", "kind": "scalar", "descriptors": [{"id": 3, "offset": 0, "size": 2}], "default": "fdff"}
SPECPI_CONSTANT(short, s, -3);
// CHECK-SAME: {"name": "us", "kind": "scalar", "descriptors": [{"id": 4, "offset": 0, "size": 2}], "default": "ffff"}
SPECPI_CONSTANT(ushort, us, 65535);
// CHECK-SAME: {"name": "i", "kind": "scalar", "descriptors": [{"id": 5, "offset": 0, "size": 4}], "default": "fcffffff"}
SPECPI_CONSTANT(int, i, -4);
// CHECK-SAME: {"name": "ui", "kind": "scalar", "descriptors": [{"id": 6, "offset": 0, "size": 4}], "default": "ffffffff"}
SPECPI_CONSTANT(uint, ui, 0xFFFFFFFFu);
// CHECK-SAME: {"name": "l", "kind": "scalar", "descriptors": [{"id": 7, "offset": 0, "size": 8}], "default": "fbffffffffffffff"}
SPECPI_CONSTANT(long, l, -5L);
// CHECK-SAME: {"name": "ul", "kind": "scalar", "descriptors": [{"id": 8, "offset": 0, "size": 8}], "default": "0000000000000080"}
SPECPI_CONSTANT(ulong, ul, 1UL << 63);
// CHECK-SAME: {"name": "h", "kind": "scalar", "descriptors": [{"id": 9, "offset": 0, "size": 2}], "default": "003e"}
SPECPI_CONSTANT(half, h, 1.5h);
// CHECK-SAME: {"name": "f", "kind": "scalar", "descriptors": [{"id": 10, "offset": 0, "size": 4}], "default": "00002040"}
SPECPI_CONSTANT(float, f, 2.5f);
// CHECK-SAME: {"name": "d", "kind": "scalar", "descriptors": [{"id": 11, "offset": 0, "size": 8}], "default": "0000000000000c40"}
SPECPI_CONSTANT(double, d, 3.5);
// CHECK-SAME: "buffer": []}
// SPIRV-COUNT-12: OpDecorate %{{.*}} SpecId
// BUFFER: "buffer": [{"id": 0, "offset": 0, "size": 1}, {"id": 1, "offset": 1, "size": 1},

kernel void k(global double *out) {
  out[0] = specpi_get(flag) ? 1 : 2;
  out[1] = specpi_get(c);
  out[2] = specpi_get(uc);
  out[3] = specpi_get(s);
  out[4] = specpi_get(us);
  out[5] = specpi_get(i);
  out[6] = specpi_get(ui);
  out[7] = specpi_get(l);
  out[8] = specpi_get(ul);
  out[9] = specpi_get(h);
  out[10] = specpi_get(f);
  /* A variable may have the constant's name. */
  double d = specpi_get(d);
  out[11] = d;
}

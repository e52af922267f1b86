// Options for clang.
// RUN: rm -rf %t && mkdir -p %t/dir && echo '#define FROM_HEADER 11' > %t/dir/header.h
// RUN: %specpi-cc --emit=json -DA=1 -D B -I %t/dir %s | %FileCheck %s --check-prefix=GIVEN
// GIVEN: "default": "0c000000"
// RUN: %specpi-cc --emit=json -D A=1 -U A -D B=1 -I%t/dir %s | %FileCheck %s --check-prefix=UNSET
// UNSET: "default": "0d000000"
// RUN: %specpi-cc --emit=json -I %t/dir --clang-option=-include --clang-option=%t/dir/header.h --clang-option=-DC=1 %s | %FileCheck %s --check-prefix=MORE
// MORE: "default": "0e000000"
// Headers of the user come before specpi-cc's own.
// RUN: mkdir -p %t/own/specpi && echo '#error this one' > %t/own/specpi/device.h
// RUN: %not %specpi-cc -I %t/own -I %t/dir %s -o %t/out 2>&1 | %FileCheck %s --check-prefix=OWN
// OWN: error: this one

// A source sees its language standard and its target.
// RUN: %specpi-cc --emit=json -I %t/dir -D STANDARD=__OPENCL_C_VERSION__ %s | %FileCheck %s --check-prefix=CL20
// CL20: "default": "c8000000"
// RUN: %specpi-cc --emit=json -I %t/dir -D STANDARD=__OPENCL_C_VERSION__ --cl-std=CL3.0 %s | %FileCheck %s --check-prefix=CL30
// CL30: "default": "2c010000"
// RUN: %specpi-cc --emit=json -I %t/dir -D STANDARD=__OPENCL_VERSION__ %s | %FileCheck %s --check-prefix=CL20
// RUN: %specpi-cc --emit=json -I %t/dir -D STANDARD=__OPENCL_VERSION__ --cl-std=cl3.0 %s | %FileCheck %s --check-prefix=CL30
// RUN: %specpi-cc --emit=json -I %t/dir -D STANDARD=__OPENCL_VERSION__ --cl-std=clc++2021 %s | %FileCheck %s --check-prefix=CL30
// RUN: %specpi-cc --emit=json -I %t/dir -D STANDARD=__OPENCL_VERSION__ --cl-std=CL1.2 %s | %FileCheck %s --check-prefix=CL12
// CL12: "default": "78000000"
// RUN: %not %specpi-cc --emit=json -I %t/dir --cl-std=CL9 %s 2>&1 | %FileCheck %s --check-prefix=CL9
// CL9: error: invalid value 'CL9'
// RUN: %specpi-cc --emit=json -I %t/dir -D STANDARD=SPECPI_TARGET_SPIR64 %s | %FileCheck %s --check-prefix=SPIR64
// SPIR64: "default": "01000000"

// The version of the SPIR-V.
// RUN: %specpi-cc --emit=spirv -I %t/dir %s -o %t/13.spv && %spirv-dis %t/13.spv | %FileCheck %s --check-prefix=VERSION13
// VERSION13: ; Version: 1.{{[0-3]$}}
// RUN: %specpi-cc --emit=spirv -I %t/dir --spirv-version=1.1 %s -o %t/10.spv && %spirv-dis %t/10.spv | %FileCheck %s --check-prefix=VERSION10
// VERSION10: ; Version: 1.{{[01]$}}

// Options for llvm-spirv.
// RUN: %specpi-cc -v --emit=spirv -I %t/dir --llvm-spirv-option=--spirv-ext=+all %s -o %t/ext.spv 2>&1 | %FileCheck %s --check-prefix=EXT
// EXT: llvm-spirv{{.*}} --spirv-max-version=1.3 --spirv-ext=+all {{.*}} -o

// Optimization reaches the code.
// RUN: %specpi-cc --emit=spirv -O0 -I %t/dir %s -o %t/0.spv && %spirv-dis %t/0.spv | %FileCheck %s --check-prefix=O0
// RUN: %specpi-cc --emit=spirv -O3 -I %t/dir %s -o %t/3.spv && %spirv-dis %t/3.spv | %FileCheck %s --check-prefix=O3 --implicit-check-not=_ptr_Function
// O0: _ptr_Function
// O3: OpFunction
#include <specpi/device.h>
#include "header.h"
#if defined STANDARD
#define VALUE STANDARD
#elif defined C
#define VALUE FROM_HEADER + 3
#elif defined A
#define VALUE A + FROM_HEADER
#else
#define VALUE FROM_HEADER + 2
#endif
SPECPI_CONSTANT(int, value, VALUE);
kernel void k(global int *out) {
  int twice = specpi_get(value) * 2;
  out[0] = twice;
}

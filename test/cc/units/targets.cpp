// A unit is compiled once for all targets, unless it uses the macros of targets.
// RUN: %specpi-cc -v --unit-id=unit --target=spir64,nvptx64 -I %inputs %s -o %t.o 2> %t.txt
// RUN: %FileCheck %s --check-prefix=ONCE --input-file %t.txt
// RUN: %specpi-cc --unit-id=unit --target=nvptx64,spir64 -O0 -I %inputs %s -o %t.0.o
// RUN: %specpi-cc -v --unit-id=unit --target=spir64,nvptx64 -D ASKS -I %inputs %s -o %t.asks.o \
// RUN:   2> %t.asks.txt
// RUN: %FileCheck %s --check-prefix=TWICE --input-file %t.asks.txt
#include "contract.hpp"

// ONCE-COUNT-1: -disable-llvm-passes
// ONCE-NOT: -disable-llvm-passes
// TWICE-COUNT-2: -disable-llvm-passes
// TWICE-NOT: -disable-llvm-passes
#if defined ASKS && defined SPECPI_TARGET_NVPTX64
#define NAME Ptx
#elif defined ASKS
#define NAME Spir
#else
#define NAME Any
#endif
struct NAME;

// The images are the same as if each target were compiled alone.
// RUN: %specpi-cc --unit-id=unit --emit=spirv -I %inputs %s -o %t.spv
// RUN: %specpi-cc --unit-id=unit --emit=ptx -I %inputs %s -o %t.ptx
// RUN: %python %S/../Inputs/contains.py %t.o %t.spv %t.ptx
// RUN: %specpi-cc --unit-id=unit --emit=spirv -O0 -I %inputs %s -o %t.0.spv
// RUN: %specpi-cc --unit-id=unit --emit=ptx -O0 -I %inputs %s -o %t.0.ptx
// RUN: %python %S/../Inputs/contains.py %t.0.o %t.0.spv %t.0.ptx
// RUN: %specpi-cc --unit-id=unit --emit=spirv -D ASKS -I %inputs %s -o %t.asks.spv
// RUN: %specpi-cc --unit-id=unit --emit=ptx -D ASKS -I %inputs %s -o %t.asks.ptx
// RUN: %python %S/../Inputs/contains.py %t.asks.o %t.asks.spv %t.asks.ptx
// RUN: %spirv-dis %t.asks.spv | %FileCheck %s --check-prefix=SPIR
// RUN: %FileCheck %s --check-prefix=PTX --input-file %t.asks.ptx
// SPIR: OpEntryPoint Kernel %{{.*}} "_ZTS4Spir"
// PTX: .entry _ZTS3Ptx(
constexpr sycl::specialization_id<float> factor(2);

void host(float *data) {
  run<NAME>([=] { data[global_id(0)] *= get<factor>(); });
}

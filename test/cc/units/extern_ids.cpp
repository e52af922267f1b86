// Constants that other units define have zeros in their records, which the runtime replaces.
// RUN: %specpi-cc --unit-id=a --target=spir64,nvptx64 -I %inputs %s -o %t.o
// RUN: %specpi inspect %t.o | %FileCheck %s
// RUN: %specpi-cc --unit-id=a --emit=spirv -I %inputs %s -o %t.spv
// RUN: %spirv-val %t.spv
// RUN: %spirv-dis %t.spv | %FileCheck %s --check-prefix=SPIRV
// RUN: %spirv-dis %t.spv | %FileCheck %s --check-prefix=LINES
// RUN: %specpi-cc --unit-id=a --emit=ptx -I %inputs %s -o - | %FileCheck %s --check-prefix=PTX
// RUN: %specpi-cc --unit-id=a --spec-const=emulate --emit=props -I %inputs %s -o - \
// RUN:   | %FileCheck %s --check-prefix=PROPS
// RUN: sh %S/../errors/Inputs/refused.sh 1 \
// RUN:   "constant 'far' has a default that another module defines" \
// RUN:   %specpi-cc --unit-id=a --spec-const=default -I %inputs %s -o %t.o
// CHECK-COUNT-2: property specpi/imported constants, far: 1
// SPIRV-DAG: OpDecorate %[[#ID:]] SpecId
// SPIRV-NOT: LinkageAttributes "far"
// SPIRV-NOT: LinkageAttributes "_ZN3box4sizeE"
// SPIRV: OpSpecConstant {{.*}} 0
// Debug information, from which messages get their places, is not in the code.
// LINES-NOT: OpLine
// LINES: OpFunctionEnd
// PTX-NOT: .loc
// PTX: mov.b32 {{.*}}, 0x00000000; //specpi:
// PROPS: [specpi/imported constants]
// PROPS-NEXT: far=1|1
// PROPS-NEXT: flag=1|1
// PROPS-NEXT: pair=1|1
// PROPS-NEXT: _ZN3box4sizeE=1|1
// PROPS-NEXT: [specpi/
#include "contract.hpp"

struct two {
  short a;
  double b;
};
struct box {
  static const sycl::specialization_id<long> size;
};
extern const sycl::specialization_id<int> far;
extern const sycl::specialization_id<bool> flag;
extern sycl::specialization_id<two> pair;
inline constexpr sycl::specialization_id<int> near(7);

struct caller {
  double *data;
  void operator()() const {
    data[0] = get<far>() + get<near>() + get<flag>();
    data[1] = get<pair>().b + double(get<box::size>()) + get<far>();
  }
};
void host(double *data) {
  run<caller>(caller{data});
}

// Functions of other units, and units without kernels.
// RUN: %specpi-cc --unit-id=a --target=spir64,nvptx64 -I %inputs -D DEFINES %s -o %t.a.o
// RUN: %specpi inspect %t.a.o | %FileCheck %s --check-prefix=DEFINES
// RUN: %specpi-cc --unit-id=b --target=spir64,nvptx64 -I %inputs -D CALLS %s -o %t.b.o
// RUN: %specpi inspect %t.b.o | %FileCheck %s --check-prefix=CALLS
// RUN: %specpi-cc --unit-id=a --emit=ptx -I %inputs -D DEFINES %s -o - \
// RUN:   | %FileCheck %s --check-prefix=PTX
// RUN: %specpi-cc --unit-id=c --target=spir64,nvptx64 -I %inputs %s -o %t.c.o
// RUN: %specpi inspect %t.c.o | %FileCheck %s --check-prefix=NOTHING
// RUN: %nm %t.c.o | %FileCheck %s --check-prefix=NAMES --allow-empty
// RUN: %specpi-cc --unit-id=c --emit=spirv -I %inputs %s -o %t.spv 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=WARNED
// DEFINES-COUNT-2: property specpi/exported functions, _Z5therei: 1
// DEFINES-NOT: imported
// CALLS: kernel _ZTS6caller
// CALLS-COUNT-2: property specpi/imported functions, _Z5therei: {{[0-9]+}} bits, hex 27
// CALLS-NOT: exported
// PTX: .visible .func {{.*}} _Z5therei(
// NOTHING: 0 device images
// NAMES-NOT: register
// WARNED: warning: {{.*}}linked.cpp: there is no kernel in it
#include "contract.hpp"

SYCL_EXTERNAL int there(int x);
#ifdef DEFINES
int there(int x) {
  return int(global_id(0)) + x;
}
#endif
#ifdef CALLS
struct caller {
  int *data;
  void operator()() const {
    data[global_id(0)] = there(3);
  }
};
void host(int *data) {
  run<caller>(caller{data});
}
#endif

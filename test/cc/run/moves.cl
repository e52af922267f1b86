// Memory moves up and down on the CPU, with constant lengths, long and short, and with variable lengths.
// RUN: for mode in native emulate; do for level in %levels; do %specpi-cc -O$level --spec-const=$mode --emit=so %s -o %t.so && %launch %t.so k --global 1 --arg 'i32[12]=iota' --arg 'i32[80]=iota' --arg i32=5 --arg 'i32[10]=zero' --json | %FileCheck %s && %launch %t.so k --global 1 --arg 'i32[12]=iota' --arg 'i32[80]=iota' --arg i32=0 --arg 'i32[10]=zero' --set count=i32:2 --json | %FileCheck %s --check-prefix=SET || exit 1; done; done
// RUN: %specpi-cc --emit=ptx %s -o - | grep 'entry k('
// CHECK: {{\[\[}}0,0,1,2,3,4,7,8,9,10,10,11],[1,1,2,{{.*}},77,78,79],[1,2,3,4,0,1,1,2,3,4]]
// SET: {{\[\[}}0,1,2,3,4,5,7,8,8,9,10,11],[1,1,2,{{.*}},77,78,79],[2,2,3,4,5,1,2,3,4,5]]
#include <specpi/device.h>

SPECPI_CONSTANT(int, count, 4);

kernel void k(global int *some, global int *many, int n, global int *out) {
  __builtin_memmove(some + 1, some, n * sizeof *some);
  __builtin_memmove(some + 6, some + 7, specpi_get(count) * sizeof *some);
  __builtin_memmove(many, many + 1, 79 * sizeof *many);
  __builtin_memmove(many + 1, many, 79 * sizeof *many);

  int window[10];
  for (int i = 0; i < 10; i++)
    window[i] = some[i];
  for (int j = 0; j < 2; j++) {
    for (int i = 0; i < 7; i++)
      window[i] = window[i + 1];
    __builtin_memmove(window + 5, window, 5 * sizeof *window);
  }
  for (int i = 9; i > n; i--)
    window[i] = window[i - 1];
  for (int i = 0; i < 10; i++)
    out[i] = window[i];
}

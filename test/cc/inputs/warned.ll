; The pass's warnings are printed, and a warning about an input without kernels.
; RUN: %specpi-cc --emit=json %s -o %t.json 2>&1 | %FileCheck %s
; RUN: echo 'int f(int x) { return x; }' > %t.cl
; RUN: %specpi-cc %t.cl -o %t.o 2>&1 | %FileCheck %s --check-prefix=NONE
; CHECK: specpi-cc: warning: {{.*}}warned.ll: {{.*}}'n'
; NONE: specpi-cc: warning: {{.*}}: there is no kernel in it
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private addrspace(2) constant [2 x i8] c"n\00"
@d = internal addrspace(2) constant %id { i32 42 }
@other = internal addrspace(2) constant %id { i32 43 }
declare spir_func i32 @_Z37__sycl_getScalar2020SpecConstantValue_n(ptr addrspace(2), ptr addrspace(2), ptr addrspace(1))
define spir_kernel void @k(ptr addrspace(1) %out) {
  %v = call spir_func i32 @_Z37__sycl_getScalar2020SpecConstantValue_n(ptr addrspace(2) @n, ptr addrspace(2) @d, ptr addrspace(1) null)
  %w = call spir_func i32 @_Z37__sycl_getScalar2020SpecConstantValue_n(ptr addrspace(2) @n, ptr addrspace(2) @other, ptr addrspace(1) null)
  %s = add i32 %v, %w
  store i32 %s, ptr addrspace(1) %out
  ret void
}

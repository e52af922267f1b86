; LLVM assembly and bitcode, with and without typed pointers, with and without a target.
; RUN: %specpi-cc --emit=json %s | %FileCheck %s
; RUN: %specpi-cc --emit=spirv %s -o %t.spv
; RUN: %spirv-dis %t.spv | %FileCheck %s --check-prefix=SPIRV
; RUN: %clang -target spir64-unknown-unknown -O0 -emit-llvm -c -x ir %s -o %t.bc
; RUN: %specpi-cc --emit=json %t.bc | %FileCheck %s
; RUN: %specpi-cc --emit=spirv %t.bc -o %t.bc.spv
; RUN: %spirv-dis %t.bc.spv | %FileCheck %s --check-prefix=SPIRV
; RUN: %clang -x cl -cl-std=CL2.0 -target spir64-unknown-unknown -Xclang -finclude-default-header -Xclang -no-opaque-pointers -O2 -I %S/../../../include -emit-llvm -c %inputs/radius.cl -o %t.typed.bc
; RUN: %specpi-cc --emit=json %t.typed.bc > %t.typed.json
; RUN: %specpi-cc --emit=json %inputs/radius.cl | cmp - %t.typed.json
; RUN: %specpi-cc %s %t.bc %t.typed.bc -o %t.o
; RUN: %specpi inspect %t.o | %FileCheck %s --check-prefix=THREE
; THREE: 3 device images
; CHECK: {"constants": [{"name": "n", "kind": "scalar", "descriptors": [{"id": 0, "offset": 0, "size": 4}], "default": "2a000000"}], "defaults": "2a000000", "buffer": []}
; SPIRV: OpSpecConstant %uint 42
%id = type { i32 }
@n = private addrspace(2) constant [2 x i8] c"n\00"
@d = internal addrspace(2) constant %id { i32 42 }
declare spir_func i32 @_Z37__sycl_getScalar2020SpecConstantValue_n(ptr addrspace(2), ptr addrspace(2), ptr addrspace(1))
define spir_kernel void @k(ptr addrspace(1) %out) {
  %v = call spir_func i32 @_Z37__sycl_getScalar2020SpecConstantValue_n(ptr addrspace(2) @n, ptr addrspace(2) @d, ptr addrspace(1) null)
  store i32 %v, ptr addrspace(1) %out
  ret void
}

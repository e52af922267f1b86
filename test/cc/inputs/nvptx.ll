; Modules with NVPTX's own triple, and SPIR-V compiled for nvptx64, without constants or with defaults.
; RUN: %specpi-cc --emit=ptx %s -o - | %FileCheck %s
; RUN: %not %specpi-cc --emit=spirv %s -o %t.none 2>&1 | %FileCheck %s --check-prefix=OTHER
; OTHER: specpi-cc: {{.*}}nvptx.ll: {{.*}}'nvptx64-nvidia-cuda'
; RUN: %not test -e %t.none

; RUN: %specpi-cc --emit=spirv %inputs/radius.cl -o %t.spv
; RUN: %not %specpi-cc --emit=ptx %t.spv -o %t.none 2>&1 | %FileCheck %s --check-prefix=CONSTANTS
; CONSTANTS: SPIR-V with specialization constants, e.g. 'spec_0', becomes code for nvptx64 with --spec-const=default only
; RUN: %specpi-cc --emit=ptx --spec-const=default %t.spv -o - | %FileCheck %s --check-prefix=DEFAULT
; DEFAULT: .entry blur(
; RUN: %specpi-cc --emit=spirv --spec-const=default %inputs/radius.cl -o %t.d.spv
; RUN: %specpi-cc --emit=ptx %t.d.spv -o - | %FileCheck %s --check-prefix=DEFAULT
; RUN: %specpi-cc --target=nvptx64 --emit=bc %t.d.spv -o %t.bc
target triple = "nvptx64-nvidia-cuda"
; CHECK: .entry k(
; CHECK: //!specpi constant n scalar
%id = type { i32 }
@n = private addrspace(4) constant [2 x i8] c"n\00"
@d = internal addrspace(4) constant %id { i32 42 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValue_n(ptr addrspace(4), ptr addrspace(4), ptr addrspace(1))
define void @k(ptr addrspace(1) %out) {
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValue_n(ptr addrspace(4) @n, ptr addrspace(4) @d, ptr addrspace(1) null)
  store i32 %v, ptr addrspace(1) %out
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}

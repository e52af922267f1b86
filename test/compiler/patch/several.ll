; Several uses in one function share a place. A scalar has one place per kernel, and none if no result
; depends on it. Patching writes the value to all places.
; RUN: %lower --mode=patch --emit=ptx %s -o %t.ptx
; RUN: FileCheck %s < %t.ptx
; CHECK: .visible .entry twice(
; CHECK: //specpi:0
; CHECK-NOT: //specpi:0
; CHECK: .visible .entry other(
; CHECK: //specpi:0
; CHECK-NOT: //specpi
; CHECK: .visible .entry unused(
; CHECK-NOT: //specpi:
; CHECK: //!specpi constant n scalar 0 4 1
; CHECK: //!specpi constant m scalar 4 4 1
; CHECK: //!specpi place 0
; CHECK-NEXT: //!specpi place 0
; CHECK-NEXT: //!specpi kernel
; RUN: %patch %t.ptx n=ffeeddcc m=00000000 > %t.text
; RUN: FileCheck %s --check-prefix=SET < %t.text
; SET: 0xccddeeff; //specpi:0
; SET: 0xccddeeff; //specpi:0
; Without optimisation each use has its place.
; RUN: %lower --mode=patch --emit=ptx -O 0 %s -o %t.o0.ptx
; RUN: grep -c "specpi place 0" %t.o0.ptx | FileCheck %s --check-prefix=O0
; O0: {{^4$}}
; RUN: %patch %t.o0.ptx n=ffeeddcc > %t.o0.text
target triple = "nvptx64-nvidia-cuda"
%id.i32 = type { i32 }
@n = private constant [2 x i8] c"n\00"
@m = private constant [2 x i8] c"m\00"
@d = internal constant %id.i32 { i32 3 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
define i32 @helper() noinline {
  %n = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d, ptr null)
  ret i32 %n
}
define ptx_kernel void @twice(ptr addrspace(1) %p) {
  %a = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d, ptr null)
  %b = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d, ptr null)
  %v = load i32, ptr addrspace(1) %p
  %x = mul i32 %v, %a
  %y = add i32 %x, %b
  store i32 %y, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @other(ptr addrspace(1) %p) {
  %n = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d, ptr null)
  store i32 %n, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @unused(ptr addrspace(1) %p) {
  %m = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @m, ptr @d, ptr null)
  %n = call i32 @helper()
  ret void
}

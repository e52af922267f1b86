; A kernel that reads its constants from a buffer. The trailer has the buffer's contents, its argument and
; the kernel's requirements. No other symbol is visible.
; RUN: %lower --mode=emulate --emit=ptx --gpu-arch=sm_75 %s -o %t.ptx
; RUN: %patch %t.ptx > %t.text
; RUN: FileCheck %s < %t.ptx
; CHECK: .target sm_75
; CHECK-NOT: .visible .func
; CHECK-NOT: unused
; CHECK: .visible .entry k(
; CHECK: k_param_1
; CHECK: .reqntid 8, 4, 1
; CHECK: ld.global
; CHECK-NOT: mov{{.*}} 0x
; CHECK: {{^}}//!specpi 1 emulate 2 3 16 0 2
; CHECK-NEXT: //!specpi constant one%20name%25%ff scalar 0 4 2
; CHECK-NEXT: //!specpi leaf 0 0 4
; CHECK-NEXT: //!specpi leaf 4294967295 4 4
; CHECK-NEXT: //!specpi constant long scalar 8 8 1
; CHECK-NEXT: //!specpi leaf 1 0 8
; CHECK-NEXT: //!specpi bytes 03000000000000000200000000000000
; CHECK-NEXT: //!specpi kernel k 1 8 4 1
; CHECK-NEXT: //!specpi kernel other - 0 0 0
; CHECK-NEXT: //!specpi end
; RUN: %lower --mode=default --emit=ptx %s | FileCheck %s --check-prefix=DEFAULT
; DEFAULT: {{^}}//!specpi 1 default 0 0 0 0 2
; DEFAULT-NEXT: //!specpi kernel k - 8 4 1
target triple = "nvptx64-nvidia-cuda"
%id.i32 = type { i32 }
%id.i64 = type { i64 }
@n = private constant [11 x i8] c"one name%\FF\00"
@m = private constant [5 x i8] c"long\00"
@d = internal constant %id.i32 { i32 3 }
@e = internal constant %id.i64 { i64 2 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
declare i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(ptr, ptr, ptr)
define i64 @unused() {
  ret i64 1
}
define void @k(ptr addrspace(1) %p) !reqd_work_group_size !1 {
  %n = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d, ptr null)
  %m = call i64 @inner()
  %l = sext i32 %n to i64
  %s = add i64 %l, %m
  store i64 %s, ptr addrspace(1) %p
  ret void
}
define i64 @inner() {
  %v = call i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(ptr @m, ptr @e, ptr null)
  ret i64 %v
}
define ptx_kernel void @other() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
!1 = !{i32 8, i32 4}

; The offset is the entry's last argument, so that the buffer of mode emulate keeps its place.
; RUN: %lower --mode=emulate --emit=ptx %s | FileCheck %s --check-prefixes=CHECK,O2
; RUN: %lower --mode=emulate --emit=ptx -O 0 %s | FileCheck %s --check-prefixes=CHECK,O0
target triple = "nvptx64-nvidia-cuda"
%id.i32 = type { i32 }
@n = private constant [2 x i8] c"n\00"
@d = internal constant %id.i32 { i32 3 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
declare i64 @_Z17get_global_offsetj(i32)
; CHECK: .visible .entry k(
; CHECK-NEXT: .param .u64 k_param_0,
; CHECK-NEXT: .param .u64 k_param_1
; CHECK-NEXT: )
; CHECK: .visible .entry k_with_offset(
; CHECK-NEXT: .param .u64 k_with_offset_param_0,
; CHECK-NEXT: .param .u64 k_with_offset_param_1,
; CHECK-NEXT: .param .align 4 .b8 k_with_offset_param_2[12]
; CHECK-NEXT: )
; CHECK-DAG: k_with_offset_param_1];
; CHECK-DAG: k_with_offset_param_2];
; CHECK: {{^}}//!specpi 1 emulate 1 1 4 0 1
; CHECK: {{^}}//!specpi kernel k 1 0 0 0
; At -O 0 a function comes between the two entries in the text, so that the trailer has no line of offsets.
; O2-NEXT: {{^}}//!specpi offsets
; O2-NEXT: {{^}}//!specpi end
; O0-NEXT: {{^}}//!specpi end
define i32 @value() {
  %n = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d, ptr null)
  ret i32 %n
}
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %n = call i32 @value()
  %o = call i64 @_Z17get_global_offsetj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %o
  store i32 %n, ptr addrspace(1) %q
  ret void
}

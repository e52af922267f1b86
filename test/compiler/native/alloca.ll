; An alloca whose size is a constant. llvm-spirv 15 cannot translate it, so that only the text is checked.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=default %s | FileCheck %s --check-prefix=DEFAULT
target triple = "spir64-unknown-unknown"
%id = type { i64 }
@n = private constant [2 x i8] c"n\00"
@d = internal constant %id { i64 10 }
declare ptr @llvm.sycl.alloca.p0.p4.p4.p4.f32(ptr, ptr, ptr, float, i64)

; CHECK: %[[N:.*]] = call spir_func i64 @_Z20__spirv_SpecConstantix(i32 0, i64 10)
; CHECK-NEXT: %[[A:.*]] = alloca float, i64 %[[N]], align 16
; CHECK-NEXT: store float 0.000000e+00, ptr %[[A]]
; CHECK: !{!"n", i32 0, i32 0, i32 8}
; DEFAULT: alloca float, i64 10, align 16
define spir_kernel void @k() {
  %a = call ptr @llvm.sycl.alloca.p0.p4.p4.p4.f32(ptr @n, ptr @d, ptr null, float 0.0, i64 16)
  store float 0.0, ptr %a
  ret void
}

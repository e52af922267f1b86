; Types that devices lack are allowed in structures and as targets of pointers, as long as no code computes with them.
; RUN: %lower --unit-id=unit --emit=kernels %s | FileCheck %s --implicit-check-not=fp80 --implicit-check-not=fp128
; RUN: %lower --unit-id=unit --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
target triple = "spir64-unknown-unknown"
; CHECK: %object{{.*}} = type { i32, <2 x i64>, <2 x i64>, [2 x <2 x i64>], i32 }
%object = type { i32, x86_fp80, fp128, [2 x i128], i32 }
@.name = private constant [6 x i8] c"_ZTSK\00"
declare void @__specpi_kernel_entry(ptr)

; CHECK: define {{.*}}spir_kernel void @_ZTSK(ptr byval(%object{{[.0-9]*}}) align 16 %i128)
; CHECK: getelementptr %object{{[.0-9]*}}, ptr %i128, i32 0, i32 4
define void @k(ptr byval(%object) align 16 %i128) {
  call void @__specpi_kernel_entry(ptr @.name)
  %p = getelementptr %object, ptr %i128, i32 0, i32 4
  store i32 1, ptr %p
  ret void
}

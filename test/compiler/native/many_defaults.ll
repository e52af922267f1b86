; A name with two defaults: the records have the first, and there is a warning.
; RUN: %lower --mode=native %s -o %t.ll 2> %t.err
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=WARNING < %t.err
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [2 x i8] c"n\00"
@d1 = internal constant %id { i32 1 }
@d2 = internal constant %id { i32 2 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
; WARNING: warning: function 'k': constant 'n' has another default than at its first use, which counts
; CHECK: @_Z20__spirv_SpecConstantii(i32 0, i32 1)
; CHECK: @_Z20__spirv_SpecConstantii(i32 0, i32 2)
; CHECK: !sycl.specialization-constants = !{!0}
; CHECK: !{i32 1}
define spir_func i32 @k() {
  %a = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d1, ptr null)
  %b = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d2, ptr null)
  %c = add i32 %a, %b
  ret i32 %c
}

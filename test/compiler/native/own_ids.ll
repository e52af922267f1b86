; Ids that the module already uses are not assigned again. A module without constants gets empty records.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --target=spir64 %S/Inputs/empty.ll | FileCheck %s --check-prefix=EMPTY
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [2 x i8] c"n\00"
@d = internal constant %id { i32 1 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
declare spir_func i32 @_Z20__spirv_SpecConstantii(i32, i32)
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 5, i32 3)
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 6, i32 1)
; EMPTY: target datalayout = "e-i64:64-
; EMPTY: target triple = "spir64-unknown-unknown"
; EMPTY: !sycl.specialization-constants = !{}
; EMPTY: !sycl.specialization-constants-default-values = !{}
define spir_func i32 @k() {
  %a = call spir_func i32 @_Z20__spirv_SpecConstantii(i32 5, i32 3)
  %b = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d, ptr null)
  %c = add i32 %a, %b
  ret i32 %c
}

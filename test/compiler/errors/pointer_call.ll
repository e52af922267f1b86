; A function that is also called through a pointer cannot get an additional argument.
; RUN: not %lower --mode=emulate %s 2>&1 | FileCheck %s
; CHECK: error: function 'leaf' uses constants and is not only called, so that it cannot be given their buffer (SPECPI_COMPILER_ERROR_INVALID_CALL)
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [2 x i8] c"n\00"
@d = internal constant %id { i32 1 }
@table = constant [1 x ptr] [ptr @leaf]
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
define i32 @leaf() {
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d, ptr null)
  ret i32 %v
}
define spir_kernel void @k() {
  %v = call i32 @leaf()
  ret void
}

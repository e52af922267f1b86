; RUN: not %lower --mode=native %s 2>&1 | FileCheck %s
; RUN: not %lower --mode=default %s 2>&1 | FileCheck %s
; CHECK: error: function 'k': a call of '_Z37__sycl_getScalar2020SpecConstantValueIiET_' has too few arguments (SPECPI_COMPILER_ERROR_INVALID_CALL)
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [5 x i8] c"name\00"
@d = internal constant %id { i32 1 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr)
define i32 @k() {
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d)
  ret i32 %v
}

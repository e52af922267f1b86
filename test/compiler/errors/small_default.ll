; RUN: not %lower --mode=native %s 2>&1 | FileCheck %s
; RUN: not %lower --mode=default %s 2>&1 | FileCheck %s
; CHECK: error: function 'k': constant 'name' has 8 bytes, and its default only 4 (SPECPI_COMPILER_ERROR_INVALID_DEFAULT)
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [5 x i8] c"name\00"
@d = internal constant %id { i32 1 }
declare i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(ptr, ptr, ptr)
define i64 @k() {
  %v = call i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(ptr @n, ptr @d, ptr null)
  ret i64 %v
}

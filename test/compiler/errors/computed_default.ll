; RUN: not %lower --mode=native %s 2>&1 | FileCheck %s
; RUN: not %lower --mode=default %s 2>&1 | FileCheck %s
; CHECK: error: function 'k': constant 'name' has a default that is computed later (SPECPI_COMPILER_ERROR_INVALID_DEFAULT)
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [5 x i8] c"name\00"
@d = internal constant %id { i32 1 }
%id64 = type { i64 }
@x = internal constant %id64 { i64 ptrtoint (ptr @d to i64) }
declare i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(ptr, ptr, ptr)
define i64 @k() {
  %v = call i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(ptr @n, ptr @x, ptr null)
  ret i64 %v
}

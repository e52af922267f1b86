; RUN: not %lower --mode=native %s 2>&1 | FileCheck %s
; RUN: not %lower --mode=default %s 2>&1 | FileCheck %s
; CHECK: error: function 'k': constant 'name' has a default that is not known here: the argument leads to no global variable (SPECPI_COMPILER_ERROR_INVALID_DEFAULT)
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [5 x i8] c"name\00"
@d = internal constant %id { i32 1 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
define i32 @k(ptr %default) {
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr %default, ptr null)
  ret i32 %v
}

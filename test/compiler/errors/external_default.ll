; RUN: not %lower --mode=native %s 2>&1 | FileCheck %s
; RUN: not %lower --mode=default %s 2>&1 | FileCheck %s
; CHECK: error: function 'k': constant 'name' has a default that another module defines (SPECPI_COMPILER_ERROR_INVALID_DEFAULT)
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [5 x i8] c"name\00"
@d = internal constant %id { i32 1 }
@x = external constant %id
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
define i32 @k() {
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @x, ptr null)
  ret i32 %v
}

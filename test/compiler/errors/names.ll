; Names that one of the output forms cannot represent.
; RUN: not %lower --emit=prop %s 2>&1 | FileCheck %s
; RUN: %lower --emit=json %s | FileCheck %s --check-prefix=JSON
; CHECK: error: a .prop file cannot have a property named 'a=b' (SPECPI_COMPILER_ERROR_INVALID_NAME)
; JSON: "name": "a=b"
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [4 x i8] c"a=b\00"
@d = internal constant %id { i32 1 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
define i32 @k() {
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n, ptr @d, ptr null)
  ret i32 %v
}

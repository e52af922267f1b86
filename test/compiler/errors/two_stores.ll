; RUN: not %lower --mode=native %s 2>&1 | FileCheck %s
; CHECK: error: function 'k': a constant's name is not known here: the argument leads to no global string (SPECPI_COMPILER_ERROR_INVALID_NAME)
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [5 x i8] c"name\00"
@o = private constant [6 x i8] c"other\00"
@d = internal constant %id { i32 1 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
; The slot may have either name at the load.
define i32 @k(i1 %which) {
  %slot = alloca ptr
  store ptr @n, ptr %slot
  br i1 %which, label %then, label %end
then:
  store ptr @o, ptr %slot
  br label %end
end:
  %name = load ptr, ptr %slot
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr %name, ptr @d, ptr null)
  ret i32 %v
}

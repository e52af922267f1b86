; RUN: not %lower --mode=native %s 2>&1 | FileCheck %s
; RUN: not %lower --mode=default %s 2>&1 | FileCheck %s
; CHECK: error: function 'k': constant 'name' has an integer, or bit-fields without a gap, of more than 64 bits (SPECPI_COMPILER_ERROR_UNSUPPORTED_TYPE)
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [5 x i8] c"name\00"
@d = internal constant %id { i32 1 }

%idx = type { i128 }
@x = internal constant %idx zeroinitializer
declare i128 @_Z40__sycl_getComposite2020SpecConstantValueIxET_(ptr, ptr, ptr)
define void @k() {
  %v = call i128 @_Z40__sycl_getComposite2020SpecConstantValueIxET_(ptr @n, ptr @x, ptr null)
  ret void
}

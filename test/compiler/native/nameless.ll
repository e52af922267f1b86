; An unnamed structure, which clang uses for complex numbers.
; RUN: %lower --mode=native %s | FileCheck %s
; CHECK-LABEL: define void @k
; CHECK: %[[A:.*]] = call spir_func i32 @_Z20__spirv_SpecConstantii(i32 0, i32 0)
; CHECK-NEXT: %[[B:.*]] = call spir_func i8 @_Z20__spirv_SpecConstantia(i32 1, i8 0)
; CHECK-NEXT: call spir_func { i32, i8 } @_Z29__spirv_SpecConstantCompositeia_Rstruct(i32 %[[A]], i8 %[[B]])
target triple = "spir64-unknown-unknown"
%id = type { i32 }
@n = private constant [5 x i8] c"name\00"
@d = internal constant %id { i32 1 }

%idx = type { { i32, i8 } }
@x = internal constant %idx zeroinitializer
declare { i32, i8 } @_Z40__sycl_getComposite2020SpecConstantValueIxET_(ptr, ptr, ptr)
define void @k() {
  %v = call { i32, i8 } @_Z40__sycl_getComposite2020SpecConstantValueIxET_(ptr @n, ptr @x, ptr null)
  ret void
}

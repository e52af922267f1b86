; The padding after a vector of three elements belongs to the structure even if an empty member follows.
; A record for the padding makes the sizes add up.
; RUN: %lower --mode=native %s | FileCheck %s
target triple = "spir64-unknown-unknown"
%empty = type {}
%s = type { <3 x i32>, %empty }
%id = type { %s }
@n = private constant [2 x i8] c"n\00"
@d = internal constant %id { %s { <3 x i32> <i32 1, i32 2, i32 3>, %empty zeroinitializer } }
declare %s @_Z40__sycl_getComposite2020SpecConstantValueI1sET_(ptr, ptr, ptr)
; CHECK: !{!"n", i32 0, i32 0, i32 4, i32 1, i32 4, i32 4, i32 2, i32 8, i32 4, i32 -1, i32 12, i32 4}
define %s @k() {
  %v = call %s @_Z40__sycl_getComposite2020SpecConstantValueI1sET_(ptr @n, ptr @d, ptr null)
  ret %s %v
}

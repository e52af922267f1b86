; Typed pointers (in versions of LLVM that have them), a module without a data layout, and an alloca of a variable size.
; RUN: %lower --mode=emulate %s | FileCheck %s --check-prefixes=CHECK,%pointers
target triple = "nvptx64-nvidia-cuda"
%id.i32 = type { i32 }
%id.i64 = type { i64 }
@n.a = private constant [2 x i8] c"a\00"
@n.b = private constant [2 x i8] c"b\00"
@n.c = private constant [2 x i8] c"c\00"
@d.a = internal constant %id.i32 { i32 1 }
@d.b = internal constant %id.i64 { i64 2 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(i8*, i8*, i8*)
declare i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(i8*, i8*, i8*)
declare float* @llvm.sycl.alloca.f32(i8*, i8*, i8*, float, i64)
; CHECK: target datalayout = "e-i64:64-i128:128
; TYPED: %[[P:.*]] = getelementptr i8, i8* %buffer, i32 8
; TYPED-NEXT: %[[Q:.*]] = bitcast i8* %[[P]] to i64*
; TYPED-NEXT: load i64, i64* %[[Q]], align 8
; OPAQUE: %[[P:.*]] = getelementptr i8, ptr %buffer, i32 8
; OPAQUE-NEXT: load i64, ptr %[[P]], align 8
; CHECK: alloca float, i64 2, align 4
; CHECK: !{!"a", i32 0, i32 0, i32 4, i32 -1, i32 4, i32 4}
; CHECK: !{!"b", i32 1, i32 0, i32 8}
; CHECK-NOT: !{!"c"
define i64 @k(i8* %buffer) {
  %a = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(i8* getelementptr ([2 x i8], [2 x i8]* @n.a, i64 0, i64 0), i8* bitcast (%id.i32* @d.a to i8*), i8* %buffer)
  %b = call i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_(i8* getelementptr ([2 x i8], [2 x i8]* @n.b, i64 0, i64 0), i8* bitcast (%id.i64* @d.b to i8*), i8* %buffer)
  %m = call float* @llvm.sycl.alloca.f32(i8* getelementptr ([2 x i8], [2 x i8]* @n.c, i64 0, i64 0), i8* bitcast (%id.i64* @d.b to i8*), i8* null, float 0.0, i64 4)
  store float 1.0, float* %m
  %z = zext i32 %a to i64
  %s = add i64 %z, %b
  ret i64 %s
}

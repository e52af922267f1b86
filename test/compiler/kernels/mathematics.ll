; Calls of C's mathematical functions, and of LLVM's intrinsics that the target lacks, become calls of OpenCL's.
; RUN: %lower --unit-id=unit --emit=kernels %s | FileCheck %s
target triple = "spir64-unknown-unknown"
@.name = private constant [6 x i8] c"_ZTSK\00"
declare void @__specpi_kernel_entry(ptr)
declare spir_func float @sinf(float)
declare spir_func double @atan2(double, double)
declare spir_func double @tanl(double)
declare spir_func float @fmaf(float, float, float)
declare float @llvm.pow.f32(float, float)
declare double @llvm.exp.f64(double)
declare float @llvm.sqrt.f32(float)
declare i64 @llvm.lround.i64.f64(double)
declare i32 @llvm.lrint.i32.f32(float)
; A function of the same name with other types is OpenCL's and stays.
declare spir_func float @_Z3cosf(float)

; CHECK: call spir_func float @_Z3sinf(float 1.000000e+00)
; CHECK: call spir_func double @_Z5atan2dd(double 1.000000e+00, double 2.000000e+00)
; CHECK: call spir_func double @_Z3tand(double %{{.*}})
; CHECK: call spir_func float @_Z3fmafff(float %[[A:.*]], float %[[A]], float %[[A]])
; CHECK: call spir_func float @_Z3powff(float %{{.*}}, float %{{.*}})
; CHECK: call spir_func double @_Z3expd(double %{{.*}})
; CHECK: %g = call float @llvm.sqrt.f32(float %{{.*}})
; CHECK: %[[ROUND:.*]] = call double @llvm.round.f64(double %{{.*}})
; CHECK: fptosi double %[[ROUND]] to i64
; CHECK: %[[RINT:.*]] = call float @llvm.rint.f32(float %g)
; CHECK: fptosi float %[[RINT]] to i32
; CHECK: call spir_func float @_Z3cosf(float %g)
; CHECK-NOT: declare {{.*}}@sinf
define void @k(ptr byval(i32) align 4 %object) {
  call void @__specpi_kernel_entry(ptr @.name)
  %a = call spir_func float @sinf(float 1.0)
  %b = call spir_func double @atan2(double 1.0, double 2.0)
  %c = call spir_func double @tanl(double %b)
  %d = call spir_func float @fmaf(float %a, float %a, float %a)
  %e = call float @llvm.pow.f32(float %d, float %d)
  %f = call double @llvm.exp.f64(double %c)
  %g = call float @llvm.sqrt.f32(float %e)
  %h = call i64 @llvm.lround.i64.f64(double %f)
  %i = call i32 @llvm.lrint.i32.f32(float %g)
  %j = call spir_func float @_Z3cosf(float %g)
  ret void
}

; The functions of SYCL 1.2.1: the default is zero, a boolean is one bit.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
; RUN: spirv-dis %t.spv | FileCheck %s --check-prefix=SPIRV
target triple = "spir64-unknown-unknown"
%pair = type { i32, i8 }
@n.b = private constant [2 x i8] c"b\00"
@n.p = private constant [2 x i8] c"p\00"
declare i1 @_Z33__sycl_getScalarSpecConstantValueIbET_PKc(ptr)
declare void @_Z36__sycl_getCompositeSpecConstantValueI4pairET_PKc(ptr sret(%pair), ptr)

; CHECK: call spir_func i1 @_Z20__spirv_SpecConstantib(i32 0, i1 false)
; CHECK: call spir_func %pair @_Z29__spirv_SpecConstantCompositeia_Rpair(
; CHECK: !{!"b", i32 0, i32 0, i32 1}
; CHECK: !{!"p", i32 1, i32 0, i32 4, i32 2, i32 4, i32 1, i32 -1, i32 5, i32 3}
; CHECK: !{i1 false}
; SPIRV: OpSpecConstantFalse

define spir_kernel void @k(ptr addrspace(1) %out) {
  %slot = alloca %pair
  %b = call i1 @_Z33__sycl_getScalarSpecConstantValueIbET_PKc(ptr @n.b)
  call void @_Z36__sycl_getCompositeSpecConstantValueI4pairET_PKc(ptr sret(%pair) %slot, ptr @n.p)
  %z = zext i1 %b to i32
  store i32 %z, ptr addrspace(1) %out
  ret void
}

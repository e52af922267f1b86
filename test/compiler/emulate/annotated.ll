; nvvm.annotations must name the kernel's new function. Pointers are typed in versions of LLVM that have typed ones.
; RUN: %lower --mode=emulate %s | FileCheck %s --check-prefix=%pointers
; RUN: %lower --mode=emulate --emit=bc %s -o %t.bc
; RUN: llc -mcpu=sm_50 %t.bc -o - | FileCheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"
%id = type { i32 }
@n = private constant [2 x i8] c"n\00"
@d = internal constant %id { i32 1 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(i8*, i8*, i8*)
; TYPED: define void @k(i32 addrspace(1)* %out, i8 addrspace(1)* %_arg__specialization_constants_buffer)
; OPAQUE: define void @k(ptr addrspace(1) %out, ptr addrspace(1) %_arg__specialization_constants_buffer)
; TYPED: !nvvm.annotations = !{!{{.*}}, ![[K:[0-9]+]]}
; OPAQUE: !nvvm.annotations = !{![[K:[0-9]+]]}
; TYPED: ![[K]] = !{void (i32 addrspace(1)*, i8 addrspace(1)*)* @k, !"kernel", i32 1}
; OPAQUE: ![[K]] = !{ptr @k, !"kernel", i32 1}
; PTX: .entry k(
; PTX: .param .u64 k_param_1
; PTX: ld.global
define void @k(i32 addrspace(1)* %out) {
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(i8* getelementptr ([2 x i8], [2 x i8]* @n, i64 0, i64 0), i8* bitcast (%id* @d to i8*), i8* null)
  store i32 %v, i32 addrspace(1)* %out
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (i32 addrspace(1)*)* @k, !"kernel", i32 1}

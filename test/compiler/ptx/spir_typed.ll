; Like spir.ll, with typed pointers: types that differ for SPIR and are the same for NVPTX must match.
; RUN: %lower --mode=patch --target=nvptx64 %s | FileCheck %s
; RUN: %lower --mode=patch --target=nvptx64 --emit=ptx %s | FileCheck %s --check-prefix=PTX
; CHECK: define ptx_kernel void @k({{i32|ptr}} addrspace(1){{\*?}} %out, {{i32|ptr}} addrspace(1){{\*?}} %c)
; CHECK-NEXT: %slot = alloca {{i8\*|ptr}}
; CHECK: %private = alloca i32
; CHECK: %bytes = bitcast {{i32\*|ptr}} %private to {{i8\*|ptr}}
; CHECK: %v = load i32, {{i32|ptr}} addrspace(1){{\*?}} %c
; CHECK: %[[N:.*]] = call i32 asm "mov.b32 $0, 0x00000003; //specpi:0", "=r"()
; CHECK: %sum = add i32 %v, %[[N]]
; CHECK: !{!"n", i32 0, i32 0, i32 4}
; PTX: add.s32
; PTX: //!specpi place 0 [[#]] 4
; PTX-NEXT: //!specpi kernel k - 0 0 0
target triple = "spir64"
%id = type { i32 }
@n = private addrspace(2) constant [2 x i8] c"n\00"
@d = internal addrspace(2) constant %id { i32 3 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(i8 addrspace(4)*, i8 addrspace(4)*, i8 addrspace(4)*)
define spir_kernel void @k(i32 addrspace(1)* %out, i32 addrspace(2)* %c) {
  %slot = alloca i8 addrspace(4)*
  %private = alloca i32
  %generic = addrspacecast i32* %private to i32 addrspace(4)*
  %bytes = bitcast i32 addrspace(4)* %generic to i8 addrspace(4)*
  store i8 addrspace(4)* %bytes, i8 addrspace(4)** %slot
  %v = load i32, i32 addrspace(2)* %c
  %s = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(i8 addrspace(4)* addrspacecast (i8 addrspace(2)* getelementptr ([2 x i8], [2 x i8] addrspace(2)* @n, i64 0, i64 0) to i8 addrspace(4)*), i8 addrspace(4)* addrspacecast (i8 addrspace(2)* bitcast (%id addrspace(2)* @d to i8 addrspace(2)*) to i8 addrspace(4)*), i8 addrspace(4)* null)
  %sum = add i32 %v, %s
  store i32 %sum, i32 addrspace(1)* %out
  ret void
}

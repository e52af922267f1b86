; A default is found through a getelementptr, too: a cast of a typed pointer to i8* becomes one if the
; object starts with an i8, be it in a vector.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
target triple = "spir64-unknown-unknown"

%id.v2 = type { <2 x i8> }
%id.nested = type { [2 x <4 x i8>] }

@n.v2 = private unnamed_addr addrspace(1) constant [3 x i8] c"v2\00"
@n.nested = private unnamed_addr addrspace(1) constant [7 x i8] c"nested\00"
@d.v2 = internal addrspace(1) constant %id.v2 { <2 x i8> <i8 1, i8 2> }
@d.nested = internal addrspace(1) constant %id.nested { [2 x <4 x i8>] [<4 x i8> <i8 3, i8 4, i8 5, i8 6>, <4 x i8> zeroinitializer] }

declare <2 x i8> @_Z40__sycl_getComposite2020SpecConstantValueIDv2_aET_PKcPKvS5_(i8 addrspace(4)*, i8 addrspace(4)*, i8 addrspace(4)*)
declare [2 x <4 x i8>] @_Z40__sycl_getComposite2020SpecConstantValueIA2_Dv4_aET_PKcPKvS5_(i8 addrspace(4)*, i8 addrspace(4)*, i8 addrspace(4)*)

; CHECK-LABEL: define spir_func <2 x i8> @v2(
; CHECK: call spir_func i8 @_Z20__spirv_SpecConstantia(i32 0, i8 1)
; CHECK: call spir_func i8 @_Z20__spirv_SpecConstantia(i32 1, i8 2)
define spir_func <2 x i8> @v2() {
  %v = call <2 x i8> @_Z40__sycl_getComposite2020SpecConstantValueIDv2_aET_PKcPKvS5_(i8 addrspace(4)* addrspacecast (i8 addrspace(1)* bitcast ([3 x i8] addrspace(1)* @n.v2 to i8 addrspace(1)*) to i8 addrspace(4)*), i8 addrspace(4)* addrspacecast (i8 addrspace(1)* bitcast (%id.v2 addrspace(1)* @d.v2 to i8 addrspace(1)*) to i8 addrspace(4)*), i8 addrspace(4)* null)
  ret <2 x i8> %v
}

; CHECK-LABEL: define spir_func [2 x <4 x i8>] @nested(
; CHECK: call spir_func i8 @_Z20__spirv_SpecConstantia(i32 2, i8 3)
define spir_func [2 x <4 x i8>] @nested() {
  %v = call [2 x <4 x i8>] @_Z40__sycl_getComposite2020SpecConstantValueIA2_Dv4_aET_PKcPKvS5_(i8 addrspace(4)* addrspacecast (i8 addrspace(1)* bitcast ([7 x i8] addrspace(1)* @n.nested to i8 addrspace(1)*) to i8 addrspace(4)*), i8 addrspace(4)* addrspacecast (i8 addrspace(1)* bitcast (%id.nested addrspace(1)* @d.nested to i8 addrspace(1)*) to i8 addrspace(4)*), i8 addrspace(4)* null)
  ret [2 x <4 x i8>] %v
}

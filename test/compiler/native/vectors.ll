; Vectors and arrays. In arrays and structures a vector of three elements has the size of four.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
target triple = "spir64-unknown-unknown"

%with = type { i32, <3 x float> }
%id.v3 = type { <3 x float> }
%id.v2 = type { <2 x i16> }
%id.a = type { [2 x <3 x i32>] }
%id.aa = type { [2 x [2 x i16]] }
%id.with = type { %with }
@n.v3 = private addrspace(1) constant [3 x i8] c"v3\00"
@n.v2 = private addrspace(1) constant [3 x i8] c"v2\00"
@n.a = private addrspace(1) constant [2 x i8] c"a\00"
@n.aa = private addrspace(1) constant [3 x i8] c"aa\00"
@n.with = private addrspace(1) constant [5 x i8] c"with\00"
@d.v3 = internal addrspace(1) constant %id.v3 { <3 x float> <float 1.0, float 2.0, float 3.0> }
@d.v2 = internal addrspace(1) constant %id.v2 { <2 x i16> <i16 4, i16 5> }
@d.a = internal addrspace(1) constant %id.a { [2 x <3 x i32>] [<3 x i32> <i32 1, i32 2, i32 3>, <3 x i32> <i32 4, i32 5, i32 6>] }
@d.aa = internal addrspace(1) constant %id.aa { [2 x [2 x i16]] [[2 x i16] [i16 1, i16 2], [2 x i16] [i16 3, i16 4]] }
@d.with = internal addrspace(1) constant %id.with { %with { i32 1, <3 x float> zeroinitializer } }

declare <3 x float> @_Z40__sycl_getComposite2020SpecConstantValueIDv3_fET_(ptr addrspace(1), ptr addrspace(1), ptr)
declare <2 x i16> @_Z40__sycl_getComposite2020SpecConstantValueIDv2_sET_(ptr addrspace(1), ptr addrspace(1), ptr)
declare [2 x <3 x i32>] @_Z40__sycl_getComposite2020SpecConstantValueIA2_Dv3_iET_(ptr addrspace(1), ptr addrspace(1), ptr)
declare [2 x [2 x i16]] @_Z40__sycl_getComposite2020SpecConstantValueIA2_A2_sET_(ptr addrspace(1), ptr addrspace(1), ptr)
declare %with @_Z40__sycl_getComposite2020SpecConstantValueI4withET_(ptr addrspace(1), ptr addrspace(1), ptr)

; CHECK: call spir_func <3 x float> @_Z29__spirv_SpecConstantCompositefff_RDv3_f(
; CHECK: call spir_func <2 x i16> @_Z29__spirv_SpecConstantCompositess_RDv2_s(
; CHECK: call spir_func [2 x <3 x i32>] @_Z29__spirv_SpecConstantCompositeDv3_iDv3_i_RA2_Dv3_i(
; CHECK: call spir_func [2 x [2 x i16]] @_Z29__spirv_SpecConstantCompositeA2_sA2_s_RA2_A2_s(
; CHECK: call spir_func %with @_Z29__spirv_SpecConstantCompositeiDv3_f_Rwith(

; CHECK: !{!"v3", i32 0, i32 0, i32 4, i32 1, i32 4, i32 4, i32 2, i32 8, i32 4}
; CHECK: !{!"v2", i32 3, i32 0, i32 2, i32 4, i32 2, i32 2}
; CHECK: !{!"a", i32 5, i32 0, i32 4, i32 6, i32 4, i32 4, i32 7, i32 8, i32 4, i32 8, i32 16, i32 4, i32 9, i32 20, i32 4, i32 10, i32 24, i32 4, i32 -1, i32 28, i32 4}
; CHECK: !{!"aa", i32 11, i32 0, i32 2, i32 12, i32 2, i32 2, i32 13, i32 4, i32 2, i32 14, i32 6, i32 2}
; CHECK: !{!"with", i32 15, i32 0, i32 4, i32 16, i32 16, i32 4, i32 17, i32 20, i32 4, i32 18, i32 24, i32 4, i32 -1, i32 28, i32 4}

define spir_kernel void @k(ptr addrspace(1) %out) {
  %v3 = call <3 x float> @_Z40__sycl_getComposite2020SpecConstantValueIDv3_fET_(ptr addrspace(1) @n.v3, ptr addrspace(1) @d.v3, ptr null)
  store <3 x float> %v3, ptr addrspace(1) %out
  %v2 = call <2 x i16> @_Z40__sycl_getComposite2020SpecConstantValueIDv2_sET_(ptr addrspace(1) @n.v2, ptr addrspace(1) @d.v2, ptr null)
  store <2 x i16> %v2, ptr addrspace(1) %out
  %a = call [2 x <3 x i32>] @_Z40__sycl_getComposite2020SpecConstantValueIA2_Dv3_iET_(ptr addrspace(1) @n.a, ptr addrspace(1) @d.a, ptr null)
  store [2 x <3 x i32>] %a, ptr addrspace(1) %out
  %aa = call [2 x [2 x i16]] @_Z40__sycl_getComposite2020SpecConstantValueIA2_A2_sET_(ptr addrspace(1) @n.aa, ptr addrspace(1) @d.aa, ptr null)
  store [2 x [2 x i16]] %aa, ptr addrspace(1) %out
  %with = call %with @_Z40__sycl_getComposite2020SpecConstantValueI4withET_(ptr addrspace(1) @n.with, ptr addrspace(1) @d.with, ptr null)
  store %with %with, ptr addrspace(1) %out
  ret void
}

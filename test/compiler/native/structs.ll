; Composites: nested, packed, with padding; arrays and vectors in them; by value and through sret.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
; RUN: spirv-dis %t.spv | FileCheck %s --check-prefix=SPIRV
target triple = "spir64-unknown-unknown"

%tail = type { i32, i8 }
%inner = type { i8, i32, i8 }
%outer = type { i8, %inner, i8 }
%packed = type <{ i8, i32, [3 x i8] }>
%mixed = type { [2 x i16], <2 x float>, double }
%id.tail = type { %tail }
%id.outer = type { %outer }
%id.packed = type { %packed }
%id.mixed = type { %mixed }

@n.tail = private unnamed_addr addrspace(1) constant [5 x i8] c"tail\00"
@n.outer = private unnamed_addr addrspace(1) constant [6 x i8] c"outer\00"
@n.packed = private unnamed_addr addrspace(1) constant [7 x i8] c"packed\00"
@n.mixed = private unnamed_addr addrspace(1) constant [6 x i8] c"mixed\00"
@d.tail = internal addrspace(1) constant %id.tail { %tail { i32 7, i8 8 } }
@d.outer = internal addrspace(1) constant %id.outer { %outer { i8 1, %inner { i8 2, i32 3, i8 4 }, i8 5 } }
@d.packed = internal addrspace(1) constant %id.packed { %packed <{ i8 1, i32 2, [3 x i8] c"abc" }> }
@d.mixed = internal addrspace(1) constant %id.mixed zeroinitializer

declare void @_Z40__sycl_getComposite2020SpecConstantValueI4tailET_PKcPKvS5_(ptr addrspace(4) sret(%tail), ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare void @_Z40__sycl_getComposite2020SpecConstantValueI5outerET_PKcPKvS5_(ptr addrspace(4) sret(%outer), ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare %packed @_Z40__sycl_getComposite2020SpecConstantValueI6packedET_PKcPKvS5_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare void @_Z40__sycl_getComposite2020SpecConstantValueI5mixedET_PKcPKvS5_(ptr addrspace(4) sret(%mixed), ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))

; CHECK-LABEL: define spir_kernel void @k
; CHECK: %[[A:.*]] = call spir_func i32 @_Z20__spirv_SpecConstantii(i32 0, i32 7)
; CHECK-NEXT: %[[B:.*]] = call spir_func i8 @_Z20__spirv_SpecConstantia(i32 1, i8 8)
; CHECK-NEXT: %[[T:.*]] = call spir_func %tail @_Z29__spirv_SpecConstantCompositeia_Rtail(i32 %[[A]], i8 %[[B]])
; CHECK-NEXT: store %tail %[[T]], ptr addrspace(4) %tail.cast, align 4
; CHECK: %[[O0:.*]] = call spir_func i8 @_Z20__spirv_SpecConstantia(i32 2, i8 1)
; CHECK-NEXT: %[[I0:.*]] = call spir_func i8 @_Z20__spirv_SpecConstantia(i32 3, i8 2)
; CHECK-NEXT: %[[I1:.*]] = call spir_func i32 @_Z20__spirv_SpecConstantii(i32 4, i32 3)
; CHECK-NEXT: %[[I2:.*]] = call spir_func i8 @_Z20__spirv_SpecConstantia(i32 5, i8 4)
; CHECK-NEXT: %[[I:.*]] = call spir_func %inner @_Z29__spirv_SpecConstantCompositeaia_Rinner(i8 %[[I0]], i32 %[[I1]], i8 %[[I2]])
; CHECK-NEXT: %[[O2:.*]] = call spir_func i8 @_Z20__spirv_SpecConstantia(i32 6, i8 5)
; CHECK-NEXT: %[[O:.*]] = call spir_func %outer @_Z29__spirv_SpecConstantCompositeainnera_Router(i8 %[[O0]], %inner %[[I]], i8 %[[O2]])
; CHECK-NEXT: store %outer %[[O]],
; CHECK: %[[PA:.*]] = call spir_func [3 x i8] @_Z29__spirv_SpecConstantCompositeaaa_RA3_a(
; CHECK-NEXT: %[[P:.*]] = call spir_func %packed @_Z29__spirv_SpecConstantCompositeaiA3_a_Rpacked(i8 %{{.*}}, i32 %{{.*}}, [3 x i8] %[[PA]])
; CHECK-NEXT: store %packed %[[P]], ptr addrspace(1) %out
; CHECK: %[[M0:.*]] = call spir_func [2 x i16] @_Z29__spirv_SpecConstantCompositess_RA2_s(
; CHECK: %[[M1:.*]] = call spir_func <2 x float> @_Z29__spirv_SpecConstantCompositeff_RDv2_f(
; CHECK: %[[M2:.*]] = call spir_func double @_Z20__spirv_SpecConstantid(i32 16, double 0.000000e+00)
; CHECK: call spir_func %mixed @_Z29__spirv_SpecConstantCompositeA2_sDv2_fd_Rmixed([2 x i16] %[[M0]], <2 x float> %[[M1]], double %[[M2]])

; Padding at the end of a structure has a record, padding inside has none; packed structures have neither.
; CHECK: !{!"tail", i32 0, i32 0, i32 4, i32 1, i32 4, i32 1, i32 -1, i32 5, i32 3}
; CHECK: !{!"outer", i32 2, i32 0, i32 1, i32 3, i32 4, i32 1, i32 4, i32 8, i32 4, i32 5, i32 12, i32 1, i32 -1, i32 13, i32 3, i32 6, i32 16, i32 1, i32 -1, i32 17, i32 3}
; CHECK: !{!"packed", i32 7, i32 0, i32 1, i32 8, i32 1, i32 4, i32 9, i32 5, i32 1, i32 10, i32 6, i32 1, i32 11, i32 7, i32 1}
; CHECK: !{!"mixed", i32 12, i32 0, i32 2, i32 13, i32 2, i32 2, i32 14, i32 8, i32 4, i32 15, i32 12, i32 4, i32 16, i32 16, i32 8}
; CHECK: !{%tail { i32 7, i8 8 }}

; SPIRV: OpSpecConstantComposite
; SPIRV: OpSpecConstantComposite

define spir_kernel void @k(ptr addrspace(1) %out) {
  %tail.slot = alloca %tail
  %outer.slot = alloca %outer
  %mixed.slot = alloca %mixed
  %tail.cast = addrspacecast ptr %tail.slot to ptr addrspace(4)
  %outer.cast = addrspacecast ptr %outer.slot to ptr addrspace(4)
  %mixed.cast = addrspacecast ptr %mixed.slot to ptr addrspace(4)
  call void @_Z40__sycl_getComposite2020SpecConstantValueI4tailET_PKcPKvS5_(ptr addrspace(4) sret(%tail) %tail.cast, ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.tail to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.tail to ptr addrspace(4)), ptr addrspace(4) null)
  call void @_Z40__sycl_getComposite2020SpecConstantValueI5outerET_PKcPKvS5_(ptr addrspace(4) sret(%outer) %outer.cast, ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.outer to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.outer to ptr addrspace(4)), ptr addrspace(4) null)
  %packed = call %packed @_Z40__sycl_getComposite2020SpecConstantValueI6packedET_PKcPKvS5_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.packed to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.packed to ptr addrspace(4)), ptr addrspace(4) null)
  store %packed %packed, ptr addrspace(1) %out
  call void @_Z40__sycl_getComposite2020SpecConstantValueI5mixedET_PKcPKvS5_(ptr addrspace(4) sret(%mixed) %mixed.cast, ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.mixed to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.mixed to ptr addrspace(4)), ptr addrspace(4) null)
  ret void
}

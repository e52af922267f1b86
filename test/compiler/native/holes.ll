; Undefined members of a default become undef, have no record and take one id. The default's type may
; differ from the constant's: members are matched by their offsets.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
target triple = "spir64-unknown-unknown"

%middle = type <{ float, i8, [3 x i8], i32, i8, [3 x i8] }>
%first = type { i32, i32 }
%deep = type { %first, i64, [7 x i8], i8 }
%last = type { i64, [8 x i8] }
%zeros = type { i16, [2 x i8], i32 }
%id.middle = type { { float, i8, i32, i8 } }
%id.first = type { %first }
%id.deep = type { %deep }
%id.last = type { %last }
%id.zeros = type { { i16, i32 } }
%id.floats = type { <{ float, [3 x float] }> }
%id.undef = type { i32 }
%id.undefs = type { [2 x i32] }

@n.middle = private unnamed_addr addrspace(1) constant [7 x i8] c"middle\00"
@n.first = private unnamed_addr addrspace(1) constant [6 x i8] c"first\00"
@n.deep = private unnamed_addr addrspace(1) constant [5 x i8] c"deep\00"
@n.last = private unnamed_addr addrspace(1) constant [5 x i8] c"last\00"
@n.zeros = private unnamed_addr addrspace(1) constant [6 x i8] c"zeros\00"
@n.floats = private unnamed_addr addrspace(1) constant [7 x i8] c"floats\00"
@n.undef = private unnamed_addr addrspace(1) constant [6 x i8] c"undef\00"
@n.undefs = private unnamed_addr addrspace(1) constant [7 x i8] c"undefs\00"
@d.middle = internal addrspace(1) constant %id.middle { { float, i8, i32, i8 } { float 1.0, i8 2, i32 3, i8 4 } }
@d.first = internal addrspace(1) constant %id.first { %first { i32 undef, i32 5 } }
; The nested structure starts with a hole and has a value nevertheless.
@d.deep = internal addrspace(1) constant %id.deep { %deep { %first { i32 undef, i32 6 }, i64 7, [7 x i8] undef, i8 undef } }
@d.last = internal addrspace(1) constant %id.last { %last { i64 8, [8 x i8] undef } }
@d.zeros = internal addrspace(1) constant %id.zeros zeroinitializer
@d.floats = internal addrspace(1) constant %id.floats { <{ float, [3 x float] }> <{ float 9.0, [3 x float] zeroinitializer }> }
@d.undef = internal addrspace(1) constant %id.undef undef
@d.undefs = internal addrspace(1) constant %id.undefs { [2 x i32] [i32 11, i32 undef] }

declare %middle @_Z40__sycl_getComposite2020SpecConstantValueI6middleET_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare %first @_Z40__sycl_getComposite2020SpecConstantValueI5firstET_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare %deep @_Z40__sycl_getComposite2020SpecConstantValueI4deepET_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare %last @_Z40__sycl_getComposite2020SpecConstantValueI4lastET_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare %zeros @_Z40__sycl_getComposite2020SpecConstantValueI5zerosET_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare [4 x float] @_Z40__sycl_getComposite2020SpecConstantValueIA4_fET_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare [2 x i32] @_Z40__sycl_getComposite2020SpecConstantValueIA2_iET_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))

; CHECK: call spir_func %middle @_Z29__spirv_SpecConstantCompositefaA3_aiaA3_a_Rmiddle(float %{{.*}}, i8 %{{.*}}, [3 x i8] undef, i32 %{{.*}}, i8 %{{.*}}, [3 x i8] undef)
; CHECK: %[[F:.*]] = call spir_func i32 @_Z20__spirv_SpecConstantii(i32 7, i32 5)
; CHECK-NEXT: call spir_func %first @_Z29__spirv_SpecConstantCompositeii_Rfirst(i32 undef, i32 %[[F]])
; CHECK: %[[D:.*]] = call spir_func i32 @_Z20__spirv_SpecConstantii(i32 9, i32 6)
; CHECK-NEXT: %[[DF:.*]] = call spir_func %first @_Z29__spirv_SpecConstantCompositeii_Rfirst(i32 undef, i32 %[[D]])
; CHECK: call spir_func %deep @_Z29__spirv_SpecConstantCompositefirstxA7_aa_Rdeep(%first %[[DF]], i64 %{{.*}}, [7 x i8] undef, i8 undef)
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 22, i32 0)
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 24, i32 0)

; CHECK: !{!"middle", i32 0, i32 0, i32 4, i32 1, i32 4, i32 1, i32 3, i32 8, i32 4, i32 4, i32 12, i32 1, i32 -1, i32 13, i32 3}
; CHECK: !{!"first", i32 7, i32 4, i32 4}
; CHECK: !{!"deep", i32 9, i32 4, i32 4, i32 10, i32 8, i32 8, i32 -1, i32 23, i32 1}
; CHECK: !{!"last", i32 13, i32 0, i32 8, i32 -1, i32 8, i32 8}
; CHECK: !{!"zeros", i32 15, i32 0, i32 2, i32 17, i32 4, i32 4}
; CHECK: !{!"floats", i32 18, i32 0, i32 4, i32 19, i32 4, i32 4, i32 20, i32 8, i32 4, i32 21, i32 12, i32 4}
; CHECK: !{!"undef", i32 22, i32 0, i32 4}
; CHECK: !{!"undefs", i32 23, i32 0, i32 4, i32 24, i32 4, i32 4}

define spir_kernel void @k(ptr addrspace(1) %out) {
  %middle = call %middle @_Z40__sycl_getComposite2020SpecConstantValueI6middleET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.middle to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.middle to ptr addrspace(4)), ptr addrspace(4) null)
  store %middle %middle, ptr addrspace(1) %out
  %first = call %first @_Z40__sycl_getComposite2020SpecConstantValueI5firstET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.first to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.first to ptr addrspace(4)), ptr addrspace(4) null)
  store %first %first, ptr addrspace(1) %out
  %deep = call %deep @_Z40__sycl_getComposite2020SpecConstantValueI4deepET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.deep to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.deep to ptr addrspace(4)), ptr addrspace(4) null)
  store %deep %deep, ptr addrspace(1) %out
  %last = call %last @_Z40__sycl_getComposite2020SpecConstantValueI4lastET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.last to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.last to ptr addrspace(4)), ptr addrspace(4) null)
  store %last %last, ptr addrspace(1) %out
  %zeros = call %zeros @_Z40__sycl_getComposite2020SpecConstantValueI5zerosET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.zeros to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.zeros to ptr addrspace(4)), ptr addrspace(4) null)
  store %zeros %zeros, ptr addrspace(1) %out
  %floats = call [4 x float] @_Z40__sycl_getComposite2020SpecConstantValueIA4_fET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.floats to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.floats to ptr addrspace(4)), ptr addrspace(4) null)
  store [4 x float] %floats, ptr addrspace(1) %out
  %undef = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.undef to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.undef to ptr addrspace(4)), ptr addrspace(4) null)
  store i32 %undef, ptr addrspace(1) %out
  %undefs = call [2 x i32] @_Z40__sycl_getComposite2020SpecConstantValueIA2_iET_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.undefs to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.undefs to ptr addrspace(4)), ptr addrspace(4) null)
  store [2 x i32] %undefs, ptr addrspace(1) %out
  ret void
}

; Every scalar type: one id each, in program order. The value that the host sets has the type's size.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
; RUN: spirv-dis %t.spv | FileCheck %s --check-prefix=SPIRV
target triple = "spir64-unknown-unknown"

%id.i8 = type { i8 }
%id.i16 = type { i16 }
%id.i32 = type { i32 }
%id.i64 = type { i64 }
%id.half = type { half }
%id.float = type { float }
%id.double = type { double }

@n.bool = private unnamed_addr addrspace(1) constant [7 x i8] c"a_bool\00"
@n.i8 = private unnamed_addr addrspace(1) constant [5 x i8] c"an_8\00"
@n.i16 = private unnamed_addr addrspace(1) constant [6 x i8] c"an_16\00"
@n.i32 = private unnamed_addr addrspace(1) constant [6 x i8] c"an_32\00"
@n.i64 = private unnamed_addr addrspace(1) constant [6 x i8] c"an_64\00"
@n.half = private unnamed_addr addrspace(1) constant [7 x i8] c"a_half\00"
@n.float = private unnamed_addr addrspace(1) constant [8 x i8] c"a_float\00"
@n.double = private unnamed_addr addrspace(1) constant [9 x i8] c"a_double\00"
@d.bool = internal addrspace(1) constant %id.i8 { i8 1 }
@d.i8 = internal addrspace(1) constant %id.i8 { i8 -3 }
@d.i16 = internal addrspace(1) constant %id.i16 { i16 513 }
@d.i32 = internal addrspace(1) constant %id.i32 { i32 42 }
@d.i64 = internal addrspace(1) constant %id.i64 { i64 -1 }
@d.half = internal addrspace(1) constant %id.half { half 0xH3E00 }
; A signalling NaN: its payload must come out as it went in.
@d.float = internal addrspace(1) constant %id.float { float 0x7FF4000020000000 }
@d.double = internal addrspace(1) constant %id.double zeroinitializer

declare zeroext i1 @_Z37__sycl_getScalar2020SpecConstantValueIbET_PKcPKvS4_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare i8 @_Z37__sycl_getScalar2020SpecConstantValueIcET_PKcPKvS4_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare i16 @_Z37__sycl_getScalar2020SpecConstantValueIsET_PKcPKvS4_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_PKcPKvS4_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare half @_Z37__sycl_getScalar2020SpecConstantValueIDF16_ET_PKcPKvS4_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare float @_Z37__sycl_getScalar2020SpecConstantValueIfET_PKcPKvS4_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))
declare double @_Z37__sycl_getScalar2020SpecConstantValueIdET_PKcPKvS4_(ptr addrspace(4), ptr addrspace(4), ptr addrspace(4))

; CHECK-NOT: @n.
; CHECK-NOT: @_Z37
; CHECK-LABEL: define spir_kernel void @k
; CHECK: %[[B:.*]] = call spir_func i8 @_Z20__spirv_SpecConstantia(i32 0, i8 1)
; CHECK-NEXT: %{{.*}} = icmp ne i8 %[[B]], 0
; CHECK: call spir_func i8 @_Z20__spirv_SpecConstantia(i32 1, i8 -3)
; CHECK: call spir_func i16 @_Z20__spirv_SpecConstantis(i32 2, i16 513)
; CHECK: %[[I:.*]] = call spir_func i32 @_Z20__spirv_SpecConstantii(i32 3, i32 42)
; CHECK-NEXT: store i32 %[[I]], ptr addrspace(1) %p32
; CHECK: call spir_func i64 @_Z20__spirv_SpecConstantix(i32 4, i64 -1)
; CHECK: call spir_func half @_Z20__spirv_SpecConstantiDh(i32 5, half 0xH3E00)
; CHECK: call spir_func float @_Z20__spirv_SpecConstantif(i32 6, float 0x7FF4000020000000)
; CHECK: call spir_func double @_Z20__spirv_SpecConstantid(i32 7, double 0.000000e+00)
; CHECK-NOT: @_Z37
; CHECK: !sycl.specialization-constants = !{![[#R:]], !
; CHECK: !sycl.specialization-constants-default-values = !{![[#D:]], !
; CHECK: ![[#R]] = !{!"a_bool", i32 0, i32 0, i32 1}
; CHECK: ![[#R+1]] = !{!"an_8", i32 1, i32 0, i32 1}
; CHECK: ![[#R+2]] = !{!"an_16", i32 2, i32 0, i32 2}
; CHECK: ![[#R+3]] = !{!"an_32", i32 3, i32 0, i32 4}
; CHECK: ![[#R+4]] = !{!"an_64", i32 4, i32 0, i32 8}
; CHECK: ![[#R+5]] = !{!"a_half", i32 5, i32 0, i32 2}
; CHECK: ![[#R+6]] = !{!"a_float", i32 6, i32 0, i32 4}
; CHECK: ![[#R+7]] = !{!"a_double", i32 7, i32 0, i32 8}
; CHECK: ![[#D]] = !{i8 1}

; SPIRV-DAG: OpDecorate %[[S0:.*]] SpecId 0
; SPIRV-DAG: OpDecorate %[[S3:.*]] SpecId 3
; SPIRV-DAG: OpDecorate %[[S7:.*]] SpecId 7
; SPIRV-DAG: %[[S0]] = OpSpecConstant %uchar 1
; SPIRV-DAG: %[[S3]] = OpSpecConstant %uint 42
; SPIRV-DAG: %[[S7]] = OpSpecConstant %double 0

define spir_kernel void @k(ptr addrspace(1) %p8, ptr addrspace(1) %p16, ptr addrspace(1) %p32, ptr addrspace(1) %p64, ptr addrspace(1) %ph, ptr addrspace(1) %pf, ptr addrspace(1) %pd) {
  %b = call zeroext i1 @_Z37__sycl_getScalar2020SpecConstantValueIbET_PKcPKvS4_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.bool to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.bool to ptr addrspace(4)), ptr addrspace(4) null)
  %b8 = zext i1 %b to i8
  store i8 %b8, ptr addrspace(1) %p8
  %c = call i8 @_Z37__sycl_getScalar2020SpecConstantValueIcET_PKcPKvS4_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.i8 to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.i8 to ptr addrspace(4)), ptr addrspace(4) null)
  store i8 %c, ptr addrspace(1) %p8
  %s = call i16 @_Z37__sycl_getScalar2020SpecConstantValueIsET_PKcPKvS4_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.i16 to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.i16 to ptr addrspace(4)), ptr addrspace(4) null)
  store i16 %s, ptr addrspace(1) %p16
  %i = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.i32 to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.i32 to ptr addrspace(4)), ptr addrspace(4) null)
  store i32 %i, ptr addrspace(1) %p32
  %l = call i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_PKcPKvS4_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.i64 to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.i64 to ptr addrspace(4)), ptr addrspace(4) null)
  store i64 %l, ptr addrspace(1) %p64
  %h = call half @_Z37__sycl_getScalar2020SpecConstantValueIDF16_ET_PKcPKvS4_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.half to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.half to ptr addrspace(4)), ptr addrspace(4) null)
  store half %h, ptr addrspace(1) %ph
  %f = call float @_Z37__sycl_getScalar2020SpecConstantValueIfET_PKcPKvS4_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.float to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.float to ptr addrspace(4)), ptr addrspace(4) null)
  store float %f, ptr addrspace(1) %pf
  %d = call double @_Z37__sycl_getScalar2020SpecConstantValueIdET_PKcPKvS4_(ptr addrspace(4) addrspacecast (ptr addrspace(1) @n.double to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @d.double to ptr addrspace(4)), ptr addrspace(4) null)
  store double %d, ptr addrspace(1) %pd
  ret void
}

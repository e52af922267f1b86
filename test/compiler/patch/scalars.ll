; Each scalar becomes a move of an immediate with two digits per byte of the value.
; RUN: %lower --mode=patch %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

%id.i8 = type { i8 }
%id.i16 = type { i16 }
%id.i32 = type { i32 }
%id.i64 = type { i64 }
%id.half = type { half }
%id.float = type { float }
%id.double = type { double }

@n.bool = private constant [7 x i8] c"a_bool\00"
@n.i8 = private constant [5 x i8] c"an_8\00"
@n.i16 = private constant [6 x i8] c"an_16\00"
@n.i32 = private constant [6 x i8] c"an_32\00"
@n.i64 = private constant [6 x i8] c"an_64\00"
@n.half = private constant [7 x i8] c"a_half\00"
@n.float = private constant [8 x i8] c"a_float\00"
@n.double = private constant [9 x i8] c"a_double\00"
@d.bool = internal constant %id.i8 { i8 1 }
@d.i8 = internal constant %id.i8 { i8 -3 }
@d.i16 = internal constant %id.i16 { i16 513 }
@d.i32 = internal constant %id.i32 { i32 42 }
@d.i64 = internal constant %id.i64 { i64 -1 }
@d.half = internal constant %id.half { half 0xH3E00 }
; A signalling NaN: its payload must come out as it went in.
@d.float = internal constant %id.float { float 0x7FF4000020000000 }
@d.double = internal constant %id.double zeroinitializer

declare zeroext i1 @_Z37__sycl_getScalar2020SpecConstantValueIbET_PKcPKvS4_(ptr, ptr, ptr)
declare i8 @_Z37__sycl_getScalar2020SpecConstantValueIcET_PKcPKvS4_(ptr, ptr, ptr)
declare i16 @_Z37__sycl_getScalar2020SpecConstantValueIsET_PKcPKvS4_(ptr, ptr, ptr)
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_(ptr, ptr, ptr)
declare i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_PKcPKvS4_(ptr, ptr, ptr)
declare half @_Z37__sycl_getScalar2020SpecConstantValueIDF16_ET_PKcPKvS4_(ptr, ptr, ptr)
declare float @_Z37__sycl_getScalar2020SpecConstantValueIfET_PKcPKvS4_(ptr, ptr, ptr)
declare double @_Z37__sycl_getScalar2020SpecConstantValueIdET_PKcPKvS4_(ptr, ptr, ptr)

; CHECK-NOT: @n.
; CHECK-NOT: @_Z37
; CHECK-LABEL: define ptx_kernel void @k
; CHECK: %[[B:.*]] = call i16 asm "mov.b16 $0, 0x01; //specpi:0", "=h"() #[[A:[0-9]+]]
; CHECK-NEXT: icmp ne i16 %[[B]], 0
; CHECK: %[[C:.*]] = call i16 asm "mov.b16 $0, 0xfd; //specpi:1", "=h"() #[[A]]
; CHECK-NEXT: trunc i16 %[[C]] to i8
; CHECK: call i16 asm "mov.b16 $0, 0x0201; //specpi:2", "=h"()
; CHECK: %[[I:.*]] = call i32 asm "mov.b32 $0, 0x0000002a; //specpi:3", "=r"()
; CHECK-NEXT: store i32 %[[I]], ptr addrspace(1) %p32
; CHECK: call i64 asm "mov.b64 $0, 0xffffffffffffffff; //specpi:4", "=l"()
; CHECK: %[[H:.*]] = call i16 asm "mov.b16 $0, 0x3e00; //specpi:5", "=h"()
; CHECK-NEXT: bitcast i16 %[[H]] to half
; CHECK: %[[F:.*]] = call i32 asm "mov.b32 $0, 0x7fa00001; //specpi:6", "=r"()
; CHECK-NEXT: bitcast i32 %[[F]] to float
; CHECK: %[[D:.*]] = call i64 asm "mov.b64 $0, 0x0000000000000000; //specpi:7", "=l"()
; CHECK-NEXT: bitcast i64 %[[D]] to double
; CHECK: attributes #[[A]] = { nounwind {{readnone willreturn|willreturn memory\(none\)}} }
; CHECK: !{!"a_bool", i32 0, i32 0, i32 1}
; CHECK: !{!"a_double", i32 7, i32 0, i32 8}

; The text has the defaults, in order, and a trailer with the place of each.
; RUN: %lower --mode=patch --emit=ptx %s -o %t.ptx
; RUN: FileCheck %s --check-prefix=PTX < %t.ptx
; PTX: .target sm_80
; PTX: .visible .entry k(
; PTX: mov.b16 %{{.*}}, 0x01; //specpi:0
; PTX: mov.b16 %{{.*}}, 0xfd; //specpi:1
; PTX: mov.b16 %{{.*}}, 0x0201; //specpi:2
; PTX: mov.b32 %{{.*}}, 0x0000002a; //specpi:3
; PTX: mov.b64 %{{.*}}, 0xffffffffffffffff; //specpi:4
; PTX: mov.b16 %{{.*}}, 0x3e00; //specpi:5
; PTX: mov.b32 %{{.*}}, 0x7fa00001; //specpi:6
; PTX: mov.b64 %{{.*}}, 0x0000000000000000; //specpi:7
; PTX: {{^}}//!specpi 1 patch 8 8 30 8 1{{$}}
; PTX-NEXT: //!specpi constant a_bool scalar 0 1 1
; PTX-NEXT: //!specpi leaf 0 0 1
; PTX: //!specpi constant a_double scalar 22 8 1
; PTX-NEXT: //!specpi leaf 7 0 8
; PTX-NEXT: //!specpi bytes 01fd01022a000000ffffffffffffffff003e0100a07f0000000000000000
; PTX-NEXT: //!specpi place 0 [[#]] 1
; PTX-NEXT: //!specpi place 1 [[#]] 1
; PTX-NEXT: //!specpi place 2 [[#]] 2
; PTX-NEXT: //!specpi place 3 [[#]] 4
; PTX-NEXT: //!specpi place 4 [[#]] 8
; PTX-NEXT: //!specpi place 5 [[#]] 2
; PTX-NEXT: //!specpi place 6 [[#]] 4
; PTX-NEXT: //!specpi place 7 [[#]] 8
; PTX-NEXT: //!specpi kernel k - 0 0 0
; PTX-NEXT: //!specpi end [[#]] [[#]] {{[0-9a-f]+$}}

define ptx_kernel void @k(ptr addrspace(1) %p8, ptr addrspace(1) %p16, ptr addrspace(1) %p32, ptr addrspace(1) %p64, ptr addrspace(1) %pf) {
  %b = call i1 @_Z37__sycl_getScalar2020SpecConstantValueIbET_PKcPKvS4_(ptr @n.bool, ptr @d.bool, ptr null)
  %bs = select i1 %b, i8 5, i8 6
  store i8 %bs, ptr addrspace(1) %p8
  %c = call i8 @_Z37__sycl_getScalar2020SpecConstantValueIcET_PKcPKvS4_(ptr @n.i8, ptr @d.i8, ptr null)
  %p8.1 = getelementptr i8, ptr addrspace(1) %p8, i64 1
  store i8 %c, ptr addrspace(1) %p8.1
  %s = call i16 @_Z37__sycl_getScalar2020SpecConstantValueIsET_PKcPKvS4_(ptr @n.i16, ptr @d.i16, ptr null)
  store i16 %s, ptr addrspace(1) %p16
  %i = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_(ptr @n.i32, ptr @d.i32, ptr null)
  store i32 %i, ptr addrspace(1) %p32
  %l = call i64 @_Z37__sycl_getScalar2020SpecConstantValueIlET_PKcPKvS4_(ptr @n.i64, ptr @d.i64, ptr null)
  store i64 %l, ptr addrspace(1) %p64
  %h = call half @_Z37__sycl_getScalar2020SpecConstantValueIDF16_ET_PKcPKvS4_(ptr @n.half, ptr @d.half, ptr null)
  %p16.1 = getelementptr half, ptr addrspace(1) %p16, i64 1
  store half %h, ptr addrspace(1) %p16.1
  %f = call float @_Z37__sycl_getScalar2020SpecConstantValueIfET_PKcPKvS4_(ptr @n.float, ptr @d.float, ptr null)
  store float %f, ptr addrspace(1) %pf
  %d = call double @_Z37__sycl_getScalar2020SpecConstantValueIdET_PKcPKvS4_(ptr @n.double, ptr @d.double, ptr null)
  %p64.1 = getelementptr double, ptr addrspace(1) %p64, i64 1
  store double %d, ptr addrspace(1) %p64.1
  ret void
}

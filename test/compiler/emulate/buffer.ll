; Each use reads its constant from the buffer in its third argument.
; RUN: %lower --mode=emulate %s | FileCheck %s --implicit-check-not=SpecConstant
; RUN: %lower --mode=emulate --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
target triple = "spir64-unknown-unknown"

%pair = type { i32, i8 }
%id.bool = type { i8 }
%id.half = type { half }
%id.pair = type { { i32, i8 } }
%id.v3 = type { <3 x float> }
%id.i8 = type { i8 }
@n.half = private addrspace(1) constant [5 x i8] c"half\00"
@n.bool = private addrspace(1) constant [5 x i8] c"bool\00"
@n.pair = private addrspace(1) constant [5 x i8] c"pair\00"
@n.v3 = private addrspace(1) constant [3 x i8] c"v3\00"
@n.last = private addrspace(1) constant [5 x i8] c"last\00"
@n.old = private addrspace(1) constant [4 x i8] c"old\00"
@d.half = internal addrspace(1) constant %id.half { half 0xH3C00 }
@d.bool = internal addrspace(1) constant %id.bool { i8 1 }
@d.pair = internal addrspace(1) constant %id.pair { { i32, i8 } { i32 1, i8 2 } }
@d.v3 = internal addrspace(1) constant %id.v3 zeroinitializer
@d.last = internal addrspace(1) constant %id.i8 { i8 9 }
declare half @_Z37__sycl_getScalar2020SpecConstantValueIDF16_ET_(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare i1 @_Z37__sycl_getScalar2020SpecConstantValueIbET_(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare i8 @_Z37__sycl_getScalar2020SpecConstantValueIcET_(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare void @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_(ptr sret(%pair), ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare <3 x float> @_Z40__sycl_getComposite2020SpecConstantValueIDv3_fET_(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare i64 @_Z33__sycl_getScalarSpecConstantValueIlET_PKc(ptr addrspace(1))

; CHECK-LABEL: define spir_kernel void @k
; CHECK: %[[P0:.*]] = getelementptr i8, ptr addrspace(1) %buffer, i32 0
; CHECK-NEXT: load half, ptr addrspace(1) %[[P0]], align 2
; CHECK: store i64 0,
; CHECK: %[[P1:.*]] = getelementptr i8, ptr addrspace(1) %buffer, i32 2
; CHECK-NEXT: %[[B:.*]] = load i8, ptr addrspace(1) %[[P1]], align 1
; CHECK-NEXT: icmp ne i8 %[[B]], 0
; CHECK: %[[P2:.*]] = getelementptr i8, ptr addrspace(1) %buffer, i32 4
; CHECK-NEXT: %[[A:.*]] = load %pair, ptr addrspace(1) %[[P2]], align 4
; CHECK-NEXT: store %pair %[[A]], ptr %slot, align 4
; CHECK: %[[P3:.*]] = getelementptr i8, ptr addrspace(1) %buffer, i32 16
; CHECK-NEXT: load <3 x float>, ptr addrspace(1) %[[P3]], align 16
; CHECK: getelementptr i8, ptr addrspace(1) %buffer, i32 28
; CHECK: getelementptr i8, ptr addrspace(1) %buffer, i32 0
; CHECK: !sycl.specialization-constants = !{![[#R:]], !
; CHECK-SAME: ![[#R+4]]}
; CHECK: !sycl.specialization-constants-default-values = !{![[#D:]], !
; CHECK-SAME: ![[#D+3]], ![[#D+4]], ![[#D+5]], ![[#D+6]]}
; CHECK: ![[#R]] = !{!"half", i32 0, i32 0, i32 2}
; CHECK: !{!"bool", i32 1, i32 0, i32 1, i32 -1, i32 1, i32 1}
; CHECK: !{!"pair", i32 2, i32 0, i32 8, i32 -1, i32 8, i32 4}
; CHECK: !{!"v3", i32 3, i32 0, i32 12}
; CHECK: !{!"last", i32 4, i32 0, i32 1}
; CHECK: ![[#D]] = !{half 0xH3C00}
; CHECK-NEXT: !{i8 1}
; CHECK-NEXT: !{[1 x i8] zeroinitializer}
; CHECK-NEXT: !{{{}}{ i32, i8 } { i32 1, i8 2 }}
; CHECK-NEXT: !{[4 x i8] zeroinitializer}
; CHECK-NEXT: !{<3 x float> zeroinitializer}
; CHECK-NEXT: !{i8 9}
define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %buffer) {
  %slot = alloca %pair
  %h = call half @_Z37__sycl_getScalar2020SpecConstantValueIDF16_ET_(ptr addrspace(1) @n.half, ptr addrspace(1) @d.half, ptr addrspace(1) %buffer)
  store half %h, ptr addrspace(1) %out
  %l = call i64 @_Z33__sycl_getScalarSpecConstantValueIlET_PKc(ptr addrspace(1) @n.old)
  store i64 %l, ptr addrspace(1) %out
  %b = call i1 @_Z37__sycl_getScalar2020SpecConstantValueIbET_(ptr addrspace(1) @n.bool, ptr addrspace(1) @d.bool, ptr addrspace(1) %buffer)
  %z = zext i1 %b to i8
  store i8 %z, ptr addrspace(1) %out
  call void @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_(ptr sret(%pair) %slot, ptr addrspace(1) @n.pair, ptr addrspace(1) @d.pair, ptr addrspace(1) %buffer)
  %v = call <3 x float> @_Z40__sycl_getComposite2020SpecConstantValueIDv3_fET_(ptr addrspace(1) @n.v3, ptr addrspace(1) @d.v3, ptr addrspace(1) %buffer)
  store <3 x float> %v, ptr addrspace(1) %out
  %c = call i8 @_Z37__sycl_getScalar2020SpecConstantValueIcET_(ptr addrspace(1) @n.last, ptr addrspace(1) @d.last, ptr addrspace(1) %buffer)
  store i8 %c, ptr addrspace(1) %out
  %h2 = call half @_Z37__sycl_getScalar2020SpecConstantValueIDF16_ET_(ptr addrspace(1) @n.half, ptr addrspace(1) @d.half, ptr addrspace(1) %buffer)
  store half %h2, ptr addrspace(1) %out
  ret void
}

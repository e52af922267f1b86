; Each use becomes the default value. No ids, records or constants are left.
; RUN: %lower --mode=default %s | FileCheck %s --implicit-check-not=SpecConstant --implicit-check-not=@n.
; RUN: %lower --mode=default --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
target triple = "spir64-unknown-unknown"

%pair = type { i32, i8 }
%padded = type <{ i8, [3 x i8], i32 }>
%id.bool = type { i8 }
%id.i32 = type { i32 }
%id.pair = type { { i32, i8 } }
%id.padded = type { { i8, i32 } }
@n.bool = private addrspace(1) constant [2 x i8] c"b\00"
@n.i32 = private addrspace(1) constant [2 x i8] c"i\00"
@n.pair = private addrspace(1) constant [2 x i8] c"p\00"
@n.padded = private addrspace(1) constant [2 x i8] c"q\00"
; A zero-initialized variable is not a constant's name, and must not be read as a string.
@zeros = internal addrspace(1) constant [24 x i8] zeroinitializer
@d.bool = internal addrspace(1) constant %id.bool { i8 1 }
@d.i32 = internal addrspace(1) constant %id.i32 { i32 42 }
@d.pair = internal addrspace(1) constant %id.pair { { i32, i8 } { i32 1, i8 2 } }
@d.padded = internal addrspace(1) constant %id.padded { { i8, i32 } { i8 3, i32 4 } }
declare i1 @_Z37__sycl_getScalar2020SpecConstantValueIbET_(ptr addrspace(1), ptr addrspace(1), ptr)
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(1), ptr addrspace(1), ptr)
declare void @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_(ptr sret(%pair), ptr addrspace(1), ptr addrspace(1), ptr)
declare %padded @_Z40__sycl_getComposite2020SpecConstantValueI6paddedET_(ptr addrspace(1), ptr addrspace(1), ptr)
declare i64 @_Z33__sycl_getScalarSpecConstantValueIlET_PKc(ptr addrspace(1))

; CHECK-LABEL: define spir_kernel void @k
; CHECK: store i1 true,
; CHECK: store i32 42,
; CHECK: store { i32, i8 } { i32 1, i8 2 }, ptr %slot, align 4
; CHECK: store %padded <{ i8 3, [3 x i8] undef, i32 4 }>,
; CHECK: store i64 0,
; CHECK: !sycl.specialization-constants-default-values-module = !{}
define spir_kernel void @k(ptr addrspace(1) %out) {
  %slot = alloca %pair
  %b = call i1 @_Z37__sycl_getScalar2020SpecConstantValueIbET_(ptr addrspace(1) @n.bool, ptr addrspace(1) @d.bool, ptr null)
  store i1 %b, ptr addrspace(1) %out
  %i = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(1) @n.i32, ptr addrspace(1) @d.i32, ptr null)
  store i32 %i, ptr addrspace(1) %out
  call void @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_(ptr sret(%pair) %slot, ptr addrspace(1) @n.pair, ptr addrspace(1) @d.pair, ptr null)
  %q = call %padded @_Z40__sycl_getComposite2020SpecConstantValueI6paddedET_(ptr addrspace(1) @n.padded, ptr addrspace(1) @d.padded, ptr null)
  store %padded %q, ptr addrspace(1) %out
  %l = call i64 @_Z33__sycl_getScalarSpecConstantValueIlET_PKc(ptr addrspace(1) @n.i32.legacy)
  store i64 %l, ptr addrspace(1) %out
  ret void
}
@n.i32.legacy = private addrspace(1) constant [2 x i8] c"l\00"

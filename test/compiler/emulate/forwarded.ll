; The result pointer or the buffer of a use is an argument of a function that gets an additional one.
; RUN: %lower --mode=emulate %s | FileCheck %s
; RUN: %lower --mode=emulate --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
; CHECK-LABEL: define internal spir_func void @get(ptr sret(%pair) %r, ptr addrspace(1) %given, ptr addrspace(1) %_arg__specialization_constants_buffer)
; CHECK: %[[P:.*]] = getelementptr i8, ptr addrspace(1) %_arg__specialization_constants_buffer, i32 0
; CHECK: %[[V:.*]] = load %pair, ptr addrspace(1) %[[P]]
; CHECK: store %pair %[[V]], ptr %r
; CHECK: getelementptr i8, ptr addrspace(1) %given, i32 8
target triple = "spir64-unknown-unknown"
%pair = type { i32, i32 }
%id.pair = type { %pair }
%id.i32 = type { i32 }
@n.pair = private addrspace(2) constant [5 x i8] c"pair\00"
@n.one = private addrspace(2) constant [4 x i8] c"one\00"
@d.pair = internal addrspace(2) constant %id.pair { %pair { i32 1, i32 2 } }
@d.one = internal addrspace(2) constant %id.i32 { i32 3 }
declare spir_func void @_Z40__sycl_getComposite2020SpecConstantValue_pair(ptr sret(%pair), ptr addrspace(2), ptr addrspace(2), ptr addrspace(1))
declare spir_func i32 @_Z37__sycl_getScalar2020SpecConstantValue_one(ptr addrspace(2), ptr addrspace(2), ptr addrspace(1))

define internal spir_func void @get(ptr sret(%pair) %r, ptr addrspace(1) %given) {
  call spir_func void @_Z40__sycl_getComposite2020SpecConstantValue_pair(ptr sret(%pair) %r, ptr addrspace(2) @n.pair, ptr addrspace(2) @d.pair, ptr addrspace(1) null)
  %one = call spir_func i32 @_Z37__sycl_getScalar2020SpecConstantValue_one(ptr addrspace(2) @n.one, ptr addrspace(2) @d.one, ptr addrspace(1) %given)
  %first = getelementptr %pair, ptr %r, i32 0, i32 0
  store i32 %one, ptr %first
  ret void
}

define spir_kernel void @k(ptr addrspace(1) %buffer, ptr addrspace(1) %out) {
  %r = alloca %pair
  call spir_func void @get(ptr sret(%pair) %r, ptr addrspace(1) %buffer)
  %v = load %pair, ptr %r
  %a = extractvalue %pair %v, 0
  store i32 %a, ptr addrspace(1) %out
  ret void
}

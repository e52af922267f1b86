; Functions that use constants may be readnone. The uses become loads, so that readnone must become readonly.
; RUN: %lower --mode=emulate %s | FileCheck %s
; RUN: %lower --mode=native %s | FileCheck %s --check-prefix=NATIVE
; LLVM 16 and later print these attributes as memory(..).
; CHECK: define spir_func i32 @none(ptr addrspace(1) nocapture %buffer) #[[READ:[0-9]+]] {
; CHECK: define spir_func void @writes(ptr addrspace(1) nocapture %p) #[[ANY:[0-9]+]] {
; CHECK: call spir_func i32 @none(ptr addrspace(1) null) #[[READ]]
; CHECK: define spir_func i32 @other(ptr addrspace(1) nocapture readnone %buffer) #[[NONE:[0-9]+]] {
; CHECK: define spir_kernel void @runtime(ptr addrspace(1) nocapture %_arg__specialization_constants_buffer)
; CHECK: define spir_func i32 @near(ptr addrspace(1) %p) #[[READ]] {
; CHECK: define internal spir_func i32 @threaded(ptr addrspace(1) %_arg__specialization_constants_buffer) #[[READ]] {
; CHECK: attributes #[[READ]] = { {{(nounwind readonly|nounwind memory\(read\))}} }
; CHECK: attributes #[[ANY]] = { {{(nounwind|nounwind memory\(read, argmem: readwrite\))}} }
; CHECK: attributes #[[NONE]] = { {{(nounwind readnone speculatable|nounwind speculatable memory\(none\))}} }
; NATIVE: define spir_func i32 @none(ptr addrspace(1) nocapture readnone %buffer)
target triple = "spir64"
%id = type { i32 }
@n = private addrspace(1) constant [2 x i8] c"n\00"
@d = internal addrspace(1) constant %id { i32 1 }
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1)) #0

define spir_func i32 @none(ptr addrspace(1) nocapture readnone %buffer) #0 {
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(1) @n, ptr addrspace(1) @d, ptr addrspace(1) %buffer)
  ret i32 %v
}

define spir_func void @writes(ptr addrspace(1) nocapture writeonly %p) #1 {
  %v = call spir_func i32 @none(ptr addrspace(1) readnone null) #0
  store i32 %v, ptr addrspace(1) %p
  ret void
}

define spir_func i32 @other(ptr addrspace(1) nocapture readnone %buffer) #0 {
  ret i32 5
}

define internal spir_func i32 @threaded() #0 {
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr addrspace(1) @n, ptr addrspace(1) @d, ptr addrspace(1) null)
  ret i32 %v
}

define spir_kernel void @runtime(ptr addrspace(1) nocapture readnone %_arg__specialization_constants_buffer) {
  %v = call spir_func i32 @threaded()
  ret void
}

define spir_func i32 @near(ptr addrspace(1) %p) #2 {
  %v = load i32, ptr addrspace(1) %p
  %w = call spir_func i32 @none(ptr addrspace(1) %p)
  %s = add i32 %v, %w
  ret i32 %s
}

attributes #0 = { nounwind readnone speculatable }
attributes #1 = { nounwind argmemonly writeonly }
attributes #2 = { nounwind argmemonly readonly }

; The call's attribute has the alignment of an sret pointer: LLVM's type for a packed C structure may
; have a larger one. A default of another type does not change this.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=emulate %s | FileCheck %s
; RUN: %lower --mode=default %s | FileCheck %s
; RUN: %lower --mode=patch --target=nvptx64 %s | FileCheck %s --check-prefix=PATCH
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
target triple = "spir64-unknown-unknown"

%packed = type { <4 x double> }
%bytes = type <{ [8 x i8] }>
%id.packed = type { %packed }
%id.bytes = type { { i64 } }

@n.packed = private unnamed_addr addrspace(1) constant [7 x i8] c"packed\00"
@n.bytes = private unnamed_addr addrspace(1) constant [6 x i8] c"bytes\00"
@d.packed = internal addrspace(1) constant %id.packed { %packed { <4 x double> <double 1.0, double 2.0, double 3.0, double 4.0> } }
@d.bytes = internal addrspace(1) constant %id.bytes { { i64 } { i64 5 } }

declare void @_Z40__sycl_getComposite2020SpecConstantValueI6packedET_(ptr sret(%packed), ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare void @_Z40__sycl_getComposite2020SpecConstantValueI5bytesET_(ptr sret(%bytes), ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))

; CHECK-LABEL: define spir_func void @call(
; CHECK: store %packed {{.*}}, ptr %to, align 1
; PATCH-LABEL: define {{.*}}void @call(
; PATCH: store double {{.*}}, align 1
; PATCH: store double {{.*}}, align 1
define spir_func void @call(ptr %to, ptr addrspace(1) %buffer) {
  call void @_Z40__sycl_getComposite2020SpecConstantValueI6packedET_(ptr sret(%packed) align 1 %to, ptr addrspace(1) @n.packed, ptr addrspace(1) @d.packed, ptr addrspace(1) %buffer)
  ret void
}

; CHECK-LABEL: define spir_func void @type(
; CHECK: store %packed {{.*}}, ptr %to, align 32
define spir_func void @type(ptr %to, ptr addrspace(1) %buffer) {
  call void @_Z40__sycl_getComposite2020SpecConstantValueI6packedET_(ptr sret(%packed) %to, ptr addrspace(1) @n.packed, ptr addrspace(1) @d.packed, ptr addrspace(1) %buffer)
  ret void
}

; CHECK-LABEL: define spir_func void @bytes(
; CHECK: store {{.*}}, ptr %to, align 1
define spir_func void @bytes(ptr %to, ptr addrspace(1) %buffer) {
  call void @_Z40__sycl_getComposite2020SpecConstantValueI5bytesET_(ptr sret(%bytes) %to, ptr addrspace(1) @n.bytes, ptr addrspace(1) @d.bytes, ptr addrspace(1) %buffer)
  ret void
}
